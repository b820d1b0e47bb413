//! From the state of the page to what its regions are given to show.

use std::rc::Rc;

use super::App;
use super::shown::{DoShown, FoldNow, PresetLine, RunShown, Say, ScrubShown, TimeShown};
use crate::scenario::{Words, presets};
use crate::scene::frame::Frame;

impl App {
    /// The presets, in the order of the start page.
    pub fn presets(&self) -> Rc<Vec<PresetLine>> {
        let line = |name: &&'static str| {
            let scenario = presets::by_name(name)?;
            Some(PresetLine { name, title: say(&scenario.title), about: say(&scenario.about) })
        };
        Rc::new(presets::NAMES.iter().filter_map(line).collect())
    }

    /// The run at its moment.
    pub fn run_shown(&self) -> Option<RunShown> {
        let run = self.run.as_ref()?;
        let language = self.language();
        Some(RunShown {
            title: run.title(language),
            profile: run.profile(),
            theme: self.theme(),
            media: self.media,
            time: TimeShown {
                now: run.now(),
                is_playing: run.player.is_playing,
                pace: run.player.pace,
                at_ms: run.player.at_ms,
                end_ms: run.end_ms(),
                percent: run.percent(),
                can_undo: run.can_undo(),
                can_redo: run.can_redo(),
            },
            scrub: Rc::new(ScrubShown::default()),
            fold: None::<FoldNow>,
            frame: Rc::new(Frame::default()),
            selected: run.selected.clone(),
            rail: self.rail,
            dock: self.dock,
            sheet_is_open: self.sheet_is_open,
            doing: Rc::new(DoShown::default()),
        })
    }
}

fn say(words: &Words) -> Say {
    Say { en: words.en.as_str().into(), zh: words.zh.as_str().into() }
}
