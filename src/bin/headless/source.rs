//! Where a scenario comes from: a preset's name, a scenario file, or a link.

use std::fs;

use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::scenario::{Link, Problem, Scenario, file, presets};

/// The scenario that is meant, under its own profile or another one.
pub fn find(what: &str, profile: Option<Profile>) -> Result<Scenario, String> {
    if let Some((_, fragment)) = what.split_once('#') {
        return linked(&format!("#{fragment}"), profile);
    }
    let scenario = match profile {
        Some(profile) => presets::by_name_as(what, profile),
        None => presets::by_name(what),
    };
    if let Some(scenario) = scenario {
        return Ok(scenario);
    }
    if !what.ends_with(".toml") {
        let names = presets::all_names().collect::<Vec<_>>().join(", ");
        return Err(format!("no preset `{what}`; there are {names}"));
    }
    let text = text_of(what)?;
    let scenario = match profile {
        Some(profile) => file::read_as(&text, profile),
        None => file::read(&text),
    };
    scenario.map_err(|problems| listed(what, &problems))
}

/// What a visitor did follows the script's own commands.
fn linked(fragment: &str, profile: Option<Profile>) -> Result<Scenario, String> {
    let mut link = Link::from_fragment(fragment).map_err(|error| error.to_string())?;
    link.profile = profile.unwrap_or(link.profile);
    let mut scenario = link.scenario().map_err(|error| error.to_string())?;
    scenario.until = scenario.until.max(link.outcome.reached);
    scenario.script.extend(link.interventions);
    Ok(scenario)
}

pub fn text_of(path: &str) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))
}

/// Every problem on a line of its own.
pub fn listed(path: &str, problems: &[Problem]) -> String {
    let lines = problems.iter().map(|problem| format!("{path}: {problem}"));
    lines.collect::<Vec<_>>().join("\n")
}
