//! What the visitor does to a run, and what they did.

use super::Run;
use crate::app::ask::{Ask, Subjects};
use crate::app::shown::DeedLine;
use crate::model::ids::ClientId;
use crate::recording::Intervention;
use crate::scene::narrate;
use crate::text::Language;
use crate::text::event::EventText;

impl Run {
    pub(super) fn subjects(&self) -> Subjects {
        let world = self.recording.head().world();
        let taken: Vec<ClientId> = world.clients.iter().map(|it| it.client_id.clone()).collect();
        Subjects::of(&self.scenario, &taken, self.interventions().len())
    }

    /// Does it at the moment shown.
    ///
    /// # Errors
    /// Why it makes no sense now; nothing where the run lacks what it is about.
    pub fn act(&mut self, ask: &Ask) -> Result<(), Option<EventText>> {
        let command = ask.command(&self.subjects()).ok_or(None)?;
        let refused = |error| Some(EventText::Refused(narrate::refusal_text(&error)));
        self.recording.act(self.now(), command).map_err(refused)?;
        self.changed();
        Ok(())
    }

    pub fn undo(&mut self) -> bool {
        let did = self.recording.undo().is_some();
        self.changed();
        did
    }

    pub fn redo(&mut self) -> bool {
        let did = self.recording.redo().is_some();
        self.changed();
        did
    }

    pub fn can_undo(&self) -> bool {
        self.recording.can_undo()
    }

    pub fn can_redo(&self) -> bool {
        self.recording.can_redo()
    }

    pub fn deed_lines(&self, language: Language) -> Vec<DeedLine> {
        let line = |deed: &Intervention| DeedLine {
            at: deed.at,
            sentence: EventText::Asked(narrate::command_text(&deed.command))
                .say(language)
                .into_owned(),
        };
        self.interventions().iter().map(line).collect()
    }
}
