//! The why-chain as the page shows it: from an event back to the one who began it (UX 6).

use crate::model::time::Millis;
use crate::recording::Recording;
use crate::scene::film::Film;
use crate::scene::narrate::Narrator;
use crate::scene::why::{Part, why_chain};
use crate::sim::event::{Actor, Event, EventKind, Trigger};
use crate::sim::packet::Machine;
use crate::text::Language;
use crate::text::chain::{ChainText, ChainWord};
use crate::text::format::clock_short;

/// Waits from which on a row says what was waited for.
const LONG: Millis = Millis::from_seconds(1);

/// The chain of one event, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WhyShown {
    pub event: u32,
    pub rows: Vec<WhyLine>,
    pub ends: Option<ChainWord>,
    /// The chain as a paragraph, oldest first.
    pub words: String,
}

#[derive(Clone, Debug, PartialEq)]
pub struct WhyLine {
    pub event: u32,
    /// What a twin is to the row before it; the main line has none.
    pub twin: Option<ChainWord>,
    pub at: Millis,
    /// Actor and predicate as one sentence.
    pub sentence: String,
    /// How long after the next row of its line it came.
    pub later: Option<String>,
    /// Which timer ran meanwhile.
    pub waited: Option<String>,
    /// It is the event in force.
    pub is_now: bool,
}

/// The chain of `event`, in words.
pub fn shown(
    recording: &Recording,
    film: &Film,
    event: u32,
    now: u32,
    language: Language,
) -> WhyShown {
    let narrator = Narrator::new(recording, film.journal());
    let chain = why_chain(recording, event);
    let row = |it: &Event, twin: Option<ChainWord>, gap: Option<Millis>| WhyLine {
        event: it.sequence,
        twin,
        at: it.at,
        sentence: narrator.told(it).sentence(language),
        later: gap.map(|span| ChainText::Later { span }.say(language).into_owned()),
        waited: waited(&narrator, it, language),
        is_now: it.sequence == now,
    };
    let mut rows: Vec<WhyLine> = Vec::new();
    for (place, link) in chain.iter().enumerate() {
        let Some(it) = recording.event(link.event) else { continue };
        let twin = match link.part {
            Part::Main => None,
            Part::AlsoNeeded => Some(ChainWord::AlsoNeeded),
            Part::AlsoEnough => Some(ChainWord::AlsoEnough),
        };
        if twin.is_some() {
            rows.push(row(it, twin, None));
            continue;
        }
        let before = chain[place + 1..].iter().find(|other| other.part == Part::Main);
        let before = before.and_then(|before| recording.event(before.event));
        let gap = before.map(|before| it.at.since(before.at)).filter(|gap| *gap > Millis::ZERO);
        rows.push(row(it, None, gap));
        let refusals = before.map(|before| refusals(recording, before, it)).unwrap_or_default();
        rows.extend(refusals.into_iter().map(|it| row(it, Some(ChainWord::Because), None)));
    }
    let last = chain.iter().rfind(|link| link.part == Part::Main);
    let ends = last.and_then(|last| recording.event(last.event)).map(|it| end(recording, it));
    let words = in_words(&rows, film, language);
    WhyShown { event, rows, ends, words }
}

/// Why a pass of the rebalance did not get all of its queues: the locks that it was refused.
fn refusals<'a>(recording: &'a Recording, from: &Event, to: &Event) -> Vec<&'a Event> {
    if !matches!(to.kind, EventKind::RebalanceEnded { balanced: false }) {
        return Vec::new();
    }
    let Actor::Machine(Machine::Client(process)) = to.actor else { return Vec::new() };
    let asker = &recording.head().world().client(process).client_id;
    let within = (from.sequence..to.sequence).rev().filter_map(|index| recording.event(index));
    let refused = within.filter(|event| match &event.kind {
        EventKind::QueueLockRefused { client, .. } => client == asker,
        _ => false,
    });
    refused.collect()
}

fn waited(narrator: &Narrator<'_>, event: &Event, language: Language) -> Option<String> {
    let Trigger::Timer { since, .. } = &event.trigger else { return None };
    let wait = narrator.waited(event).filter(|_| event.at.since(*since) >= LONG)?;
    Some(wait.say(language))
}

/// What the oldest event of a chain is.
fn end(recording: &Recording, event: &Event) -> ChainWord {
    let script = recording.start().script.len();
    match (&event.kind, &event.trigger) {
        (EventKind::CommandApplied { index } | EventKind::CommandRefused { index, .. }, _) => {
            match (*index as usize) < script {
                true => ChainWord::EndsAtScript,
                false => ChainWord::EndsAtPerson,
            }
        }
        _ if !event.causes.as_slice().is_empty() => ChainWord::GoesOn,
        (_, Trigger::Timer { .. }) => ChainWord::EndsAtTimer,
        _ => ChainWord::EndsAtStart,
    }
}

/// The main line as a paragraph, without its background; the first and the last are always told.
fn in_words(rows: &[WhyLine], film: &Film, language: Language) -> String {
    let is_beside =
        |row: &WhyLine| matches!(row.twin, Some(ChainWord::AlsoNeeded | ChainWord::AlsoEnough));
    let told: Vec<&WhyLine> = rows.iter().rev().filter(|row| !is_beside(row)).collect();
    let last = told.len().saturating_sub(1);
    let told = told.into_iter().enumerate().filter(|(place, row)| {
        let is_told = film.timeline().importance(row.event) >= 2 || row.twin.is_some();
        *place == 0 || *place == last || is_told
    });
    let mut out: Vec<String> = Vec::new();
    let mut before: Option<Millis> = None;
    for (_, row) in told {
        let sentence = row.sentence.as_str().into();
        let text = match before {
            None => ChainText::Began { at: row.at, sentence },
            Some(at) if at == row.at => ChainText::AtOnce { sentence },
            Some(at) => ChainText::Then { after: row.at.since(at), sentence },
        };
        out.push(text.say(language).into_owned());
        before = Some(row.at);
    }
    match language {
        Language::En => out.join(" "),
        Language::ZhCn => out.concat(),
    }
}

impl WhyShown {
    /// The chain as lines of text, for a ticket or a chat.
    pub fn as_text(&self, language: Language) -> String {
        let mut out = String::new();
        for row in &self.rows {
            let indent = if row.twin.is_some() { "  " } else { "" };
            let twin = row.twin.map_or("", |twin| twin.say(language));
            let gap = if twin.is_empty() { "" } else { " " };
            let (at, sentence) = (clock_short(row.at), &row.sentence);
            out.push_str(&format!("{indent}- {at} {twin}{gap}{sentence}\n"));
            if let Some(waited) = &row.waited {
                out.push_str(&format!("{indent}    ({waited})\n"));
            }
        }
        if let Some(ends) = self.ends {
            out.push_str(ends.say(language));
            out.push('\n');
        }
        out
    }
}
