//! Faults and operators' acts: what there is to act on, which verbs it has, what a verb asks for, and
//! the command that comes of it (UX 10). Data; the panel and the inspector draw it.

mod around;
mod command;
mod fields;
mod verbs;

use std::collections::BTreeMap;
use std::rc::Rc;

pub use around::{Around, BrokerFact, ClientFact, ClientState, ProducerFact, QueueFact};
pub use fields::{Choice, Field, Kind, Label};

use crate::model::ids::{BrokerName, ClientId};
use crate::model::message_queue::MessageQueue;
use crate::sim::command::Party;
use crate::text::Language;
pub use crate::text::fault::{FaultField, FaultText, FaultWord, Verb};

/// What is acted on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    Client(ClientId),
    Producer(ClientId),
    /// With its id: 0 is the master.
    Broker(BrokerName, u32),
    Queue(MessageQueue),
    NameServer,
    /// The network between two; what is one-way goes from the first to the second.
    Link(Party, Party),
    Group,
}

/// What a person has chosen and filled in so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    pub target: Option<Target>,
    pub verb: Option<Verb>,
    /// What was written; the others have their defaults.
    pub values: BTreeMap<FaultField, String>,
    /// What is wrong with it, once it was tried.
    pub problem: Option<FaultText>,
}

impl Draft {
    /// The property that is chosen, if one is.
    fn property(&self) -> Option<&str> {
        self.values.get(&FaultField::Property).map(String::as_str)
    }

    /// A field was filled in. Another property has another value.
    pub fn fill(&mut self, field: FaultField, text: String) {
        if field == FaultField::Property {
            self.values.remove(&FaultField::Value);
        }
        self.values.insert(field, text);
    }
}

/// What the panel shows: targets in groups, the chosen one's verbs, the chosen verb's fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaultShown {
    pub groups: Vec<(FaultWord, Vec<TargetLine>)>,
    pub verbs: Vec<Verb>,
    pub verb: Option<Verb>,
    pub fields: Vec<FieldShown>,
    pub problem: Option<FaultText>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TargetLine {
    pub target: Target,
    pub label: Rc<str>,
    pub is_chosen: bool,
}

/// A field with what it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldShown {
    pub field: Field,
    pub value: String,
}

/// The panel for a draft at a moment.
pub fn shown(draft: &Draft, around: &Around, language: Language) -> FaultShown {
    let groups = around.targets(language).into_iter().map(|(word, targets)| {
        let line = |(target, label): (Target, Rc<str>)| TargetLine {
            is_chosen: draft.target.as_ref() == Some(&target),
            target,
            label,
        };
        (word, targets.into_iter().map(line).collect())
    });
    let verbs = draft.target.as_ref().map(|target| verbs::of(target, around)).unwrap_or_default();
    let verb = draft.verb.filter(|verb| verbs.contains(verb));
    let fields = match (&draft.target, verb) {
        (Some(target), Some(verb)) => fields::of(verb, target, around, draft.property()),
        _ => Vec::new(),
    };
    FaultShown {
        groups: groups.collect(),
        verb,
        verbs,
        fields: fields
            .into_iter()
            .map(|field| FieldShown {
                value: draft.values.get(&field.name).unwrap_or(&field.default).clone(),
                field,
            })
            .collect(),
        problem: draft.problem.clone(),
    }
}

pub use command::command;
pub use verbs::{of as verbs_of, target_of, wants_fields};
