//! What the person does to the room of the page: the stage alone, a dark screen, what waits to be asked for.

use super::action::{Action, DockTab, PhonePanel};
use super::effect::Effect;
use super::room::{Dock, Room, Wish, share};
use super::settings::Theme;
use super::{App, Page};

/// The id of what covers a dark screen: it takes the keyboard.
pub const BLANK: &str = "blank";

impl App {
    pub(super) fn arrange(&mut self, action: Action, effects: &mut Vec<Effect>) {
        match action {
            Action::OpenedTimeField if self.page == Page::Run => self.open_time_field(effects),
            Action::TypedTime(text) => {
                if let Some(field) = &mut self.time_field {
                    field.text = text;
                }
            }
            Action::EnteredTime => self.enter_time(effects),
            Action::ClosedTimeField => self.time_field = None,
            Action::ToggledZoom if self.page == Page::Run => self.is_zoomed = !self.is_zoomed,
            Action::Blanked(is_blank) if self.page == Page::Run => self.blank(is_blank, effects),
            Action::ToggledCaption => self.toggle_caption(effects),
            Action::ToggledCaptionsWait => {
                self.settings.captions_wait = !self.settings.captions_wait;
                self.settings_changed(effects);
            }
            Action::ToggledFuture => {
                self.settings.hides_future = !self.settings.hides_future;
                self.settings_changed(effects);
            }
            Action::OpenedSigns(is_open) => self.signs_are_open = is_open,
            _ => {}
        }
    }

    /// A dark screen stops time: a class that looks at the teacher misses nothing.
    fn blank(&mut self, is_blank: bool, effects: &mut Vec<Effect>) {
        self.is_blank = is_blank;
        match (is_blank, &mut self.run) {
            (true, Some(run)) => {
                run.player.stop();
                effects.push(Effect::Focus(BLANK));
                self.write_moment(effects);
            }
            (true, None) => {}
            (false, _) => effects.push(Effect::FocusMain),
        }
    }

    /// The mark whose caption stands in the bar, if the run has any.
    fn mark_told(&self) -> Option<usize> {
        let run = self.run.as_ref()?;
        Some(run.walk_shown(self.language())?.number)
    }

    /// The caption of this step waits until it is asked for.
    pub fn caption_is_hidden(&self) -> bool {
        self.settings.captions_wait && self.caption_asked != self.mark_told()
    }

    fn toggle_caption(&mut self, effects: &mut Vec<Effect>) {
        let Some(mark) = self.mark_told() else { return };
        if !self.settings.captions_wait {
            self.settings.captions_wait = true;
            self.caption_asked = None;
            self.settings_changed(effects);
        } else if self.caption_asked == Some(mark) {
            self.caption_asked = None;
        } else {
            self.caption_asked = Some(mark);
            self.walk_is_closed = false;
            self.say_caption(effects);
        }
    }

    /// How the window is shared out.
    pub fn room(&self) -> Room {
        let Some(run) = &self.run else { return Room::default() };
        share(&Wish {
            width: self.media.width,
            height: self.media.height,
            is_projected: self.theme() == Theme::Projector,
            holds_much: run.holds_much(),
            has_caption: run.has_marks() && !self.walk_is_closed,
            dock: self.dock,
            dock_is_open: self.dock_is_tall,
            is_zoomed: self.is_zoomed,
        })
    }

    /// A tab of the dock was chosen: what it shows is wanted in sight.
    pub(super) fn choose_dock(&mut self, tab: DockTab) {
        if self.room().dock == Dock::Over {
            self.dock_is_tall = false;
        }
        self.open_phone_panel(Some(PhonePanel::Dock(tab)));
        self.is_zoomed = false;
        self.dock_is_tall |= !self.room().dock.shows_body();
    }
}
