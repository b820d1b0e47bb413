//! The command line.

use std::path::PathBuf;

use lexopt::prelude::{Long, Short, Value, ValueExt};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::scenario::duration;
use rocketmq_playground::text::Language;

use crate::sheet::Stretch;

pub const HELP: &str = "\
headless PRESET | FILE.toml | '#/r/1...' [options]
    Runs a preset, a scenario file or a link.

    --until 10m         stop at this moment of virtual time (500ms, 90s, 10m, 2h, 1h30m)
    --seed N            another seed for chance
    --profile V42       as RocketMQ 4.2.0 (V42), 4.9.8 (V49) or 5.3.3 (V53)
    --log               print the event log in columns, as the page tells it
    --lang zh           ... in Chinese (en, zh)
    --sheet OUT.html    write the frames of the story on one page (a preset only)
    --story 0-9000/100  ... of this stretch of it, one every so many ms (0-20000/250)
    --phone, --still    ... as on a phone; as with reduced motion
    --trace OUT.jsonl   write the run in the words of the recorded traces
    --digest            print the digest of the last state
    --stats             print what was counted

headless --against TRACE.jsonl.gz... [-v | --rows] [options]
    Runs the model on the inputs of a recorded trace and says where the two agree and where not.
    -v also prints what agrees; --rows prints rows of the tables in docs/fidelity.md instead.
    The last line counts. The profile follows from the trace's version.

headless --expect FILE.toml... [--seed N]
    Runs scenario files with their variants and checks what they expect, line by line.

headless --make-gap-table FOLDER
    Prints the table of gaps over all recorded traces below the folder (tests/golden/gaps.tsv).

Exit status: 0 all is well, 1 the runs differ or an expectation fails, 2 bad input.";

/// What is to be done.
pub enum Task {
    Help,
    /// A preset's name, a scenario file or a link.
    Run(String),
    Against(Vec<PathBuf>),
    /// Scenario files with expectations.
    Expect(Vec<String>),
    MakeGapTable(PathBuf),
}

pub struct Arguments {
    pub task: Task,
    pub until: Option<Millis>,
    pub seed: Option<u64>,
    pub profile: Option<Profile>,
    pub log: bool,
    pub language: Language,
    pub trace: Option<PathBuf>,
    pub sheet: Option<PathBuf>,
    pub stretch: Stretch,
    pub phone: bool,
    pub still: bool,
    pub digest: bool,
    pub stats: bool,
    pub verbose: bool,
    pub rows: bool,
}

impl Arguments {
    /// Reads the command line, or says what is wrong with it.
    pub fn parse(parser: lexopt::Parser) -> Result<Arguments, String> {
        Arguments::read(parser).map_err(|problem| format!("{problem}\n\n{HELP}"))
    }

    /// Nothing was said.
    const fn none() -> Arguments {
        Arguments {
            task: Task::Help,
            until: None,
            seed: None,
            profile: None,
            log: false,
            language: Language::En,
            trace: None,
            sheet: None,
            stretch: Stretch { from_ms: 0.0, to_ms: 20_000.0, every_ms: 250.0 },
            phone: false,
            still: false,
            digest: false,
            stats: false,
            verbose: false,
            rows: false,
        }
    }

    fn read(mut parser: lexopt::Parser) -> Result<Arguments, String> {
        let mut arguments = Arguments::none();
        let mut what = Vec::new();
        let (mut is_against, mut is_expect) = (false, false);
        let mut is_help = false;
        let told = |error: lexopt::Error| error.to_string();
        while let Some(argument) = parser.next().map_err(told)? {
            match argument {
                Long("until") => {
                    arguments.until = Some(span(&text(parser.value().map_err(told)?)?)?);
                }
                Long("seed") => {
                    arguments.seed = Some(parser.value().map_err(told)?.parse().map_err(told)?);
                }
                Long("profile") => {
                    let name = text(parser.value().map_err(told)?)?;
                    let profile = Profile::from_name(&name);
                    let unknown = || format!("no profile `{name}`; there are V42, V49 and V53");
                    arguments.profile = Some(profile.ok_or_else(unknown)?);
                }
                Long("log") => arguments.log = true,
                Long("lang") => {
                    let tag = text(parser.value().map_err(told)?)?;
                    let unknown = || format!("no language `{tag}`; there are en and zh");
                    arguments.language = Language::from_tag(&tag).ok_or_else(unknown)?;
                }
                Long("trace") => arguments.trace = Some(parser.value().map_err(told)?.into()),
                Long("sheet") => arguments.sheet = Some(parser.value().map_err(told)?.into()),
                Long("story") => {
                    arguments.stretch = stretch(&text(parser.value().map_err(told)?)?)?;
                }
                Long("phone") => arguments.phone = true,
                Long("still") => arguments.still = true,
                Long("digest") => arguments.digest = true,
                Long("stats") => arguments.stats = true,
                Short('v') | Long("verbose") => arguments.verbose = true,
                Long("rows") => arguments.rows = true,
                Long("against") => {
                    is_against = true;
                    what.push(text(parser.value().map_err(told)?)?);
                }
                Long("expect") => is_expect = true,
                Long("make-gap-table") => {
                    arguments.task = Task::MakeGapTable(parser.value().map_err(told)?.into());
                    return Ok(arguments);
                }
                Short('h') | Long("help") => is_help = true,
                Value(value) => what.push(text(value)?),
                other => return Err(told(other.unexpected())),
            }
        }
        if is_help {
            return Ok(arguments);
        }
        arguments.task = match (is_against, what.len()) {
            (false, 0) if is_expect => return Err("which files are to be checked?".to_owned()),
            (false, _) if is_expect => Task::Expect(what),
            (true, _) => Task::Against(what.iter().map(PathBuf::from).collect()),
            (false, 1) => Task::Run(what.remove(0)),
            (false, 0) => {
                return Err("what is to be run? a preset, a scenario file or a link".to_owned());
            }
            (false, _) => return Err(format!("one at a time, please: {}", what.join(", "))),
        };
        Ok(arguments)
    }
}

fn text(value: std::ffi::OsString) -> Result<String, String> {
    value.into_string().map_err(|value| format!("not readable as text: {}", value.display()))
}

/// `0-9000/100`: from, to and distance in ms of the story.
fn stretch(text: &str) -> Result<Stretch, String> {
    let bad = || format!("`{text}` is no stretch of the story; write for example 0-9000/100");
    let (span, every) = text.split_once('/').unwrap_or((text, "250"));
    let (from, to) = span.split_once('-').ok_or_else(bad)?;
    let number = |text: &str| text.parse::<f64>().ok().filter(|it| *it >= 0.0).ok_or_else(bad);
    let every_ms = number(every)?.max(10.0);
    Ok(Stretch { from_ms: number(from)?, to_ms: number(to)?, every_ms })
}

/// A span of time: digits and a unit, several of them in a row.
fn span(text: &str) -> Result<Millis, String> {
    let bad = || format!("`{text}` is no span of time; write {}", duration::ALLOWED);
    duration::parse(text).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_digits_and_units() {
        let spans = [("500ms", 500), ("90s", 90_000), ("10m", 600_000), ("1h30m", 5_400_000)];
        for (text, ms) in spans {
            assert_eq!(span(text), Ok(Millis::new(ms)));
        }
        for text in ["", "10", "ten minutes", "10 m", "5x"] {
            assert!(span(text).is_err(), "{text}");
        }
    }
}
