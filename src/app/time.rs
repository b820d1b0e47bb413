//! Actions on time: playing, stepping, scrubbing; what is announced; the address of the moment.

use super::action::Step;
use super::effect::Effect;
use super::player::LONGEST_FRAME_MS;
use super::run::{Run, Stops};
use super::{App, Page};
use crate::text::bar::{BarText, BarWord};

impl App {
    pub(super) fn pass_frame(&mut self, wall_ms: f64, effects: &mut Vec<Effect>) {
        let (is_still, stops) = (self.is_still(), self.stops());
        let Some(run) = &mut self.run else { return };
        let was_complete = run.is_complete();
        run.compute();
        if let Some(difference) = run.take_difference() {
            let sentence = difference.say(self.language()).into_owned();
            self.notify_sentence(sentence, effects);
        }
        let Some(run) = &mut self.run else { return };
        if !was_complete && run.is_complete() {
            if run.take_wanted_mark() {
                self.walk_on(effects);
            }
            self.write_moment(effects);
        }
        let Some(run) = &mut self.run else { return };
        if !is_still {
            let (was_playing, before) = (run.player.is_playing, run.player.at_ms);
            run.advance(wall_ms.min(LONGEST_FRAME_MS), stops);
            self.told(was_playing, before, effects);
        }
    }

    fn stops(&self) -> Stops {
        Stops { at_breaks: self.settings.stops_at_break, at_marks: !self.walk_is_closed }
    }

    pub(super) fn tick(&mut self, effects: &mut Vec<Effect>) {
        let stops = self.stops();
        let Some(run) = &mut self.run else { return };
        run.compute();
        let (was_playing, before) = (run.player.is_playing, run.player.at_ms);
        run.tick(stops);
        self.told(was_playing, before, effects);
    }

    /// After the playhead moved by itself: says what is important, and writes the moment at a stop.
    fn told(&mut self, was_playing: bool, before_ms: f64, effects: &mut Vec<Effect>) {
        let language = self.language();
        let Some(run) = &self.run else { return };
        let broken = run.break_in(before_ms, run.player.at_ms).filter(|_| was_playing);
        if let Some(broken) = broken {
            effects.push(Effect::Alert(run.break_sentence(broken, language)));
        }
        let told = run.last_key_event();
        if told != self.announced && was_playing {
            self.announced = told;
            effects.extend(told.map(|event| Effect::Announce(run.sentence(event, language))));
        }
        if was_playing && !run.player.is_playing {
            if !self.arrive(effects) {
                self.say_paused(effects);
            }
            self.write_moment(effects);
        }
    }

    pub(super) fn press_play(&mut self, effects: &mut Vec<Effect>) {
        let is_still = self.is_still();
        let Some(run) = self.run.as_mut().filter(|_| self.page == Page::Run) else { return };
        if run.player.is_playing {
            run.pause(is_still);
            if !run.player.is_playing {
                self.say_paused(effects);
            }
            self.write_moment(effects);
            return;
        }
        if run.is_at_end() {
            run.go_on();
        }
        run.player.is_playing = true;
        let playing = BarWord::Playing.say(self.language()).to_owned();
        effects.push(Effect::Announce(playing));
    }

    /// Says where time stands now.
    fn say_paused(&self, effects: &mut Vec<Effect>) {
        let Some(run) = &self.run else { return };
        let paused = BarText::Paused { at: run.now() };
        effects.push(Effect::Announce(paused.say(self.language()).into_owned()));
    }

    pub(super) fn step(&mut self, step: Step, effects: &mut Vec<Effect>) {
        let Some(run) = self.run.as_mut().filter(|_| self.page == Page::Run) else { return };
        run.player.stop();
        run.step(step);
        self.moved(effects);
    }

    pub(super) fn move_playhead(&mut self, story_ms: f64, effects: &mut Vec<Effect>) {
        let Some(run) = &mut self.run else { return };
        run.player.goal_ms = None;
        run.go_to(story_ms);
        self.moved(effects);
    }

    pub(super) fn go_to_event(&mut self, event: u32, effects: &mut Vec<Effect>) {
        let Some(run) = &mut self.run else { return };
        run.player.stop();
        run.go_to_event(event);
        self.moved(effects);
    }

    /// After a person moved the playhead: says what stands there.
    pub(super) fn moved(&mut self, effects: &mut Vec<Effect>) {
        let language = self.language();
        let Some(run) = &self.run else { return };
        self.announced = run.last_key_event();
        effects.push(Effect::Announce(run.sentence(run.event_told(), language)));
        self.write_moment(effects);
    }

    /// The address follows the moment while nothing plays.
    pub(super) fn write_moment(&mut self, effects: &mut Vec<Effect>) {
        let rests = |run: &Run| run.is_complete() && !run.player.is_playing;
        let rests = self.page == Page::Run && self.run.as_ref().is_some_and(rests);
        if let Some(text) = self.run_hash().filter(|_| rests) {
            effects.push(Effect::WriteHash { text, is_new: false });
        }
    }
}
