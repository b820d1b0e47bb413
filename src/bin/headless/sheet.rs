//! `--sheet OUT.html`: the frames of a run on one page, one every so many ms of the story, for looking at
//! how a beat is drawn without a browser that plays it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use rocketmq_playground::app::run::Run;
use rocketmq_playground::scenario::link::Link;
use rocketmq_playground::scene::layout::{Layout, System};
use rocketmq_playground::scene::svg::svg;

use crate::arguments::Arguments;
use crate::source;

/// What part of the story is shown, and how closely; story ms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    pub from_ms: f64,
    pub to_ms: f64,
    pub every_ms: f64,
}

/// Writes the sheet of a preset; `--profile` and `--lang` hold.
pub fn write(what: &str, out: &Path, arguments: &Arguments) -> Result<(), String> {
    let scenario = source::find(what, arguments.profile)?;
    let link = Link::preset(what, scenario.setup.profile);
    let mut run = Run::from_link(link).map_err(|it| it.say(arguments.language).into_owned())?;
    while !run.is_complete() {
        run.compute();
    }
    let system = if arguments.phone { System::Rooms } else { System::Projector };
    let layout =
        Layout { system, language: arguments.language, spotlight: None, is_still: arguments.still };
    let stretch = arguments.stretch;
    let mut page = head();
    let mut story = stretch.from_ms;
    while story <= stretch.to_ms.min(run.end_ms()) {
        run.go_to(story);
        let frame = run.frame(&layout);
        let beat = run.film().beat_within(story).map(|beat| format!("{:?}", beat.kind));
        let told = beat.unwrap_or_else(|| "–".to_owned());
        let now = run.now();
        let _ = write!(
            page,
            "<figure>{}<figcaption>{:.2} s · T+{now} · {told}</figcaption></figure>",
            svg(&frame),
            story / 1_000.0,
        );
        story += stretch.every_ms;
    }
    page.push_str("</main></body></html>");
    fs::write(out, page).map_err(|error| format!("{}: {error}", out.display()))?;
    println!("{}", out.display());
    Ok(())
}

fn head() -> String {
    let style = include_str!("../../../static/style.css");
    format!(
        "<!doctype html><html><head><meta charset=\"utf-8\"><style>{style}\n\
         body{{margin:0;display:block;height:auto;overflow:visible}}\
         main{{display:grid;grid-template-columns:repeat(4,1fr);gap:10px;padding:10px}}\
         figure{{margin:0;border:1px solid #999}} figcaption{{font:16px sans-serif;padding:4px}}\
         svg.stage-svg{{width:100%;height:auto;display:block;position:static}}</style></head><body>{DEFS}<main>"
    )
}

/// Patterns, arrow heads and glyphs by the ids that the page gives them, plainer than there.
const DEFS: &str = include_str!("defs.svg");
