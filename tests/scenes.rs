//! The frame at a moment as text, and that nothing in it stands on anything else.

#[path = "kit/crowd.rs"]
mod crowd;
#[path = "kit/mock_scene.rs"]
mod mock_scene;
#[cfg(feature = "ui")]
#[path = "kit/page.rs"]
mod page;

use rocketmq_playground::scene::draw;
use rocketmq_playground::scene::frame::{Anchor, Frame, Shape};
use rocketmq_playground::scene::geometry::{Rect, rect, text_width};
use rocketmq_playground::scene::layout::{Layout, System};
use rocketmq_playground::scene::scene::Scene;
use rocketmq_playground::text::Language;

use mock_scene::{NOW, mock_scene};

fn draw(scene: &Scene, system: System, language: Language) -> Frame {
    let layout = Layout { system, language, ..Layout::default() };
    draw::frame(scene, NOW.ms() as f64, &layout)
}

#[test]
fn the_mocks_moment_as_text() {
    println!("{}", draw(&mock_scene(), System::Projector, Language::En).to_text());
}

/// Where the words of a frame stand, less a little on all sides: ascenders and descenders may meet.
fn words(frame: &Frame) -> Vec<(Rect, String)> {
    let mut all = Vec::new();
    for mark in &frame.marks {
        for shape in &mark.shapes {
            let Shape::Text { at, words, font, anchor, fit } = shape else { continue };
            let width = fit.unwrap_or_else(|| text_width(words, *font));
            let x = match anchor {
                Anchor::Start => at.x,
                Anchor::Middle => at.x - width / 2.0,
                Anchor::End => at.x - width,
            };
            let size = font.pixels();
            let area = rect(x, at.y - size * 0.74, width, size * 0.74);
            all.push((area.moved(mark.at.x, mark.at.y), words.clone()));
        }
    }
    all
}

#[test]
fn no_words_stand_on_others_and_none_leave_the_stage() {
    let mut faults = Vec::new();
    for (name, scene) in crowd::all() {
        for system in [System::Projector, System::Desktop] {
            for language in Language::ALL {
                let frame = draw(&scene, system, language);
                let stage = rect(0.0, 0.0, frame.width, frame.height);
                let all = words(&frame);
                for (place, (area, words)) in all.iter().enumerate() {
                    if !stage.holds(area) {
                        faults.push(format!("{name} {system:?} {language:?}: '{words}' leaves"));
                    }
                    for (other, others) in &all[place + 1..] {
                        if area.inset(0.5).meets(&other.inset(0.5)) {
                            faults.push(format!(
                                "{name} {system:?} {language:?}: '{words}' on '{others}' at {:.0} {:.0}",
                                area.x, area.y
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Writes `target/stage/*.html`: what a person, or a headless browser, looks at.
#[cfg(feature = "ui")]
#[tokio::test]
async fn a_page_to_look_at() {
    for (name, scene) in crowd::all() {
        for system in [System::Projector, System::Desktop] {
            for (language, theme) in [(Language::En, "light"), (Language::ZhCn, "dark")] {
                let frame = draw(&scene, system, language);
                page::write(&format!("{name}-{system:?}"), frame, language, theme).await;
            }
        }
    }
}
