//! Running other programs: their output stays on the screen, long silences get a line of our own, and what
//! they say of passed and failed tests is added up.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a program may be silent before we say that it still runs.
const SILENCE: Duration = Duration::from_secs(30);

/// Tests that a program reported.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub passed: u32,
    pub failed: u32,
}

impl Counts {
    /// A check that is one thing and has passed.
    pub const ONE: Self = Self { passed: 1, failed: 0 };

    pub fn plus(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }

    /// Reads the closing lines of `cargo test` (`test result: ok. 3 passed; 0 failed; …`), of the browser
    /// tests (`browser: 3 passed, 0 failed`) and of their like; any other line counts nothing.
    fn of_line(line: &str) -> Self {
        let before = |word: &str| -> Option<u32> {
            line.split_once(word)?.0.rsplit([' ', '.']).next()?.parse().ok()
        };
        match (before(" passed"), before(" failed")) {
            (Some(passed), Some(failed)) => Self { passed, failed },
            _ => Self::default(),
        }
    }
}

/// Why a command or a step did not succeed: what to tell the person, and the tests that did run.
#[derive(Debug)]
pub struct Failure {
    pub counts: Counts,
    pub advice: String,
}

impl From<String> for Failure {
    fn from(advice: String) -> Self {
        Self { counts: Counts::default(), advice }
    }
}

/// The project's root folder: `cargo run` tells it, and nothing else needs to be guessed.
pub fn root() -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("."), PathBuf::from)
}

/// The cargo that runs us, started in the project's root.
pub fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = program(Path::new(&cargo));
    command.args(arguments);
    command
}

/// A program, started in the project's root, without what `cargo run` put into our environment about *this*
/// binary.
pub fn program(path: &Path) -> Command {
    let mut command = Command::new(path);
    command.current_dir(root());
    for (name, _) in std::env::vars_os() {
        let is_ours = |start: &str| name.to_str().is_some_and(|name| name.starts_with(start));
        if is_ours("CARGO_PKG_") || is_ours("CARGO_MANIFEST_") || is_ours("CARGO_BIN_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Runs a program quietly and returns what it printed; `None` when it is missing or fails.
pub fn output(command: &mut Command) -> Option<String> {
    let output = command.stderr(Stdio::null()).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a program to its end, its output on the screen. Fails with a sentence that names the command.
pub fn run(command: &mut Command) -> Result<Counts, Failure> {
    let line = shown(command);
    println!("    $ {line}");
    let started = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|problem| format!("Could not start `{line}`: {problem}"))?;

    let (sender, lines) = channel();
    let stdout = child.stdout.take().expect("stdout was asked for as a pipe");
    thread::spawn(move || {
        for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                return;
            }
        }
    });
    let mut counts = Counts::default();
    loop {
        match lines.recv_timeout(SILENCE) {
            Ok(text) => {
                println!("{}", text.trim_end_matches('\r'));
                counts = counts.plus(Counts::of_line(&text));
            }
            Err(RecvTimeoutError::Timeout) => {
                println!("    ... still at it, {} so far", lasted(started.elapsed()));
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }

    let status = child.wait().map_err(|problem| format!("Lost `{line}`: {problem}"))?;
    if status.success() {
        Ok(counts)
    } else {
        Err(Failure { counts, advice: format!("`{line}` failed ({status}).") })
    }
}

/// A command as one would type it.
fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    std::iter::once(program)
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .map(|word| if word.contains(' ') { format!("\"{word}\"") } else { word.into_owned() })
        .collect::<Vec<_>>()
        .join(" ")
}

/// A duration as people say it.
pub fn lasted(duration: Duration) -> String {
    match duration.as_secs() {
        0..2 => format!("{:.1} s", duration.as_secs_f32()),
        seconds @ 2..120 => format!("{seconds} s"),
        seconds => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_of_all_test_programs_are_counted() {
        let counted = |line: &str| {
            let counts = Counts::of_line(line);
            (counts.passed, counts.failed)
        };
        assert_eq!(counted("test result: ok. 12 passed; 1 failed; 0 ignored; 0 measured"), (12, 1));
        assert_eq!(counted("browser: 3 passed, 0 failed"), (3, 0));
        assert_eq!(counted("test wasm::three_passed ... ok"), (0, 0));
    }

    #[test]
    fn durations_read_like_speech() {
        assert_eq!(lasted(Duration::from_millis(400)), "0.4 s");
        assert_eq!(lasted(Duration::from_secs(65)), "65 s");
        assert_eq!(lasted(Duration::from_secs(185)), "3 min 05 s");
    }
}
