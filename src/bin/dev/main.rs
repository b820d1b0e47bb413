//! The README's commands, behind the aliases in `.cargo/config.toml`.
//!
//! `cargo play` installs what is missing, builds the page and serves it; `cargo verify` installs what the
//! tests need and runs all of them; `cargo numbers` prints the sizes of the page and the engine's speed.
//! Rust and Node are the only prerequisites, on Linux, macOS and Windows alike, so nothing here relies on a
//! shell. Tools that a machine lacks go into a folder of the user's cache, never into the project.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a tool of the desktop: it talks to a terminal and measures how long things take"
)]

mod browser_tools;
mod fidelity;
mod play;
mod process;
mod rust_tools;
mod search;
mod verify;

use std::process::ExitCode;

const HELP: &str = "\
cargo play [--port 8080] [--no-open] [--debug]
    Installs what is missing, builds the page, serves it on 127.0.0.1 and opens the browser.
    --debug builds faster and runs slower.

cargo verify [--list] [--only STEP]... [--keep-going]
    Installs what the tests need and runs all of them.

cargo verify --only random [--runs 100000] [--seed N]
cargo verify --only why [--runs 100000] [--seed N]
cargo verify --only day
    Searches longer than the tests do: random scenarios with faults; why-chains whose roots are taken away; 24
    virtual hours with a fault a minute.

cargo numbers
    Prints the sizes of the built page (raw, gzip, brotli) and the engine's tasks per second.

RMQ_PLAYGROUND_TOOLS names the folder for installed tools, CHROMIUM the browser for the tests.";

fn main() -> ExitCode {
    let outcome = match Request::parse(lexopt::Parser::from_env()) {
        Ok(Request::Help) => {
            println!("{HELP}");
            Ok(())
        }
        Ok(Request::Play(options)) => play::play(&options),
        Ok(Request::Verify(options)) => verify::verify(&options),
        Ok(Request::Numbers) => verify::numbers(),
        Err(problem) => Err(format!("{problem}\n\n{HELP}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(advice) => {
            if !advice.is_empty() {
                eprintln!("\n{advice}");
            }
            ExitCode::FAILURE
        }
    }
}

/// What the person asked for.
enum Request {
    Help,
    Play(play::Options),
    Verify(verify::Options),
    Numbers,
}

impl Request {
    fn parse(mut arguments: lexopt::Parser) -> Result<Self, lexopt::Error> {
        use lexopt::prelude::*;
        let Some(Value(command)) = arguments.next()? else { return Ok(Self::Help) };
        match command.string()?.as_str() {
            "play" => {
                let mut options = play::Options::default();
                while let Some(argument) = arguments.next()? {
                    match argument {
                        Long("port") => options.port = arguments.value()?.parse()?,
                        Long("no-open") => options.opens_browser = false,
                        Long("debug") => options.is_debug = true,
                        Long("help") | Short('h') => return Ok(Self::Help),
                        other => return Err(other.unexpected()),
                    }
                }
                Ok(Self::Play(options))
            }
            "verify" => {
                let mut options = verify::Options::default();
                while let Some(argument) = arguments.next()? {
                    match argument {
                        Long("list") => options.lists = true,
                        Long("only") => options.only.push(arguments.value()?.string()?),
                        Long("keep-going") => options.keeps_going = true,
                        Long("runs") => options.search.runs = arguments.value()?.parse()?,
                        Long("seed") => options.search.seed = arguments.value()?.parse()?,
                        Long("help") | Short('h') => return Ok(Self::Help),
                        other => return Err(other.unexpected()),
                    }
                }
                Ok(Self::Verify(options))
            }
            "numbers" => Ok(Self::Numbers),
            "help" => Ok(Self::Help),
            other => Err(format!("There is no command \"{other}\".").into()),
        }
    }
}
