//! Acting: commands of the visitor, undo and redo, another version of RocketMQ.

use super::App;
use super::ask::Ask;
use super::effect::Effect;
use crate::model::profile::Profile;
use crate::sim::command::Command;
use crate::text::page::{PageText, PageWord};

impl App {
    /// The visitor asks for something at the moment shown. What came after it is told anew; the run
    /// as it was stays one step of Back and one undo away.
    pub(super) fn ask(&mut self, ask: &Ask, effects: &mut Vec<Effect>) {
        let language = self.language();
        let Some(run) = &mut self.run else { return };
        match run.act(ask) {
            Ok(()) => {
                let sentence = run.deed_lines(language).pop().map(|line| line.sentence);
                effects.extend(sentence.map(Effect::Announce));
                self.changed(effects);
            }
            Err(reason) => {
                let reason = reason.as_str().into();
                let sentence = PageText::CouldNot { reason }.say(language).into_owned();
                self.notify_sentence(sentence, effects);
            }
        }
    }

    pub(super) fn undo(&mut self, effects: &mut Vec<Effect>) {
        if self.run.as_mut().is_some_and(|run| run.undo()) {
            self.notify(PageWord::Undone, effects);
            self.changed(effects);
        }
    }

    pub(super) fn redo(&mut self, effects: &mut Vec<Effect>) {
        if self.run.as_mut().is_some_and(|run| run.redo()) {
            self.notify(PageWord::Redone, effects);
            self.changed(effects);
        }
    }

    pub(super) fn choose_profile(&mut self, profile: Profile, effects: &mut Vec<Effect>) {
        let Some(run) = self.run.as_ref().filter(|run| run.profile() != profile) else { return };
        let link = run.link_with(profile);
        self.reopen(link, effects);
    }

    /// The run is another one now: a new entry of the history, and kept for later.
    fn changed(&mut self, effects: &mut Vec<Effect>) {
        self.announced = None;
        if let Some(text) = self.run_hash() {
            effects.push(Effect::WriteHash { text, is_new: true });
        }
        self.keep_run(effects);
    }
}

/// What was done, as a line of the visitor's script.
pub(super) fn sentence(command: &Command) -> PageText {
    let words = |name: &dyn std::fmt::Display| name.to_string().as_str().into();
    match command {
        Command::SendMessages(send) => PageText::DidSend {
            count: send.count,
            key: send.key.as_ref().map_or_else(|| "".into(), |key| key.as_str().into()),
        },
        Command::StartConsumer(spec) => PageText::DidAdd { client: words(&spec.client_id) },
        Command::StopConsumer { client_id, .. } => PageText::DidStop { client: words(client_id) },
        Command::CrashConsumer { client_id } => PageText::DidCrash { client: words(client_id) },
        Command::LoseHost { client_id } => PageText::DidLoseHost { client: words(client_id) },
        Command::FreezeClient { client_id, .. } => PageText::DidFreeze { client: words(client_id) },
        Command::ResumeClient { client_id } => PageText::DidResume { client: words(client_id) },
        Command::StopBroker { broker_name, .. } => {
            PageText::DidStopBroker { broker: words(broker_name) }
        }
        Command::StartBroker { broker_name, .. } => {
            PageText::DidStartBroker { broker: words(broker_name) }
        }
        other => PageText::DidOther { name: variant(other).into() },
    }
}

/// The command's own name, for those that the page has no control for.
fn variant(command: &Command) -> String {
    let text = format!("{command:?}");
    text.split(|sign: char| !sign.is_alphanumeric()).next().unwrap_or_default().to_owned()
}
