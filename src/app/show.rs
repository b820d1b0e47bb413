//! From the state of the page to what its regions are given to show.

use std::rc::Rc;

use super::action::{DockTab, RailTab};
use super::room::{Form, Room};
use super::run::Run;
use super::shown::{FoldBar, FoldNow, PresetLine, RunShown, Say, TimeShown};
use super::{App, fault};
use crate::scenario::{Words, presets};
use crate::scene::layout::{Layout, System};
use crate::text::Language;

/// Keys, clock, pace, legend, px.
const BESIDE_BAR_PX: f64 = 660.0;

impl App {
    /// The presets, in the order of the start page.
    pub fn presets(&self) -> Rc<Vec<PresetLine>> {
        let line = |(subject, name)| {
            let scenario = presets::by_name(name)?;
            Some(PresetLine { name, subject, title: say(&scenario.title) })
        };
        let read = || Rc::new(presets::subjects().filter_map(line).collect());
        self.presets.get_or_init(read).clone()
    }

    /// The run at its moment.
    pub fn run_shown(&mut self) -> Option<RunShown> {
        let (language, theme, media, is_still) =
            (self.language(), self.theme(), self.media, self.is_still());
        self.keep_log_in_sight();
        let (room, caption_is_hidden) = (self.room(), self.caption_is_hidden());
        let hides_future = self.settings.hides_future;
        let (log, is_table, is_tree) = (self.log.clone(), self.shows_table, self.shows_tree);
        let chart = self.chart;
        let wants_sequence = self.dock == DockTab::Sequence;
        let stops_at_break = self.settings.stops_at_break;
        let wants_inspect = self.rail == RailTab::Inspect;
        let wants_why = self.rail == RailTab::Why;
        let wants_do = self.rail == RailTab::Do;
        let draft = self.fault.clone();
        let lit = self.lit.filter(|_| wants_why);
        let run = self.run.as_mut()?;
        let system = room.system;
        let spotlight = run.selected.clone();
        let layout = Layout { system, language, spotlight, is_still };
        let scene = run.scene();
        let frame = match system {
            System::Phone => run.frame(&Layout { system: System::Rooms, ..layout.clone() }),
            System::Projector | System::Desktop | System::Rooms => run.frame(&layout),
        };
        let inspect = run.inspect(is_tree);
        let verbs = inspect.as_ref().filter(|_| wants_inspect).and_then(|_| run.verbs());
        let faults = wants_do.then(|| fault::shown(&draft, &run.around(), language));
        let why = wants_why.then(|| run.why(language));
        let lit = lit.map(|event| run.lit(event, &frame)).unwrap_or_default();
        Some(RunShown {
            title: run.title(language),
            profile: run.profile(),
            theme,
            system,
            room,
            page: (media.width as u32, media.height as u32),
            time: time(run),
            scrub: run.scrub(bar_px(media.width, &room)),
            fold: fold(run, language).or_else(|| wait(run, language)),
            walk: run.walk_shown(language),
            walk_is_open: !self.walk_is_closed,
            frame: Rc::new(frame),
            scene,
            now_ms: run.now_ms(),
            selected: run.selected.clone(),
            rail: self.rail,
            dock: self.dock,
            sheet_is_open: self.sheet_is_open,
            phone: self.phone,
            about: say(&run.scenario().about).say(language),
            scaled: run.scaled(),
            doing: run.doing(language),
            inspect: inspect.filter(|_| wants_inspect),
            verbs: verbs.map(Rc::new),
            faults: faults.map(Rc::new),
            why,
            lit: Rc::new(lit),
            log: run.log(&log, language),
            chart: run.chart(&layout, chart),
            chart_is_table: is_table,
            sequence: if wants_sequence { run.sequence() } else { Rc::default() },
            checks: run.checks_shown(stops_at_break),
            banner: run.banner(language),
            badges: run.broken_objects(),
            is_blank: self.is_blank,
            time_field: self.time_field.clone(),
            signs_are_open: self.signs_are_open,
            caption_is_hidden,
            hides_future,
        })
    }

    /// When another row of the log comes into force, the stretch in words is around that one.
    fn keep_log_in_sight(&mut self) {
        let Some(run) = &mut self.run else { return };
        let row = run.log_row(&self.log);
        if row != self.log_row {
            self.log_row = row;
            self.log.first = row.unwrap_or(0).saturating_sub(2);
        }
    }
}

/// How wide the scrub bar is: the page, without what stands beside it.
fn bar_px(page_px: f64, room: &Room) -> f64 {
    match room.form {
        Form::Regular => (page_px - BESIDE_BAR_PX).max(100.0),
        Form::Compact | Form::Zoomed | Form::Follow => page_px,
    }
}

fn time(run: &Run) -> TimeShown {
    TimeShown {
        now: run.now(),
        is_playing: run.player.is_playing,
        pace: run.player.pace,
        at_ms: run.player.at_ms,
        end_ms: run.end_ms(),
        percent: run.percent(),
        can_undo: run.can_undo(),
        can_redo: run.can_redo(),
    }
}

fn fold(run: &Run, language: Language) -> Option<FoldNow> {
    let fold = run.film().fold_at(run.player.at_ms)?;
    Some(FoldNow {
        bar: FoldBar { from_ms: fold.story_from, to_ms: fold.story_to },
        left: fold.to_at.since(run.now()),
        sentence: run.narrator().fold(fold).say(language),
    })
}

/// Where nothing is folded: what the followed thing waits for, if that is a while.
fn wait(run: &Run, language: Language) -> Option<FoldNow> {
    let wait = run.awaited()?;
    let to_ms = run.film().story_at(run.recording(), wait.due);
    Some(FoldNow {
        bar: FoldBar { from_ms: run.player.at_ms, to_ms },
        left: wait.due.since(run.now()),
        sentence: wait.say(language),
    })
}

fn say(words: &Words) -> Say {
    Say { en: words.en.as_str().into(), zh: words.zh.as_str().into() }
}
