//! The keyboard map: one table, from which keys are handled and the help page is written (UX 4).

use super::action::{Action, DockTab, RailTab, Step};
pub use crate::text::help::KeyDeed;

/// A key as the browser names it (`KeyboardEvent.key`), with what was held down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPress {
    pub key: String,
    pub shift: bool,
    pub ctrl: bool,
    pub alt: bool,
    /// It went to a field, a button or a list that knows what to do with it.
    pub in_field: bool,
}

/// One line of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyLine {
    pub key: &'static str,
    pub shift: bool,
    pub ctrl: bool,
    pub deed: KeyDeed,
}

const fn plain(key: &'static str, deed: KeyDeed) -> KeyLine {
    KeyLine { key, shift: false, ctrl: false, deed }
}

const fn shift(key: &'static str, deed: KeyDeed) -> KeyLine {
    KeyLine { key, shift: true, ctrl: false, deed }
}

const fn ctrl(key: &'static str, deed: KeyDeed) -> KeyLine {
    KeyLine { key, shift: false, ctrl: true, deed }
}

/// In the order of the help page.
pub const KEYS: &[KeyLine] = &[
    plain(" ", KeyDeed::PlayOrPause),
    plain("ArrowRight", KeyDeed::Step),
    plain("ArrowLeft", KeyDeed::StepBack),
    shift("ArrowRight", KeyDeed::StepKey),
    shift("ArrowLeft", KeyDeed::StepKeyBack),
    plain("Home", KeyDeed::Start),
    plain("End", KeyDeed::End),
    plain("G", KeyDeed::GoToTime),
    plain("PageDown", KeyDeed::NextMark),
    plain("PageUp", KeyDeed::PreviousMark),
    plain("N", KeyDeed::NextMark),
    plain("P", KeyDeed::PreviousMark),
    plain("-", KeyDeed::Slower),
    plain("+", KeyDeed::Faster),
    plain("F", KeyDeed::NextFold),
    plain("I", KeyDeed::Inspect),
    plain("D", KeyDeed::Do),
    plain("W", KeyDeed::Why),
    plain("1", KeyDeed::Log),
    plain("2", KeyDeed::Charts),
    plain("3", KeyDeed::Sequence),
    plain("4", KeyDeed::Checks),
    plain("Z", KeyDeed::Zoom),
    plain("B", KeyDeed::Blank),
    // What presenters' remotes send.
    plain(".", KeyDeed::Blank),
    plain("H", KeyDeed::Caption),
    plain("U", KeyDeed::Future),
    plain("L", KeyDeed::Language),
    plain("T", KeyDeed::Theme),
    plain("C", KeyDeed::CopyLink),
    ctrl("Z", KeyDeed::Undo),
    ctrl("Y", KeyDeed::Redo),
    plain("Escape", KeyDeed::Deselect),
    plain("?", KeyDeed::Help),
];

impl KeyLine {
    /// As it stands on the keyboard: `Shift + →`.
    pub fn caption(&self) -> String {
        let key = match self.key {
            " " => "Space",
            "ArrowRight" => "→",
            "ArrowLeft" => "←",
            "-" => "−",
            "Escape" => "Esc",
            "PageDown" => "Page ↓",
            "PageUp" => "Page ↑",
            other => other,
        };
        match (self.shift, self.ctrl) {
            (true, _) => format!("Shift + {key}"),
            (_, true) => format!("Ctrl + {key}"),
            _ => key.to_owned(),
        }
    }

    fn fits(&self, press: &KeyPress) -> bool {
        let same =
            self.key.eq_ignore_ascii_case(&press.key) || (self.key == "+" && press.key == "=");
        // Signs like `?` and `+` may need Shift on one keyboard and not on another.
        let is_sign = self.key.len() == 1 && !self.key.as_bytes()[0].is_ascii_alphanumeric();
        same && self.ctrl == press.ctrl
            && (self.shift == press.shift || (is_sign && self.key != " "))
    }
}

/// What a key press means, if anything.
///
/// In a field no key of ours acts. With `single_keys` off only those do that are no letter, digit
/// or sign (WCAG 2.1.4).
pub fn deed(press: &KeyPress, single_keys: bool) -> Option<KeyDeed> {
    if press.in_field || press.alt {
        return None;
    }
    let line = KEYS.iter().find(|line| line.fits(press))?;
    let is_single = line.key.chars().count() == 1 && !line.ctrl && line.key != " ";
    (single_keys || !is_single).then_some(line.deed)
}

/// The action of a deed that needs no knowledge of the page's state.
pub fn action(deed: KeyDeed) -> Option<Action> {
    Some(match deed {
        KeyDeed::PlayOrPause => Action::PressedPlay,
        KeyDeed::Step => Action::Stepped(Step::Event),
        KeyDeed::StepBack => Action::Stepped(Step::EventBack),
        KeyDeed::StepKey => Action::Stepped(Step::Key),
        KeyDeed::StepKeyBack => Action::Stepped(Step::KeyBack),
        KeyDeed::NextMark => Action::WalkedOn,
        KeyDeed::PreviousMark => Action::WalkedBack,
        KeyDeed::Start => Action::Stepped(Step::Start),
        KeyDeed::End => Action::Stepped(Step::End),
        KeyDeed::NextFold => Action::Stepped(Step::Fold),
        KeyDeed::Inspect => Action::ChoseRail(RailTab::Inspect),
        KeyDeed::Why => Action::AskedWhy(None),
        KeyDeed::Log => Action::ChoseDock(DockTab::Log),
        KeyDeed::Charts => Action::ChoseDock(DockTab::Charts),
        KeyDeed::Sequence => Action::ChoseDock(DockTab::Sequence),
        KeyDeed::Checks => Action::ChoseDock(DockTab::Checks),
        KeyDeed::CopyLink => Action::PressedShare,
        KeyDeed::Undo => Action::PressedUndo,
        KeyDeed::Redo => Action::PressedRedo,
        KeyDeed::Deselect => Action::Selected(None),
        KeyDeed::Help => Action::OpenedHelp,
        KeyDeed::GoToTime => Action::OpenedTimeField,
        KeyDeed::Zoom => Action::ToggledZoom,
        KeyDeed::Blank => Action::Blanked(true),
        KeyDeed::Caption => Action::ToggledCaption,
        KeyDeed::Future => Action::ToggledFuture,
        KeyDeed::Do | KeyDeed::Slower | KeyDeed::Faster | KeyDeed::Language | KeyDeed::Theme => {
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(key: &str) -> KeyPress {
        KeyPress { key: key.into(), shift: false, ctrl: false, alt: false, in_field: false }
    }

    #[test]
    fn each_line_of_the_table_is_found_by_its_own_key_and_by_no_other() {
        for (at, line) in KEYS.iter().enumerate() {
            let press = KeyPress { shift: line.shift, ctrl: line.ctrl, ..press(line.key) };
            let found = KEYS.iter().position(|line| line.fits(&press));
            assert_eq!(found, Some(at), "{}", line.caption());
        }
    }

    #[test]
    fn a_field_keeps_its_keys() {
        assert_eq!(deed(&KeyPress { in_field: true, ..press(" ") }, true), None);
        assert_eq!(deed(&press(" "), true), Some(KeyDeed::PlayOrPause));
    }

    #[test]
    fn single_keys_can_be_switched_off_and_arrows_stay() {
        assert_eq!(deed(&press("l"), false), None);
        assert_eq!(deed(&press("l"), true), Some(KeyDeed::Language));
        assert_eq!(deed(&press("ArrowRight"), false), Some(KeyDeed::Step));
        assert_eq!(deed(&KeyPress { ctrl: true, ..press("z") }, false), Some(KeyDeed::Undo));
    }

    #[test]
    fn signs_act_whether_or_not_the_keyboard_wants_shift_for_them() {
        assert_eq!(deed(&KeyPress { shift: true, ..press("?") }, true), Some(KeyDeed::Help));
        assert_eq!(deed(&press("="), true), Some(KeyDeed::Faster));
    }
}
