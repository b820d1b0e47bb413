//! From a text to a scenario.

use super::fields::{Fields, Sink};
use super::node::{self, Lines, Node, Value};
use super::read_script::{self, Line};
use super::{defaults, read_differ, read_expect, read_mark, read_recorded, read_setup, variant};
use crate::model::limits;
use crate::model::profile::Profile;
use crate::scenario::problem::Problem;
use crate::scenario::scenario::{Scenario, Words};
use crate::scenario::validate::{self, Place};

/// Another run of a file's scenario, with something changed and with expectations of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    pub name: String,
    pub scenario: Scenario,
}

/// All that a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioFile {
    pub scenario: Scenario,
    pub variants: Vec<Variant>,
}

/// The words of the profiles.
pub const PROFILES: &[(&str, Profile)] =
    &[("V42", Profile::V42), ("V49", Profile::V49), ("V53", Profile::V53)];

/// The scenario of a file, without its variants.
///
/// # Errors
/// Every mistake in it, by line.
pub fn read(text: &str) -> Result<Scenario, Vec<Problem>> {
    read_file(text).map(|file| file.scenario)
}

/// The scenario of a file under another profile than its own: what the file does not set follows that
/// profile's defaults.
///
/// # Errors
/// Every mistake in it, by line.
pub fn read_as(text: &str, profile: Profile) -> Result<Scenario, Vec<Problem>> {
    read_whole(text, Some(profile)).map(|file| file.scenario)
}

/// A file with its variants.
///
/// # Errors
/// Every mistake in it, by line.
pub fn read_file(text: &str) -> Result<ScenarioFile, Vec<Problem>> {
    read_whole(text, None)
}

fn read_whole(text: &str, profile: Option<Profile>) -> Result<ScenarioFile, Vec<Problem>> {
    if text.len() > limits::FILE_BYTES {
        return Err(vec![Problem {
            line: None,
            field: "the file".to_owned(),
            found: format!("{} bytes", text.len()),
            allowed: format!("at most {} bytes", limits::FILE_BYTES),
        }]);
    }
    let lines = Lines::of(text);
    let (root, grammar) = node::parse(text, &lines);
    if !grammar.is_empty() {
        // What the parser made of the rest is a guess; its problems would be, too.
        return Err(grammar);
    }
    let sink = Sink::new(lines);
    let scenario = scenario(&defaults::spread(&root, &sink), profile, &sink);
    let mut variants = Vec::new();
    for (name, tree) in variant::variants(&root, &sink) {
        let scenario = self::scenario(&defaults::spread(&tree, &sink), profile, &sink);
        variants.push(Variant { name, scenario });
    }
    match sink.finish() {
        problems if problems.is_empty() => Ok(ScenarioFile { scenario, variants }),
        problems => Err(problems),
    }
}

fn scenario(root: &Node, profile: Option<Profile>, sink: &Sink) -> Scenario {
    let mut fields = Fields::of(root, "", sink);
    // Taken by `variant` and `defaults`.
    for key in ["variant", "consumerDefaults", "producerDefaults", "brokerDefaults", "sendDefaults"]
    {
        fields.node(key);
    }
    let own = fields.word("profile", PROFILES).unwrap_or_default();
    let profile = profile.unwrap_or(own);
    let id = fields.text("id").unwrap_or_default().to_owned();
    let title = words(&mut fields, "title");
    let about = words(&mut fields, "about");
    let setup = read_setup::setup(&mut fields, profile);
    let lines = read_script::lines(&mut fields, profile);
    let last = lines.iter().map(|line| line.at).max().unwrap_or_default();
    let until = fields.time("until").unwrap_or(last + LEFT_TO_WATCH);
    let expectations = read_expect::expectations(&mut fields);
    let marks = read_mark::marks(&mut fields);
    let differs = read_differ::differs(&mut fields);
    let begin = fields.time("begin").unwrap_or_default();
    let recorded = read_recorded::recorded(&mut fields);
    let script = lines.iter().map(|line| (line.at, line.command.clone())).collect();
    let scenario = Scenario {
        id,
        title,
        about,
        setup,
        script,
        begin,
        until,
        expectations,
        marks,
        differs,
        recorded,
    };
    report_faults(&scenario, root, &lines, sink);
    fields.close();
    scenario
}

/// How far a run is worth watching after its last command, if the file does not say.
const LEFT_TO_WATCH: crate::model::time::Millis = crate::model::time::Millis::from_seconds(60);

/// A text, or a table with `en` and `zh`.
pub fn words(fields: &mut Fields<'_>, key: &str) -> Words {
    let Some(node) = fields.node(key) else { return Words::default() };
    match &node.value {
        Value::Text(text) => Words::same(text),
        Value::Table(_) => {
            let mut table = Fields::of(node, key, fields.sink);
            let en = table.required_text("en", "the text in English").to_owned();
            let zh = table.text("zh").map_or_else(|| en.clone(), str::to_owned);
            table.close();
            Words { en, zh }
        }
        _ => {
            fields.refuse(key, node, "a text in quotes, or { en = \"...\", zh = \"...\" }");
            Words::default()
        }
    }
}

/// What is wrong with the scenario as a whole, with the lines where the fields stand.
fn report_faults(scenario: &Scenario, root: &Node, lines: &[Line<'_>], sink: &Sink) {
    for fault in validate::faults(scenario) {
        let (node, place) = match fault.place {
            Place::Whole => (Some(root), String::new()),
            Place::Script(index) => (Some(lines[index].node), lines[index].place.clone()),
            Place::Table(kind, index) => {
                let table = root.get(kind).and_then(|tables| match &tables.value {
                    Value::List(list) => list.get(index),
                    _ => None,
                });
                (table, format!("{kind} {}", index + 1))
            }
        };
        let at = node.map_or(0, |node| node.get(fault.field).map_or(node.at, |field| field.at));
        let field = match (place.as_str(), fault.field) {
            ("", field) => field.to_owned(),
            (place, "") => place.to_owned(),
            (place, field) => format!("{place}, {field}"),
        };
        sink.problem(at, &field, &fault.found, &fault.allowed);
    }
}
