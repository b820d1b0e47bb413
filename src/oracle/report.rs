//! What the comparison found, item by item, as lines for people and numbers for scripts.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::trace::Place;
use crate::model::time::Millis;

/// Which of the things that have to agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    Race,
    Delivery,
    Order,
    Result,
    Assignment,
    StoredCopy,
    Commit,
    Calls,
    Pull,
    Gap,
}

impl Item {
    /// What has to agree, in the order of the tables.
    pub const ALL: [Item; 9] = [
        Item::Delivery,
        Item::Order,
        Item::Result,
        Item::Assignment,
        Item::StoredCopy,
        Item::Commit,
        Item::Calls,
        Item::Pull,
        Item::Gap,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Item::Race => "race",
            Item::Delivery => "delivery",
            Item::Order => "order",
            Item::Result => "result",
            Item::Assignment => "assignment",
            Item::StoredCopy => "stored",
            Item::Commit => "commit",
            Item::Calls => "calls",
            Item::Pull => "pull",
            Item::Gap => "gap",
        }
    }
}

/// The races that the real thing can lose on one day and win on another. Each is recognised by a general
/// signature, told in `docs/fidelity.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Race {
    /// A pull was refused with "subscription not latest" (25) and repeated after the exception delay.
    Refused25,
    /// A heartbeat was skipped, so pulls were refused until the next one.
    SkippedHeartbeat,
    /// Two timers, or two threads at one timer, met (rules E and R).
    TimersMet,
    /// A queue changed hands; what lay on the border went to the other member, or to both.
    HandOver,
    /// Other runs used the same broker.
    SharedBroker,
}

impl Race {
    pub const ALL: [Race; 5] = [
        Race::Refused25,
        Race::SkippedHeartbeat,
        Race::TimersMet,
        Race::HandOver,
        Race::SharedBroker,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Race::Refused25 => "refused-25",
            Race::SkippedHeartbeat => "skipped-heartbeat",
            Race::TimersMet => "timers-met",
            Race::HandOver => "hand-over",
            Race::SharedBroker => "shared-broker",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Agrees,
    Exception(Race),
    Differs,
}

/// One thing compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub item: Item,
    pub verdict: Verdict,
    /// Where it stands in the recorded trace.
    pub place: Place,
    pub text: String,
    /// A gap: by how much the two runs' differ.
    pub apart: Option<Millis>,
}

#[derive(Clone, Debug, Default)]
pub struct Report {
    pub findings: Vec<Finding>,
}

impl Report {
    pub fn say(&mut self, item: Item, verdict: Verdict, place: Place, text: impl Into<String>) {
        self.findings.push(Finding { item, verdict, place, text: text.into(), apart: None });
    }

    /// A gap that is so far from the other run's.
    pub fn say_gap(&mut self, verdict: Verdict, place: Place, text: String, apart: Millis) {
        let apart = Some(apart);
        self.findings.push(Finding { item: Item::Gap, verdict, place, text, apart });
    }

    pub fn count(&self, verdict: impl Fn(Verdict) -> bool) -> usize {
        self.findings.iter().filter(|finding| verdict(finding.verdict)).count()
    }

    pub fn agrees(&self) -> bool {
        self.count(|verdict| verdict == Verdict::Differs) == 0
    }

    /// The lines: differences and exceptions always, agreements if `verbose`; the last line counts.
    pub fn to_text(&self, verbose: bool) -> String {
        let mut findings = self.findings.iter().collect::<Vec<_>>();
        findings.sort_by_key(|finding| (finding.place, finding.item));
        let mut text = String::new();
        for Finding { item, verdict, place, text: what, .. } in findings {
            let word = match verdict {
                Verdict::Agrees if !verbose => continue,
                Verdict::Agrees => "agrees   ".to_owned(),
                Verdict::Exception(race) => format!("exception {}", race.name()),
                Verdict::Differs => "DIFFERS  ".to_owned(),
            };
            let (seconds, ms) = (place.at.ms() / 1_000, place.at.ms() % 1_000);
            let line = place.line;
            let item = item.name();
            let _ = writeln!(text, "{seconds:>4}.{ms:03} line {line:<6} {word} {item}: {what}");
        }
        text.push_str(&self.last_line());
        text.push('\n');
        text
    }

    /// How many exceptions there are of each kind.
    pub fn exceptions(&self) -> BTreeMap<Race, usize> {
        let mut races: BTreeMap<Race, usize> = BTreeMap::new();
        for finding in &self.findings {
            if let Verdict::Exception(race) = finding.verdict {
                *races.entry(race).or_insert(0) += 1;
            }
        }
        races
    }

    /// `agrees 120, exceptions 2 (hand-over 2), differs 0`.
    pub fn last_line(&self) -> String {
        let races = self.exceptions();
        let total = races.values().sum::<usize>();
        let kinds = races.iter().map(|(race, count)| format!("{} {count}", race.name()));
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        let kinds = if total == 0 { String::new() } else { format!(" ({kinds})") };
        let agrees = self.count(|verdict| verdict == Verdict::Agrees);
        let differs = self.count(|verdict| verdict == Verdict::Differs);
        format!("agrees {agrees}, exceptions {total}{kinds}, differs {differs}")
    }
}
