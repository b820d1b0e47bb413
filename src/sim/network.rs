//! The network: latency, loss, partition, and what repeats or reorders. One link for each ordered pair
//! of machines.
//!
//! One TCP connection neither repeats nor reorders. What does, between a client and a broker's
//! processor, is whatever sends again or works in parallel: a retrying proxy or layer in between, several
//! connections, the client's threads, the thread pools of the broker, which take up requests of one
//! connection at the same time. [`RepeatRule`] and [`HoldRule`] stand for those.

use std::collections::BTreeMap;

use serde::Serialize;

use super::agenda::AgendaKey;
use super::event::Causes;
use super::packet::{Machine, RequestCode};
use crate::model::ids::ConnectionId;
use crate::model::time::Millis;

/// What is special about one direction between two machines. The rules are for the requests of this
/// direction, and for their answers, which go in the other one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Link {
    /// Lowest and highest one-way latency; `None`: the run's default.
    pub latency: Option<(Millis, Millis)>,
    pub is_cut: bool,
    /// Requests of a code still to be lost; with `only_response` the request arrives and its answer
    /// is lost.
    pub to_drop: Vec<DropRule>,
    /// TCP keeps order: nothing arrives before what was sent earlier.
    pub last_arrival: Millis,
    /// ... nor, within one millisecond, is it taken up earlier (shuffled tie-break).
    pub last_priority: u32,
    // Not in the digest where there is nothing, so that the digests of runs without them stay.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub to_repeat: Vec<RepeatRule>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub to_hold: Vec<HoldRule>,
    /// What is held back in this direction until something passes it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub held: Vec<Late>,
    /// Second copies under way in this direction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<Late>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DropRule {
    pub code: RequestCode,
    pub left: u32,
    pub only_response: bool,
}

/// The next requests that arrive twice, or whose answers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RepeatRule {
    pub choice: Choice,
    /// How much later the second copy comes, at least and at most.
    pub later: (Millis, Millis),
}

/// The next requests, or answers, that the one behind them passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HoldRule {
    pub choice: Choice,
    /// How long nothing may come that passes it.
    pub at_most: Millis,
}

/// Which messages a rule is for, and how many more of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// `None`: any.
    pub code: Option<RequestCode>,
    pub left: u32,
    pub only_response: bool,
    /// The command that made the rule.
    #[serde(skip)]
    pub causes: Causes,
}

/// A packet on the agenda whose arrival may still change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Late {
    pub key: AgendaKey,
    pub connection: ConnectionId,
}

/// A request on its way, or the answer to it, as the rules of a link know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letter {
    pub asker: Machine,
    pub asked: Machine,
    pub code: RequestCode,
    pub is_response: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Network {
    pub default_latency: Millis,
    pub links: BTreeMap<(Machine, Machine), Link>,
}

impl Choice {
    /// Whether it is for this letter; counts it off.
    fn takes(&mut self, letter: Letter) -> bool {
        let is_it = self.left > 0
            && self.code.is_none_or(|code| code == letter.code)
            && self.only_response == letter.is_response;
        self.left -= u32::from(is_it);
        is_it
    }
}

impl Network {
    pub fn new(default_latency: Millis) -> Network {
        Network { default_latency, links: BTreeMap::new() }
    }

    pub fn link(&self, from: Machine, to: Machine) -> Option<&Link> {
        self.links.get(&(from, to))
    }

    pub fn link_mut(&mut self, from: Machine, to: Machine) -> &mut Link {
        self.links.entry((from, to)).or_default()
    }

    pub fn is_cut(&self, from: Machine, to: Machine) -> bool {
        self.link(from, to).is_some_and(|link| link.is_cut)
    }

    /// Whether a letter is to be lost now; counts it off.
    pub fn drops(&mut self, letter: Letter) -> bool {
        let Some(link) = self.links.get_mut(&(letter.asker, letter.asked)) else { return false };
        let Some(rule) = link.to_drop.iter_mut().find(|rule| {
            rule.code == letter.code && rule.only_response == letter.is_response && rule.left > 0
        }) else {
            return false;
        };
        rule.left -= 1;
        link.to_drop.retain(|rule| rule.left > 0);
        true
    }

    /// Whether a letter is to arrive twice; counts it off.
    pub fn repeats(&mut self, letter: Letter) -> Option<RepeatRule> {
        let link = self.links.get_mut(&(letter.asker, letter.asked))?;
        let found = link.to_repeat.iter_mut().find_map(|it| it.choice.takes(letter).then_some(*it));
        link.to_repeat.retain(|rule| rule.choice.left > 0);
        found
    }

    /// Whether a letter is to be held back; counts it off.
    pub fn holds(&mut self, letter: Letter) -> Option<HoldRule> {
        let link = self.links.get_mut(&(letter.asker, letter.asked))?;
        let found = link.to_hold.iter_mut().find_map(|it| it.choice.takes(letter).then_some(*it));
        link.to_hold.retain(|rule| rule.choice.left > 0);
        found
    }

    /// Whether an entry of the agenda is a packet that is held back.
    pub fn is_held(&self, from: Machine, to: Machine, sequence: u64) -> bool {
        let held = self.link(from, to).map_or(&[][..], |link| &link.held);
        held.iter().any(|late| late.key.sequence() == sequence)
    }
}
