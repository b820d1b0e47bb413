//! The tables of `docs/fidelity.md`: written by the traces step of `cargo verify`, and stale if it would write
//! them otherwise.

use std::fs;

use crate::process::{Failure, root};

/// With this in the environment the tables are written anew instead of compared.
const UPDATE: &str = "UPDATE_FIDELITY";

/// Rows by table: one for each trace, one for each exception.
#[derive(Default)]
pub struct Tables {
    traces: Vec<String>,
    exceptions: Vec<String>,
}

impl Tables {
    /// Takes what `headless --against TRACE --rows` printed.
    pub fn take(&mut self, told: &str) {
        let mut rows = told.lines().filter(|line| line.starts_with('|')).map(str::to_owned);
        self.traces.extend(rows.next());
        self.exceptions.extend(rows);
    }

    /// Writes or compares. `Err` says what is stale.
    pub fn settle(&self) -> Result<(), Failure> {
        let path = root().join("docs").join("fidelity.md");
        let old = fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let new = replaced(&old, "traces", &self.traces)?;
        let new = replaced(&new, "exceptions", &self.exceptions)?;
        if old == new {
            return Ok(());
        }
        if std::env::var_os(UPDATE).is_some() {
            fs::write(&path, new).map_err(|error| error.to_string())?;
            println!("    docs/fidelity.md is written anew");
            return Ok(());
        }
        let line = old.lines().zip(new.lines()).position(|(old, new)| old != new).unwrap_or(0) + 1;
        let text =
            format!("docs/fidelity.md is stale from line {line} on; {UPDATE}=1 writes it anew");
        Err(text.into())
    }
}

/// The text with the rows of a table between its two marks put anew; its head of two lines stays.
fn replaced(text: &str, table: &str, rows: &[String]) -> Result<String, Failure> {
    let marks = [format!("<!-- {table} -->\n"), format!("<!-- end of {table} -->")];
    let find = |mark: &String| {
        text.find(mark).ok_or_else(|| format!("docs/fidelity.md has no mark `{}`", mark.trim()))
    };
    let (from, to) = (find(&marks[0])? + marks[0].len(), find(&marks[1])?);
    let head = text[from..to].split_inclusive('\n').take(2).collect::<String>();
    let rows = rows.iter().map(|row| format!("{row}\n")).collect::<String>();
    Ok(format!("{}{head}{rows}{}", &text[..from], &text[to..]))
}
