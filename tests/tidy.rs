//! The house keeps its own rules: who may import what, how long a file may be, which words don't appear.
//!
//! Everything is read off the text of the files; the tables below are the rules, and ARCHITECTURE.md section 5
//! gives their reasons. All problems are reported at once. How long a function may be is clippy's business
//! (clippy.toml), as is what the standard library has that the core must not use.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Everything that may stand in the project's root. Git ignores the last four.
const TOP_LEVEL: &[&str] = &[
    ".cargo",
    ".ci",
    ".gitattributes",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "STYLE.md",
    "Trunk.toml",
    "clippy.toml",
    "docs",
    "index.html",
    "rustfmt.toml",
    "src",
    "static",
    "tests",
    ".git",
    "dist",
    "target",
    "node_modules",
];

/// A folder of `src`: which other rooms it may name, and which texts it must not contain.
struct Room {
    name: &'static str,
    may: &'static [&'static str],
    never: &'static [(&'static str, &'static str)],
}

const BROWSER: &[(&str, &str)] = &[
    ("yew", "the core knows no browser"),
    ("web_sys", "the core knows no browser"),
    ("js_sys", "the core knows no browser"),
    ("wasm_bindgen", "the core knows no browser"),
    ("gloo", "the core knows no browser"),
    ("std::thread", "a thread of RocketMQ is a task on the agenda"),
    ("HashMap", "its order is chance"),
    ("HashSet", "its order is chance"),
    ("Instant", "the core has no clock but its own"),
    ("SystemTime", "the core has no clock but its own"),
    ("println!", "the core reports by events"),
    ("eprintln!", "the core reports by events"),
];

const MODEL: &[(&str, &str)] = &[
    ("f32", "the model counts in integers"),
    ("f64", "the model counts in integers"),
    ("async", "the model has no futures: put a task on the agenda"),
    ("await", "the model has no futures: put a task on the agenda"),
];

/// The rooms in reading order; each may also name itself. Test modules at the end of a file may name anything.
const ROOMS: &[Room] = &[
    Room { name: "model", may: &[], never: MODEL },
    Room { name: "sim", may: &["model"], never: MODEL },
    Room { name: "scenario", may: &["model", "sim"], never: &[] },
    Room { name: "oracle", may: &["model", "sim", "scenario"], never: &[] },
    Room { name: "recording", may: &["model", "sim", "scenario"], never: &[] },
    Room { name: "text", may: &["model"], never: &[] },
    Room {
        name: "scene",
        may: &["model", "sim", "recording", "text"],
        never: &[("&mut World", "the picture only reads")],
    },
    Room { name: "lesson", may: &["model", "sim", "scenario", "recording", "text"], never: &[] },
    Room {
        name: "app",
        may: &["model", "sim", "scenario", "oracle", "recording", "text", "scene", "lesson"],
        never: &[],
    },
    Room { name: "chart", may: &["scene", "text"], never: &[("yew", "charts are text")] },
    Room {
        name: "view",
        may: &["model", "scene", "lesson", "text", "app", "chart"],
        never: &[("Simulation", "the view draws what it is given")],
    },
    Room { name: "browser", may: &["app"], never: &[] },
];

/// Rooms that compile without the browser's half.
const CORE: &[&str] =
    &["model", "sim", "scenario", "oracle", "recording", "text", "scene", "lesson", "app"];

/// Single files that may do more than their room.
const MAY_ALSO: &[(&str, &str)] = &[("src/view/root.rs", "browser")];

/// A file is one concept. Its tests are not counted.
const LONGEST_FILE: usize = 500;

/// Names that say nothing.
const EMPTY_NAMES: &[&str] = &["utils", "util", "common", "helpers", "helper", "misc"];

/// Domain nouns are spelled out in public names (STYLE.md, section 11).
const SHORT_FORMS: &[(&str, &str)] =
    &[("mq", "message_queue"), ("pq", "process_queue"), ("cq", "consume_queue")];

/// Texts that no file of ours contains; the first part of each is split so that this one doesn't either.
const NOWHERE: &[(&str, &str, &str)] = &[
    ("TO", "DO", "do it, or write an issue"),
    ("FIX", "ME", "fix it, or write an issue"),
    ("#[ig", "nore", "a test runs or it is not there"),
    ("#[should_", "panic", "assert what comes back"),
    ("crates", ".io", "no file names a registry's host"),
    ("registry.", "npmjs", "no file names a registry's host"),
    ("npmmirror", ".com", "no file names a registry's host"),
    ("\"resol", "ved\":", "the lock file must not say where packages came from"),
    ("/ro", "ot/", "no file names a place on one machine"),
    ("/ho", "me/", "no file names a place on one machine"),
];

#[test]
fn the_house_is_tidy() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut problems = Vec::new();
    top_level_is_as_agreed(root, &mut problems);
    let rust = sources(root, "src", "rs");
    for source in &rust {
        rooms_keep_to_themselves(source, &mut problems);
        names_and_sizes(source, &mut problems);
        constants_have_sources(source, &mut problems);
    }
    every_file_is_a_module(&rust, &mut problems);
    for folder in ["src", "tests", "static", "docs", ".ci", ".cargo"] {
        for source in sources(root, folder, "") {
            nothing_banned(&source, &mut problems);
        }
    }
    for name in
        TOP_LEVEL.iter().filter(|name| name.contains('.') && !matches!(**name, "Cargo.lock"))
    {
        let read = fs::read_to_string(root.join(name));
        read.into_iter().for_each(|text| {
            nothing_banned(&Source { path: (*name).to_owned(), text }, &mut problems);
        });
    }
    assert!(problems.is_empty(), "{} problems:\n{}\n", problems.len(), problems.join("\n"));
}

/// A file, its path written from the root with forward slashes.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The code without comments, strings and the test module at the end; lines keep their numbers.
    fn code(&self) -> String {
        let text = self.text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
        without_comments_and_strings(text)
    }

    /// The module's path: `src/model/time.rs` is `["model", "time"]`.
    fn module(&self) -> Vec<&str> {
        let path = self.path.strip_prefix("src/").unwrap_or(&self.path).trim_end_matches(".rs");
        let mut parts = path.split('/').collect::<Vec<_>>();
        if matches!(parts.last(), Some(&("mod" | "lib" | "main"))) {
            parts.pop();
        }
        parts
    }

    fn problem(&self, line: usize, what: &str) -> String {
        format!("{}:{}: {what}", self.path, line + 1)
    }
}

/// All files with this extension below a folder; with no extension, all that are text.
fn sources(root: &Path, folder: &str, extension: &str) -> Vec<Source> {
    let mut open = vec![root.join(folder)];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path())
        {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if !["node_modules", "out"].contains(&name.as_str()) {
                    open.push(path);
                }
            } else if extension.is_empty()
                || path.extension().is_some_and(|found| found == extension)
            {
                found.push(path);
            }
        }
    }
    found.sort();
    let relative = |path: &PathBuf| {
        path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
    };
    found
        .iter()
        .filter_map(|path| {
            Some(Source { path: relative(path), text: fs::read_to_string(path).ok()? })
        })
        .collect()
}

fn top_level_is_as_agreed(root: &Path, problems: &mut Vec<String>) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !TOP_LEVEL.contains(&name.as_str()) {
            problems.push(format!("{name}: not on the list of what stands at the top level"));
        }
    }
}

fn rooms_keep_to_themselves(source: &Source, problems: &mut Vec<String>) {
    let module = source.module();
    let Some(room) = ROOMS.iter().find(|room| Some(&room.name) == module.first()) else { return };
    let code = source.code();
    for (line, text) in code.lines().enumerate() {
        let core: &[_] = if CORE.contains(&room.name) { BROWSER } else { &[] };
        for (word, why) in room.never.iter().chain(core) {
            if words_of(text, word) {
                problems.push(
                    source.problem(line, &format!("{} must not name {word}: {why}", room.name)),
                );
            }
        }
    }
    for (line, named) in rooms_named(&code, module.len()) {
        let is_known = ROOMS.iter().any(|room| room.name == named);
        let is_allowed = named == room.name
            || room.may.contains(&named.as_str())
            || MAY_ALSO.contains(&(source.path.as_str(), named.as_str()));
        if is_known && !is_allowed {
            let may =
                if room.may.is_empty() { "no other room".to_owned() } else { room.may.join(", ") };
            problems.push(
                source.problem(line, &format!("{} may name {may}, but not {named}", room.name)),
            );
        }
    }
}

/// Whether a text contains `word`, not as a part of a longer name.
fn words_of(text: &str, word: &str) -> bool {
    let in_name =
        |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let gloo = word == "gloo"; // a family of crates
    text.match_indices(word).any(|(at, _)| {
        let after = text[at + word.len()..].chars().next();
        !in_name(text[..at].chars().next_back()) && (gloo || word.ends_with('!') || !in_name(after))
    })
}

/// The first names after `crate::` (or after as many `super::` as lead to the crate), with their lines.
fn rooms_named(code: &str, depth: usize) -> Vec<(usize, String)> {
    let line_of = |at: usize| code[..at].matches('\n').count();
    let supers = "super::".repeat(depth.max(1));
    let mut found = Vec::new();
    for root in ["crate::", supers.as_str()] {
        for (at, _) in code.match_indices(root) {
            if code[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':')) {
                continue;
            }
            let rest = &code[at + root.len()..];
            let names = match rest.strip_prefix('{') {
                Some(group) => heads_of_group(group),
                None => vec![name_at(rest)],
            };
            found.extend(names.into_iter().map(|name| (line_of(at), name.to_owned())));
        }
    }
    found
}

/// The first name of each member of a `{…}` group whose opening brace is already gone.
fn heads_of_group(group: &str) -> Vec<&str> {
    let mut heads = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                heads.push(name_at(group[start..at].trim_start()));
                start = at + 1;
                if character == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    heads
}

fn name_at(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

fn names_and_sizes(source: &Source, problems: &mut Vec<String>) {
    let code = source.code();
    let length = code.lines().count();
    if length > LONGEST_FILE {
        problems.push(format!(
            "{}: {length} lines; {LONGEST_FILE} is the most, without tests",
            source.path
        ));
    }
    if !source.text.starts_with("//!") {
        problems.push(source.problem(
            0,
            "starts with a module comment: what it is, where it stands, what it never imports",
        ));
    }
    for part in source.module() {
        if EMPTY_NAMES.contains(&part) {
            problems.push(format!("{}: \"{part}\" says nothing; what is it?", source.path));
        }
    }
    for (line, text) in code.lines().enumerate() {
        let Some(name) = public_name(text) else { continue };
        for (short, long) in SHORT_FORMS {
            if name.split('_').any(|part| part == *short) {
                problems.push(source.problem(line, &format!("`{name}`: spell out {long}")));
            }
        }
    }
}

/// The name that a line makes public, in lower case with underscores.
fn public_name(line: &str) -> Option<String> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let kinds = ["fn", "const", "static", "struct", "enum", "trait", "type", "mod"];
    let mut words = rest.split_whitespace().skip_while(|word| kinds.contains(word));
    let name = name_at(words.next()?);
    let mut snake = String::new();
    for (at, character) in name.char_indices() {
        if character.is_uppercase() && at > 0 && name.chars().any(char::is_lowercase) {
            snake.push('_');
        }
        snake.extend(character.to_lowercase());
    }
    Some(snake)
}

/// Each of RocketMQ's numbers says where in the Java it stands.
fn constants_have_sources(source: &Source, problems: &mut Vec<String>) {
    if !source.path.starts_with("src/model/constants/") {
        return;
    }
    let mut has_source = false;
    for (line, text) in source.text.lines().enumerate() {
        let text = text.trim_start();
        if text.starts_with("///") {
            has_source |= text.contains("Source:");
        } else if !text.is_empty() {
            let name = name_at(text);
            if text[name.len()..].starts_with(" -> ") && !has_source {
                problems.push(
                    source
                        .problem(line, &format!("`{name}` has no line \"Source: `Class.name`.\"")),
                );
            }
            has_source = false;
        }
    }
}

/// A file that no `mod` names is dead.
fn every_file_is_a_module(all: &[Source], problems: &mut Vec<String>) {
    let known = all.iter().map(Source::module).collect::<BTreeSet<_>>();
    for source in all {
        let module = source.module();
        let Some((name, parent)) = module.split_last().filter(|_| module[0] != "bin") else {
            continue;
        };
        let declares =
            |file: &Source| file.module() == parent && words_of(&file.text, &format!("mod {name}"));
        if !(known.contains(parent) || parent.is_empty()) || !all.iter().any(declares) {
            problems.push(format!("{}: no `mod {name};` names it", source.path));
        }
    }
}

fn nothing_banned(source: &Source, problems: &mut Vec<String>) {
    for (line, text) in source.text.lines().enumerate() {
        for (start, end, why) in NOWHERE {
            let word = format!("{start}{end}");
            if text.contains(&word) {
                problems.push(source.problem(line, &format!("contains {word}: {why}")));
            }
        }
    }
}

/// Blanks out comments, strings and characters, keeping lines.
fn without_comments_and_strings(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(hashes) = raw_string(rest) {
            let end = format!("\"{}", "#".repeat(hashes));
            let open = hashes + 2;
            rest[open..].find(&end).map_or(rest.len(), |at| open + at + end.len())
        } else if character == '"' {
            string_length(rest)
        } else if character == '\'' {
            character_length(rest)
        } else {
            0
        };
        if skipped == 0 {
            code.push(character);
            rest = &rest[character.len_utf8()..];
        } else {
            code.push(' ');
            code.extend(rest[..skipped].chars().filter(|c| *c == '\n'));
            rest = &rest[skipped..];
        }
    }
    code
}

/// The number of hashes when a raw string starts here.
fn raw_string(text: &str) -> Option<usize> {
    let after = text.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then_some(hashes)
}

fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character literal, or 0 for a lifetime.
fn character_length(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), Some(_)) => text[3..].find('\'').map_or(0, |at| at + 4),
        (Some(_), Some((at, '\''))) => at + 1,
        _ => 0,
    }
}

#[test]
fn imports_are_seen_through_groups_comments_and_supers() {
    let code = without_comments_and_strings(
        "use crate::{model::{Millis, ids}, sim};\n// crate::view\nlet a = (\"crate::app\", '\"', super::super::text::say);\n",
    );
    let named = rooms_named(&code, 2)
        .into_iter()
        .map(|(line, name)| format!("{line} {name}"))
        .collect::<Vec<_>>();
    assert_eq!(named, ["0 model", "0 sim", "2 text"]);
}

#[test]
fn public_names_are_read_in_parts() {
    let read = |line: &str| public_name(line).unwrap_or_default();
    assert_eq!(read("    pub fn take_pq(&self)"), "take_pq");
    assert_eq!(read("pub struct ProcessMq {"), "process_mq");
    assert_eq!(read("pub const MSG_BYTES: u32 = 1;"), "msg_bytes");
    assert_eq!(read("    pub offset: u32,"), "offset");
}
