//! How far apart the same kind of gap was in the recorded runs of one scenario: the generated table of
//! spreads, from which tolerances come.

use std::collections::BTreeMap;

use super::compare::silence::Silences;
use super::gaps::{Gap, GapId, GapKind, consumption_ids, gaps};
use super::trace::{Header, Trace};
use super::view::View;
use crate::model::time::Millis;

/// What every gap may differ by, whatever its spread.
pub const ALLOWANCE: Millis = Millis::new(250);

/// Version, scenario and kind of gap.
type Key = (String, String, String);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    count: u64,
    min: i64,
    max: i64,
}

/// The table. Its text is made by [`GapTable::to_text`] alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GapTable {
    entries: BTreeMap<Key, Entry>,
}

impl GapTable {
    /// Takes in one recorded run.
    pub fn add(&mut self, trace: &Trace) {
        let view = View::of(trace);
        let silences = Silences::of(&view);
        let ids = consumption_ids(&view).into_iter().zip(0..).collect::<BTreeMap<_, _>>();
        // A pull that was refused is a race, not a spread.
        let is_race = |gap: &Gap| match &gap.id {
            GapId::Consumption(id) if gap.kind.ends_with_begin() => {
                let late = &view.consumptions[ids[id]];
                silences.makes_late(late) && silences.explains(&view, late).is_some()
            }
            _ => false,
        };
        for gap in gaps(&view).iter().filter(|gap| !is_race(gap)) {
            self.add_gap(&trace.header, gap);
        }
    }

    fn add_gap(&mut self, header: &Header, gap: &Gap) {
        let entry = Entry { count: 0, min: gap.ms, max: gap.ms };
        let entry = self.entries.entry(key(header, gap.kind)).or_insert(entry);
        entry.count += 1;
        entry.min = entry.min.min(gap.ms);
        entry.max = entry.max.max(gap.ms);
    }

    /// By how much a gap of that kind may differ: its spread and the allowance; for a scenario that is
    /// not in the table the allowance alone.
    pub fn tolerance(&self, header: &Header, kind: GapKind) -> Millis {
        let entry = self.entries.get(&key(header, kind));
        let spread = entry.map_or(0, |entry| (entry.max - entry.min).max(0) as u64);
        Millis::new(spread) + ALLOWANCE
    }

    pub fn to_text(&self) -> String {
        let mut text =
            "# Spread of every kind of gap over all recorded runs of a scenario, in ms.\n\
             # Made by: headless --make-gap-table tests/golden/traces\n\
             # version\tscenario\tgap\tcount\tmin\tmax\n"
                .to_owned();
        for ((version, scenario, kind), entry) in &self.entries {
            let Entry { count, min, max } = entry;
            text.push_str(&format!("{version}\t{scenario}\t{kind}\t{count}\t{min}\t{max}\n"));
        }
        text
    }

    /// Reads what `to_text` wrote; the number of the first line that is not of that form otherwise.
    pub fn from_text(text: &str) -> Result<GapTable, usize> {
        let mut table = GapTable::default();
        for (index, line) in text.lines().enumerate() {
            if line.starts_with('#') || line.is_empty() {
                continue;
            }
            let (key, entry) = read_line(line).ok_or(index + 1)?;
            table.entries.insert(key, entry);
        }
        Ok(table)
    }
}

fn key(header: &Header, kind: GapKind) -> Key {
    (header.profile.release().to_owned(), header.scenario.clone(), kind.name())
}

fn read_line(line: &str) -> Option<(Key, Entry)> {
    let mut fields = line.split('\t');
    let mut next = || fields.next();
    let key = (next()?.to_owned(), next()?.to_owned(), next()?.to_owned());
    let entry = Entry {
        count: next()?.parse().ok()?,
        min: next()?.parse().ok()?,
        max: next()?.parse().ok()?,
    };
    Some((key, entry))
}
