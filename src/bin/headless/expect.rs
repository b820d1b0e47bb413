//! Scenario files as contract tests: each line of what they expect, with what was wanted and found.

use rocketmq_playground::scenario::Scenario;
use rocketmq_playground::scenario::expect::check_all;
use rocketmq_playground::scenario::file;

use crate::arguments::Arguments;
use crate::source::{listed, text_of};

/// Runs the files with their variants. `Ok(false)` if a line does not hold.
pub fn expect(files: &[String], arguments: &Arguments) -> Result<bool, String> {
    let (mut lines, mut failed) = (0, 0);
    for path in files {
        let text = text_of(path)?;
        let file = file::read_file(&text).map_err(|problems| listed(path, &problems))?;
        let mut runs = vec![(String::new(), file.scenario)];
        runs.extend(file.variants.into_iter().map(|variant| (variant.name, variant.scenario)));
        for (name, mut scenario) in runs {
            scenario.setup.seed = arguments.seed.unwrap_or(scenario.setup.seed);
            println!("{path}{}", if name.is_empty() { name } else { format!(" · {name}") });
            let (all, wrong) = run(&scenario);
            lines += all;
            failed += wrong;
        }
    }
    println!("{lines} lines, {failed} fail");
    Ok(failed == 0)
}

/// How many lines there are, and how many do not hold.
fn run(scenario: &Scenario) -> (usize, usize) {
    let outcomes = check_all(scenario);
    for outcome in &outcomes {
        println!("  {outcome}");
    }
    (outcomes.len(), outcomes.iter().filter(|outcome| !outcome.holds).count())
}
