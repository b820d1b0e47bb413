//! What the browser must do for the page.

use super::action::SavedRun;
use super::settings::Settings;

#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Say it in the live region.
    Announce(String),
    /// A check broke: say it at once.
    Alert(String),
    /// Write the address: a new entry of the history, or the present one changed.
    WriteHash {
        text: String,
        is_new: bool,
    },
    SaveSettings(Settings),
    /// Keep it among the visitor's own, in place of an earlier state of it.
    KeepRun(SavedRun),
    /// Take the run of this id out of the visitor's own.
    ForgetRun(String),
    /// Begin anew in the version that waits.
    TakeNewVersion,
    /// Copy the address of this moment.
    CopyLink {
        hash: String,
    },
    CopyText {
        text: String,
    },
    /// `lang` and `data-theme` of the document, and its title.
    Dress {
        language: &'static str,
        theme: Option<&'static str>,
        title: String,
    },
    /// Take a toast away when its time is over.
    EndToast {
        id: u32,
    },
    /// Move the keyboard to the top of a page that was just opened.
    FocusMain,
    /// Move the keyboard to this element, once it is there.
    Focus(&'static str),
}
