//! The native runner: a preset or a scenario file in; event log, trace, digest or numbers out. And the
//! comparison with a recorded run of the real RocketMQ.
//!
//! Exit status: 0 all is well (with `--against`: the runs agree; with `--expect`: every line holds), 1 not
//! so, 2 bad input.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program of the terminal: it reads files and prints"
)]

mod against;
mod arguments;
mod expect;
mod gap_table;
mod log;
mod run;
mod sheet;
mod source;
mod speed;

use std::process::ExitCode;

use arguments::{Arguments, Task};

/// The runs differ, or an expectation fails.
const DIFFERS: u8 = 1;
/// Something that was given cannot be used.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let outcome =
        Arguments::parse(lexopt::Parser::from_env()).and_then(|arguments| match &arguments.task {
            Task::Help => {
                println!("{}", arguments::HELP);
                Ok(true)
            }
            Task::Run(what) => run::run(what, &arguments).map(|()| true),
            Task::Against(files) => against::against(files, &arguments),
            Task::Expect(files) => expect::expect(files, &arguments),
            Task::MakeGapTable(folder) => gap_table::make(folder).map(|()| true),
        });
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(DIFFERS),
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(BAD_INPUT)
        }
    }
}
