//! `Route` ↔ the text after '#'. Content is in the fragment alone: nothing reaches a server, and any
//! static host works (UX 13.1).

use super::mark_text;
use crate::model::time::Millis;
use crate::scene::mark::MarkId;

/// A page, or a run at a moment.
#[derive(Clone, Debug, PartialEq)]
pub enum Route {
    Start,
    Help,
    /// A preset by its name, as the start page's anchors say it: `#/p/poison-message?t=20.350`.
    Preset {
        name: String,
        moment: Option<Moment>,
        selected: Option<MarkId>,
    },
    /// Any run: `#/r/1…?t=20.350&e=312&sel=msg.7`.
    Run(RunAddress),
    /// Nothing that we know; shown as text.
    Unknown(String),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunAddress {
    /// What `scenario::link` reads, its format letter first.
    pub packed: String,
    pub moment: Option<Moment>,
    pub selected: Option<MarkId>,
    /// What we do not know is kept and ignored.
    pub unknown: Vec<String>,
}

/// A place in a run: between the event that was told last and the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    pub at: Millis,
    /// Several events can lie in one millisecond; this is the last that was told.
    pub event: Option<u32>,
}

impl Moment {
    fn pairs(&self) -> Vec<String> {
        let mut pairs = vec![format!("t={}.{:03}", self.at.ms() / 1_000, self.at.ms() % 1_000)];
        pairs.extend(self.event.map(|event| format!("e={event}")));
        pairs
    }
}

/// The longest text that is looked at at all.
pub const LONGEST_HASH: usize = 16 * 1_024;

impl Route {
    /// Reads the text after '#', with or without it.
    pub fn parse(hash: &str) -> Route {
        let text = hash.strip_prefix('#').unwrap_or(hash);
        if text.is_empty() || text == "/" {
            return Route::Start;
        }
        if text.len() > LONGEST_HASH {
            return Route::Unknown(text.chars().take(200).collect());
        }
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        if path == "/help" {
            return Route::Help;
        }
        if let Some(name) = path.strip_prefix("/p/") {
            let RunAddress { moment, selected, .. } = RunAddress::parse("", query);
            return Route::Preset { name: name.to_owned(), moment, selected };
        }
        match path.strip_prefix("/r/") {
            Some(packed) if !packed.is_empty() => Route::Run(RunAddress::parse(packed, query)),
            _ => Route::Unknown(text.to_owned()),
        }
    }

    /// The text after '#'.
    pub fn to_text(&self) -> String {
        match self {
            Route::Start => "/".to_owned(),
            Route::Help => "/help".to_owned(),
            Route::Preset { name, moment, selected } => {
                format!("/p/{name}{}", query(*moment, selected.as_ref(), &[]))
            }
            Route::Run(run) => run.to_text(),
            Route::Unknown(text) => text.clone(),
        }
    }
}

impl RunAddress {
    fn parse(packed: &str, query: &str) -> RunAddress {
        let mut run = RunAddress { packed: packed.to_owned(), ..RunAddress::default() };
        let (mut at, mut event) = (None, None);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("t", value)) => at = seconds(value),
                Some(("e", value)) => event = value.parse().ok(),
                Some(("sel", value)) => run.selected = mark_text::read(value),
                _ => run.unknown.push(pair.to_owned()),
            }
        }
        run.moment = at.map(|at| Moment { at, event });
        run
    }

    fn to_text(&self) -> String {
        let query = query(self.moment, self.selected.as_ref(), &self.unknown);
        format!("/r/{}{query}", self.packed)
    }
}

/// What stands after the path, with its question mark.
fn query(moment: Option<Moment>, selected: Option<&MarkId>, unknown: &[String]) -> String {
    let mut pairs: Vec<String> = Vec::new();
    pairs.extend(moment.iter().flat_map(Moment::pairs));
    pairs.extend(selected.map(|mark| format!("sel={}", mark_text::write(mark))));
    pairs.extend(unknown.iter().cloned());
    let mark = if pairs.is_empty() { "" } else { "?" };
    format!("{mark}{}", pairs.join("&"))
}

/// `20.350` or `20` in milliseconds.
fn seconds(text: &str) -> Option<Millis> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if part.len() > 3 || !part.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let thousandths: u64 = format!("{part:0<3}").parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(1_000)?.checked_add(thousandths).map(Millis::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::UniqueKey;

    #[test]
    fn routes_come_back_from_their_text() {
        let run = RunAddress {
            packed: "1AbC-_9".into(),
            moment: Some(Moment { at: Millis::new(20_350), event: Some(312) }),
            selected: Some(MarkId::Message(UniqueKey(7))),
            unknown: vec!["view=seq".into()],
        };
        let plain = RunAddress { packed: "1x".into(), ..RunAddress::default() };
        let preset = |moment, selected| {
            let name = "happy-path".into();
            Route::Preset { name, moment, selected }
        };
        let at = Moment { at: Millis::new(1_002), event: None };
        let routes = [
            Route::Start,
            Route::Help,
            preset(None, None),
            preset(Some(at), None),
            preset(None, Some(MarkId::Message(UniqueKey(7)))),
            preset(Some(at), Some(MarkId::Message(UniqueKey(7)))),
            Route::Run(run),
            Route::Run(plain),
        ];
        for route in routes {
            assert_eq!(Route::parse(&format!("#{}", route.to_text())), route);
        }
    }

    #[test]
    fn a_hand_edited_moment_is_read_and_a_wrong_one_ignored() {
        let moment = |query: &str| match Route::parse(&format!("#/r/1x?{query}")) {
            Route::Run(run) => run.moment.map(|moment| moment.at.ms()),
            other => panic!("{other:?}"),
        };
        assert_eq!(moment("t=62.35"), Some(62_350));
        assert_eq!(moment("t=7"), Some(7_000));
        assert_eq!(moment("t=7.12345"), None);
        assert_eq!(moment("t=-1"), None);
        assert_eq!(moment("t=99999999999999999999"), None);
    }

    #[test]
    fn what_nobody_knows_is_kept_as_text() {
        assert_eq!(Route::parse("#/x/y"), Route::Unknown("/x/y".into()));
        assert_eq!(Route::parse("#/r/"), Route::Unknown("/r/".into()));
        assert_eq!(Route::parse(""), Route::Start);
    }
}
