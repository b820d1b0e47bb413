//! What a person chose for good: language, theme, motion, pace. Kept by the browser, never in a link.

use serde::{Deserialize, Serialize};

use super::player::Pace;
use crate::text::Language;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    /// As the system says.
    #[default]
    System,
    Light,
    Dark,
    /// White, thicker, larger contrast: for a weak projector.
    Projector,
}

impl Theme {
    /// The ones that are offered, in the order of the control.
    pub const OFFERED: [Theme; 3] = [Theme::Light, Theme::Dark, Theme::Projector];

    /// The value of `data-theme`; `None` leaves the choice to the system.
    pub const fn attribute(self) -> Option<&'static str> {
        match self {
            Theme::System => None,
            Theme::Light => Some("light"),
            Theme::Dark => Some("dark"),
            Theme::Projector => Some("projector"),
        }
    }

    /// What the system's wish comes to.
    pub const fn resolved(self, prefers_dark: bool) -> Theme {
        match (self, prefers_dark) {
            (Theme::System, true) => Theme::Dark,
            (Theme::System, false) => Theme::Light,
            (chosen, _) => chosen,
        }
    }

    pub const fn next(self) -> Theme {
        match self {
            Theme::Light | Theme::System => Theme::Dark,
            Theme::Dark => Theme::Projector,
            Theme::Projector => Theme::Light,
        }
    }
}

/// Whether things move between two events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Motion {
    /// As the system says (`prefers-reduced-motion`).
    #[default]
    System,
    Full,
    /// Each step is a cut (UX 15.2).
    Still,
}

/// A setting that is absent in the store has its default, so older stores stay readable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// `None`: the browser's.
    pub language: Option<Language>,
    pub theme: Theme,
    pub motion: Motion,
    pub pace: Pace,
    /// Single keys act; can be switched off (WCAG 2.1.4).
    pub single_keys: bool,
    /// Playing stops where a check breaks.
    pub stops_at_break: bool,
    /// A reader of traditional Chinese characters was told that the text has simplified ones.
    pub told_script: bool,
    /// Captions wait until they are asked for: the class guesses first.
    pub captions_wait: bool,
    /// The time bar and the log do not show what is still to come.
    pub hides_future: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            language: None,
            theme: Theme::System,
            motion: Motion::System,
            pace: Pace::One,
            single_keys: true,
            stops_at_break: false,
            told_script: false,
            captions_wait: false,
            hides_future: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_an_older_page_are_still_read() {
        let read: Settings =
            serde_json::from_str(r#"{"theme":"Dark","gone":1}"#).expect("readable");
        assert_eq!(read, Settings { theme: Theme::Dark, ..Settings::default() });
    }
}
