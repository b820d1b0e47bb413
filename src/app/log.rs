//! The log as it is shown: which rows, and the words of those that can be seen.

use std::collections::BTreeSet;

use super::shown::{LogLine, LogShown};
use crate::recording::Recording;
use crate::scene::film::Film;
use crate::scene::log::{Log, LogKind};
use crate::scene::narrate::Narrator;
use crate::scene::sequence::{self, Sequence};
use crate::text::event::{Code, Who};
use crate::text::{Language, Term};

/// Rows in words before and after those that can be seen.
const AROUND: u32 = 12;
/// Rows that can be seen at a time, at most.
const SEEN: u32 = 26;
/// Rows in words at a time.
const SHOWN: u32 = 64;

/// Which rows there are with the present filters, kept until the run grows or the filters change.
#[derive(Debug, Default)]
pub struct LogView {
    log: Log,
    rows: Vec<usize>,
    key: Option<Key>,
    /// The first row in words.
    first: u32,
    shown: std::rc::Rc<LogShown>,
    shown_for: Option<(Key, u32, u32, Language)>,
}

type Key = (u32, usize, BTreeSet<LogKind>, bool);

/// What the person wants to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogWish {
    pub hidden: BTreeSet<LogKind>,
    /// Background too: heartbeats, idle pulls, passes that change nothing.
    pub background: bool,
    /// The first row that can be seen.
    pub first: u32,
}

impl LogView {
    /// The stretch around the first row that can be seen, `event` being the one in force.
    pub fn shown(
        &mut self,
        recording: &Recording,
        film: &Film,
        event: u32,
        wish: &LogWish,
        language: Language,
    ) -> std::rc::Rc<LogShown> {
        self.follow(recording, film, wish);
        let now = self.row_of(event);
        // Rows are exchanged only when those in words run out: a row that goes while it has the focus
        // would take the keyboard with it.
        let is_inside = wish.first >= self.first
            && wish.first + SEEN <= self.first + SHOWN
            && (wish.first > self.first || self.first == 0);
        if !is_inside {
            self.first = wish.first.saturating_sub(AROUND);
        }
        let first = self.first;
        let key = self.key.clone().unwrap_or_default();
        let shown_for = Some((key, first, now.unwrap_or(u32::MAX), language));
        if self.shown_for != shown_for {
            self.shown_for = shown_for;
            let narrator = Narrator::new(recording, film.journal());
            let rows = self.rows.iter().skip(first as usize).take(SHOWN as usize);
            let lines = rows.filter_map(|row| self.line(&narrator, *row, language)).collect();
            self.shown = std::rc::Rc::new(LogShown {
                total: self.rows.len() as u32,
                first,
                rows: lines,
                now,
                hidden: wish.hidden.clone(),
                background: wish.background,
            });
        }
        self.shown.clone()
    }

    /// The sequence of calls around an event.
    pub fn sequence(&mut self, recording: &Recording, film: &Film, event: u32) -> Sequence {
        self.log.follow(recording, film.timeline());
        let narrator = Narrator::new(recording, film.journal());
        sequence::around(recording, &self.log, &narrator, event)
    }

    fn follow(&mut self, recording: &Recording, film: &Film, wish: &LogWish) {
        let key =
            (recording.event_count(), recording.cut_count(), wish.hidden.clone(), wish.background);
        if self.key.as_ref() == Some(&key) {
            return;
        }
        self.log.follow(recording, film.timeline());
        let kinds: Vec<LogKind> =
            LogKind::ALL.into_iter().filter(|kind| !wish.hidden.contains(kind)).collect();
        let least = u8::from(!wish.background);
        self.rows = match kinds.is_empty() {
            true => Vec::new(),
            false => self.log.filtered(recording, &kinds, least, None),
        };
        self.key = Some(key);
    }

    /// The place of the row that the event in force belongs to, or of the last one before it.
    fn row_of(&self, event: u32) -> Option<u32> {
        let row = self.log.row_of(event);
        let after = self.rows.partition_point(|place| *place <= row);
        after.checked_sub(1).map(|place| place as u32)
    }

    /// The row of the event in force, for keeping it in sight.
    pub fn place_of(
        &mut self,
        recording: &Recording,
        film: &Film,
        event: u32,
        wish: &LogWish,
    ) -> Option<u32> {
        self.follow(recording, film, wish);
        self.row_of(event)
    }

    fn line(&self, narrator: &Narrator<'_>, row: usize, language: Language) -> Option<LogLine> {
        let line = self.log.line(narrator, row)?;
        let told = &line.told;
        let who = |who: &Who| who.say(language).to_string();
        let times = match line.count {
            0 | 1 => String::new(),
            count => format!(" ×{}", crate::text::format::count(u64::from(count))),
        };
        Some(LogLine {
            event: line.event,
            at: line.at,
            who: match &told.to {
                Some(to) => format!("{} → {}", who(&told.who), who(to)),
                None => who(&told.who),
            },
            code: told.code.map(|Code { number, name }| format!("{number} {name}")),
            term: told.code.map(|code| Term::of_request(code.number)),
            subject: told.subject.clone().unwrap_or_else(|| "".into()),
            result: format!("{}{times}", told.text.say(language)),
            source: told.source,
            is_background: line.importance == 0,
        })
    }
}
