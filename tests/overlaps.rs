//! At every step of every walkthrough, on all three stages and in both languages: no words on others
//! or on a sign, none outside their box or the stage.

use rocketmq_playground::app::App;
use rocketmq_playground::app::action::{Action, Device, Media};
use rocketmq_playground::app::settings::Motion;
use rocketmq_playground::scenario::presets;
use rocketmq_playground::scene::frame::{Anchor, Frame, Mark, Paint, Shape};
use rocketmq_playground::scene::geometry::{Font, Rect, point, rect, text_width};
use rocketmq_playground::scene::mark::TokenId;

/// CSS px: the projector's stage, the desktop's, the phone's.
const WIDTHS: [f64; 3] = [1_280.0, 1_920.0, 390.0];

/// Letters may meet by so much: the widths are those of one face, and a line has room above it.
const SLACK: f64 = 0.5;

/// One text of a frame: its words, and where its letters are.
struct Words {
    words: String,
    area: Rect,
}

/// What letters cover, without the room for descenders.
fn letters(at: (f64, f64), words: &str, font: Font, anchor: Anchor, fit: Option<f64>) -> Rect {
    let width = fit.unwrap_or_else(|| text_width(words, font));
    let x = match anchor {
        Anchor::Start => at.0,
        Anchor::Middle => at.0 - width / 2.0,
        Anchor::End => at.0 - width,
    };
    let height = font.pixels() * 0.74;
    rect(x, at.1 - height, width, height)
}

/// What crosses the network passes over other things.
fn travels(mark: &Mark) -> bool {
    matches!(mark.token, Some(TokenId::Call(_)))
}

fn words_of(mark: &Mark) -> impl Iterator<Item = Words> {
    mark.shapes.iter().filter_map(|shape| match shape {
        Shape::Text { at, words, font, anchor, fit } => Some(Words {
            words: words.clone(),
            area: letters((at.x, at.y), words, *font, *anchor, *fit).moved(mark.at.x, mark.at.y),
        }),
        _ => None,
    })
}

fn signs_of(mark: &Mark) -> impl Iterator<Item = Rect> {
    mark.shapes.iter().filter_map(|shape| match shape {
        Shape::Glyph { at, size, .. } => {
            Some(rect(at.x + mark.at.x, at.y + mark.at.y, *size, *size))
        }
        _ => None,
    })
}

/// The smallest box of the mark in whose middle part the words begin: what holds them.
fn holder(mark: &Mark, words: &Rect) -> Option<Rect> {
    let middle = words.middle();
    let boxes = mark.shapes.iter().filter_map(|shape| match shape {
        Shape::Rect {
            area,
            paint: Paint::Box | Paint::PanelBox | Paint::Solid | Paint::Dashed,
        } => Some(area.moved(mark.at.x, mark.at.y)),
        _ => None,
    });
    let around = boxes.filter(|area| area.holds(&rect(middle.x, middle.y, 0.0, 0.0)));
    around.min_by(|a, b| (a.width * a.height).total_cmp(&(b.width * b.height)))
}

/// What is wrong in one frame, each with the words it is about.
fn faults(frame: &Frame) -> Vec<String> {
    let stage = rect(0.0, 0.0, frame.width, frame.height);
    let mut faults = Vec::new();
    let mut all: Vec<Words> = Vec::new();
    let mut signs = Vec::new();
    for mark in frame.marks.iter().filter(|mark| !travels(mark)) {
        signs.extend(signs_of(mark));
        for it in words_of(mark) {
            let slack = rect(-SLACK, -SLACK, stage.width + 2.0 * SLACK, stage.height + 2.0 * SLACK);
            if !slack.holds(&it.area) {
                faults.push(format!("'{}' leaves the stage", it.words));
            }
            let sides = |area: &Rect| (area.x - 1.5, area.right() + 1.5);
            if let Some(area) = holder(mark, &it.area) {
                let (left, right) = sides(&area);
                if it.area.x < left || it.area.right() > right {
                    faults.push(format!("'{}' is wider than its box", it.words));
                }
            }
            all.push(it);
        }
    }
    for (place, one) in all.iter().enumerate() {
        let inner = one.area.inset(SLACK);
        for other in all[place + 1..].iter().filter(|it| it.area.inset(SLACK).meets(&inner)) {
            let at = point(one.area.x, one.area.y);
            faults.push(format!("'{}' on '{}' at {:.0} {:.0}", one.words, other.words, at.x, at.y));
        }
        if signs.iter().any(|sign| sign.inset(1.0).meets(&inner)) {
            faults.push(format!("a sign on '{}'", one.words));
        }
    }
    faults
}

fn walking(name: &str, language: &str) -> App {
    let mut app = App::default();
    let media = Media { width: WIDTHS[0], height: 720.0, ..Media::default() };
    let languages = vec![language.to_owned()];
    let hash = format!("#/p/{name}");
    let device = Device { hash, languages, media, ..Device::default() };
    app.update(Action::Started(Box::new(device)));
    for _ in 0..10_000 {
        if app.run.as_ref().is_none_or(|run| run.is_complete()) {
            app.update(Action::ChoseMotion(Motion::Still));
            return app;
        }
        app.update(Action::FramePassed(16.0));
    }
    panic!("{name} is never complete");
}

#[test]
fn no_words_of_a_step_stand_on_others_or_leave_their_box() {
    let mut found = Vec::new();
    for name in presets::all_names() {
        let marks = presets::by_name(name).expect("every name has its preset").marks.len();
        for language in ["en", "zh-CN"] {
            let mut app = walking(name, language);
            for step in 1..=marks {
                app.update(Action::WalkedOn);
                for width in WIDTHS {
                    let media = Media { width, height: 720.0, ..Media::default() };
                    app.update(Action::MediaChanged(media));
                    let frame = app.run_shown().expect("a run is shown").frame;
                    let faults = faults(&frame).into_iter();
                    let place = format!("{name}, step {step}, {language}, {width}");
                    found.extend(faults.map(|it| format!("{place}: {it}")));
                }
                let media = Media { width: WIDTHS[0], height: 720.0, ..Media::default() };
                app.update(Action::MediaChanged(media));
            }
        }
    }
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

/// The test above can fail: it sees words on words, on a sign, out of their box, off the stage.
#[test]
fn what_is_wrong_is_seen() {
    let text = |x: f64, words: &str| Shape::Text {
        at: point(x, 40.0),
        words: words.to_owned(),
        font: Font::Label,
        anchor: Anchor::Start,
        fit: None,
    };
    let seen = |shapes: Vec<Shape>| {
        let mark = std::rc::Rc::new(Mark { shapes, ..Mark::default() });
        faults(&Frame { width: 200.0, height: 100.0, marks: vec![mark], ..Frame::default() })
    };
    assert!(seen(vec![text(10.0, "C 16"), text(80.0, "M 23")]).is_empty());
    assert_eq!(seen(vec![text(10.0, "C 16"), text(30.0, "M 23")]).len(), 1);
    assert_eq!(seen(vec![text(180.0, "C 16")]).len(), 1);
    let narrow = Shape::Rect { area: rect(8.0, 20.0, 60.0, 30.0), paint: Paint::Box };
    assert_eq!(seen(vec![narrow, text(10.0, "a long name")]).len(), 1);
    let sign = Shape::Glyph {
        glyph: rocketmq_playground::scene::frame::Glyph::Done,
        at: point(20.0, 28.0),
        size: 16.0,
    };
    assert_eq!(seen(vec![sign, text(10.0, "C 16")]).len(), 1);
}
