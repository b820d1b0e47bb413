//! A run as a text that fits into an address: `#/r/1<text>?t=62.350&sel=q1`.
//!
//! `1` is the format. The text is base64url without padding of one byte of flags, the body, and the
//! CRC-32 of both; the body is [`wire`](super::wire)'s own type, deflated if that is shorter. What a
//! person may edit by hand, moment and selection, stays readable behind the question mark. Never imports
//! recording or scene.

mod change;
mod code;
mod query;

pub use change::Change;

use thiserror::Error;

use super::problem::Problem;
use super::scenario::Scenario;
use super::{file, presets, validate, wire};
use crate::model::limits;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::sim::command::Command;

/// The model's number: raised when a golden link's digest changes.
pub const MODEL_ID: u16 = 1;

/// How the fragment of a run begins; the format's number follows.
const START: &str = "#/r/";

/// What the run started from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// A preset by name.
    Preset(String),
    /// A whole scenario, as a file.
    File(String),
}

/// What happened up to where the run had got when the link was made, to tell whether the same happens
/// when it is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub reached: Millis,
    /// How many events there were.
    pub events: u32,
    /// The lower half of the state's digest, mixed with the upper.
    pub digest: u32,
}

impl Outcome {
    pub fn new(reached: Millis, events: u32, digest: u64) -> Outcome {
        Outcome { reached, events, digest: (digest ^ (digest >> 32)) as u32 }
    }
}

/// A run that can be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub base: Base,
    /// What the visitor changed on the base before the run.
    pub changes: Vec<Change>,
    pub profile: Profile,
    pub seed: u64,
    /// What the visitor did while it ran.
    pub interventions: Vec<(Millis, Command)>,
    /// Plain text.
    pub title: String,
    pub outcome: Outcome,
    /// The model that the link was made with.
    pub model_id: u16,
    /// Where the visitor was looking.
    pub moment: Option<Millis>,
    /// What was selected, in the page's own word.
    pub selection: Option<String>,
    /// Other parameters of the view, in their order: unknown ones are kept and ignored.
    pub view: Vec<(String, String)>,
}

/// Why a link cannot be read. Each is a plain sentence; the page has its own, in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LinkError {
    #[error("this address does not name a run: it does not begin with #/r/")]
    NotALink,
    #[error("the link has {found} characters; {most} is the most")]
    TooLong { found: usize, most: usize },
    #[error("the link is of format {found:?}, made by a newer version of this page")]
    UnknownVersion { found: String },
    #[error("the link has a character that no link has, {found:?}, as its number {place}")]
    BadCharacter { found: char, place: usize },
    #[error("the link has been cut off or changed: its checksum does not fit")]
    Checksum,
    #[error("the link unpacks to more than {most} bytes")]
    TooBig { most: usize },
    #[error("the link cannot be unpacked")]
    Packing,
    #[error("the link's content has not the shape of a run: {what}")]
    Shape { what: String },
    #[error("the link has {found} {what}; {most} is the most")]
    TooMany { what: &'static str, found: usize, most: usize },
    #[error("the link starts from the preset {name:?}, which this page does not have")]
    UnknownPreset { name: String },
    #[error("the link's scenario has {} mistakes, the first: {}", problems.len(), first(problems))]
    BadScenario { problems: Vec<Problem> },
}

fn first(problems: &[Problem]) -> String {
    problems.first().map_or_else(String::new, ToString::to_string)
}

impl Link {
    /// A preset as it is.
    pub fn preset(name: &str, profile: Profile) -> Link {
        Link {
            base: Base::Preset(name.to_owned()),
            changes: Vec::new(),
            profile,
            seed: presets::by_name(name).map_or(1, |scenario| scenario.setup.seed),
            interventions: Vec::new(),
            title: String::new(),
            outcome: Outcome::default(),
            model_id: MODEL_ID,
            moment: None,
            selection: None,
            view: Vec::new(),
        }
    }

    /// The address's fragment, `#` included.
    pub fn to_fragment(&self) -> String {
        let bytes =
            postcard::to_allocvec(&wire::v1::to_wire(self)).expect("it has no maps or floats");
        let mut text = format!("{START}1{}", code::pack(&bytes));
        let moment = self.moment.map(|moment| ("t".to_owned(), query::seconds(moment)));
        let selection = self.selection.clone().map(|selection| ("sel".to_owned(), selection));
        let pairs = moment.into_iter().chain(selection).chain(self.view.iter().cloned());
        text.push_str(&query::write(pairs));
        text
    }

    /// Reads a fragment, with or without its `#`. Nothing in it is trusted.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn from_fragment(fragment: &str) -> Result<Link, LinkError> {
        let found = fragment.chars().count();
        if found > limits::LINK_CHARACTERS {
            return Err(LinkError::TooLong { found, most: limits::LINK_CHARACTERS });
        }
        let rest = fragment.strip_prefix('#').unwrap_or(fragment);
        let rest = rest.strip_prefix(&START[1..]).ok_or(LinkError::NotALink)?;
        let (packed, query) = rest.split_once('?').unwrap_or((rest, ""));
        let Some(packed) = packed.strip_prefix('1') else {
            let found = packed.chars().take(1).collect();
            return Err(LinkError::UnknownVersion { found });
        };
        let bytes = code::unpack(packed)?;
        let shape = |error: postcard::Error| LinkError::Shape { what: error.to_string() };
        let (wire, left) = postcard::take_from_bytes::<wire::v1::Link>(&bytes).map_err(shape)?;
        if !left.is_empty() {
            return Err(LinkError::Shape { what: "something follows its end".to_owned() });
        }
        let mut link = wire::v1::from_wire(wire)?;
        for (key, value) in query::read(query) {
            match key.as_str() {
                "t" if link.moment.is_none() => link.moment = query::moment(&value),
                "sel" if link.selection.is_none() => link.selection = Some(value),
                _ => link.view.push((key, value)),
            }
        }
        Ok(link)
    }

    /// What the run starts from: the base under the link's profile and seed, with the changes.
    ///
    /// # Errors
    /// If the preset is not known, or the scenario makes no sense.
    pub fn scenario(&self) -> Result<Scenario, LinkError> {
        let mut scenario = match &self.base {
            Base::Preset(name) => presets::by_name_as(name, self.profile)
                .ok_or_else(|| LinkError::UnknownPreset { name: name.clone() })?,
            Base::File(text) => file::read_as(text, self.profile)
                .map_err(|problems| LinkError::BadScenario { problems })?,
        };
        scenario.setup.seed = self.seed;
        change::apply(&self.changes, &mut scenario);
        // What an intervention names may be gone from a base that has changed since: it is then refused
        // as it is carried out. What it asks for must be within the limits.
        let mut faults = validate::faults(&scenario);
        faults.extend(validate::excesses(&self.interventions));
        match faults.iter().map(validate::Fault::problem).collect::<Vec<_>>() {
            problems if problems.is_empty() => Ok(scenario),
            problems => Err(LinkError::BadScenario { problems }),
        }
    }
}
