//! Pieces of TOML text.

use crate::scenario::property::{Property, Setting};

/// A text that grows table by table.
#[derive(Clone, Debug, Default)]
pub struct Text {
    text: String,
}

impl Text {
    /// Begins `[[kind]]`.
    pub fn table(&mut self, kind: &str) {
        self.text.push_str(&format!("\n[[{kind}]]\n"));
    }

    /// Begins `[key]`.
    pub fn single(&mut self, key: &str) {
        self.text.push_str(&format!("\n[{key}]\n"));
    }

    /// `key = value`; the value is TOML already.
    pub fn field(&mut self, name: &str, value: &str) {
        self.text.push_str(&format!("{} = {value}\n", key(name)));
    }

    /// Every property that differs from the default.
    pub fn properties<C>(&mut self, table: &'static [Property<C>], config: &C, default: &C) {
        for property in table {
            let setting = (property.get)(config);
            if setting != (property.get)(default) {
                self.field(property.name, &setting_text(&setting));
            }
        }
    }

    pub fn finish(self) -> String {
        self.text
    }
}

fn setting_text(setting: &Setting) -> String {
    match setting {
        Setting::Integer(number) => number.to_string(),
        Setting::Flag(flag) => flag.to_string(),
        Setting::Word(word) => quoted(word),
    }
}

/// A key, in quotes if it needs them.
pub fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { quoted(name) }
}

/// A text in quotes.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// `["a", "b"]`.
pub fn list(texts: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", texts.into_iter().collect::<Vec<_>>().join(", "))
}

/// The first word for a value.
pub fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: T) -> &'static str {
    let found = words.iter().find(|(_, known)| *known == value);
    found.map(|(word, _)| *word).expect("each value has its word")
}
