//! A run and the text that an address holds of it: `scenario::link`, and what the page says when a
//! link cannot be read.

use crate::recording::{Intervention, Recording};
use crate::scenario::link::{Link, LinkError, Outcome};
use crate::text::page::PageText;

/// The part of a link behind `#/r/`: everything but moment and selection.
pub fn write(link: &Link) -> String {
    let fragment = link.to_fragment();
    let packed = fragment.strip_prefix("#/r/").unwrap_or(&fragment);
    packed.split('?').next().unwrap_or_default().to_owned()
}

/// # Errors
/// The sentence that says what is wrong with it.
pub fn read(packed: &str) -> Result<Link, PageText> {
    Link::from_fragment(&format!("#/r/{packed}")).map_err(|error| sentence(&error))
}

/// Whether two links name the same run; where one looks and how far it got does not matter.
pub fn is_same_run(a: &Link, b: &Link) -> bool {
    a.base == b.base
        && a.changes == b.changes
        && a.profile == b.profile
        && a.seed == b.seed
        && a.interventions == b.interventions
}

/// What the visitor did, as the recording takes it.
pub fn interventions(link: &Link) -> Vec<Intervention> {
    let deeds = link.interventions.iter();
    deeds.map(|(at, command)| Intervention { at: *at, command: command.clone().into() }).collect()
}

/// How the run stands at a moment that is reached.
pub fn outcome(recording: &Recording, until: crate::model::time::Millis) -> Outcome {
    Outcome::new(until, recording.events_until(until), recording.digest(until))
}

pub fn sentence(error: &LinkError) -> PageText {
    match error {
        LinkError::NotALink => PageText::LinkNotARun,
        LinkError::TooLong { found, most } => PageText::LinkTooLong { found: *found, most: *most },
        LinkError::UnknownVersion { .. } => PageText::MadeByNewer,
        LinkError::BadCharacter { found, place } => {
            PageText::LinkBadCharacter { found: *found, place: *place }
        }
        LinkError::Checksum => PageText::LinkCut,
        LinkError::TooBig { .. } | LinkError::Packing | LinkError::Shape { .. } => {
            PageText::LinkShape
        }
        LinkError::TooMany { found, most, .. } => {
            PageText::LinkTooMany { found: *found, most: *most }
        }
        LinkError::UnknownPreset { name } => PageText::NoSuchPreset { name: name.as_str().into() },
        LinkError::BadScenario { problems } => {
            let first = problems.first().map(ToString::to_string).unwrap_or_default();
            PageText::LinkBadScenario { first: first.as_str().into() }
        }
    }
}
