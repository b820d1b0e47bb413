//! A report as rows of the tables in `docs/fidelity.md`.

use super::report::{Finding, Item, Report, Verdict};
use super::trace::{Header, Place};
use crate::model::time::Millis;
use crate::model::topic::retry_topic;

/// `4.2.0/s01_happy-1`: how the tables name a trace.
pub fn name(header: &Header) -> String {
    format!("{}/{}-{}", header.profile.release(), header.scenario, header.run)
}

/// The trace's row: what agrees, item by item, the largest difference in time that agrees, and what does not
/// agree by kind.
pub fn row(header: &Header, report: &Report) -> String {
    let agrees = report.findings.iter().filter(|it| it.verdict == Verdict::Agrees);
    let counts = Item::ALL.iter().map(|item| {
        let count = agrees.clone().filter(|it| it.item == *item).count();
        if count == 0 { "-".to_owned() } else { count.to_string() }
    });
    let counts = counts.collect::<Vec<_>>().join(" | ");
    let gaps = agrees.filter_map(|it| Some((it.apart?, it)));
    let largest = gaps.max_by_key(|(apart, it)| (*apart, it.place));
    let largest = largest.map_or_else(|| "-".to_owned(), |(apart, it)| gap(header, apart, it));
    let exceptions = report.exceptions();
    let kinds = exceptions.iter().map(|(race, count)| format!("{} {count}", race.name()));
    let differs = report.count(|verdict| verdict == Verdict::Differs);
    let differs = (differs > 0).then(|| format!("**differs {differs}**"));
    let rest = kinds.chain(differs).collect::<Vec<_>>().join(", ");
    let rest = if rest.is_empty() { "-" } else { &rest };
    format!("| {} | {counts} | {largest} | {rest} |", name(header))
}

/// A row for all that does not agree: where it stands, its kind and what it is.
pub fn exceptions(header: &Header, report: &Report) -> Vec<String> {
    let mut findings = report.findings.iter().collect::<Vec<_>>();
    findings.sort_by_key(|finding| (finding.place, finding.item));
    let row = |finding: &Finding| {
        let kind = match finding.verdict {
            Verdict::Agrees => return None,
            Verdict::Exception(race) => race.name(),
            Verdict::Differs => "**differs**",
        };
        let Place { at, line } = finding.place;
        let line = if line == 0 { "ours".to_owned() } else { line.to_string() };
        let what = what(header, finding);
        Some(format!("| {} | {line} | {} | {kind} | {what} |", name(header), seconds(at)))
    };
    findings.into_iter().filter_map(row).collect()
}

fn gap(header: &Header, apart: Millis, it: &Finding) -> String {
    let text = short(header, &it.text);
    let kind = text.split(" (at").next().unwrap_or_default();
    format!("{} ms, line {}: {kind}", apart.ms(), it.place.line)
}

fn what(header: &Header, finding: &Finding) -> String {
    let item = finding.item.name();
    let text = short(header, &finding.text);
    let text = match finding.item {
        // The orders themselves are long; `headless --against` prints them.
        Item::Calls => text.split(':').next().unwrap_or_default().to_owned(),
        Item::Race => return text,
        _ => text,
    };
    format!("{item}: {text}")
}

/// Names of a run without what makes them unique.
fn short(header: &Header, text: &str) -> String {
    let mut text = text.replace(retry_topic(&header.group).as_str(), "%RETRY%");
    if let Some(other) = &header.topic2 {
        text = text.replace(other.as_str(), "T2");
    }
    text.replace(header.topic.as_str(), "T").replace('|', "/").replace('\n', " ")
}

fn seconds(at: Millis) -> String {
    format!("{}.{:03}", at.ms() / 1_000, at.ms() % 1_000)
}
