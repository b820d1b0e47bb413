//! Picture, caption, twin and inspector say the same, at every stop of every preset under every release.

mod held;
mod stops;

use held::{Picture, twin_text};
use rocketmq_playground::text::Language;
use stops::at_each_stop;

#[test]
fn every_fact_of_a_caption_is_on_the_stage_in_the_twin_and_in_the_inspector() {
    let mut wrong = Vec::new();
    at_each_stop(|stop| {
        let place = stop.place.clone();
        let mut picture = Picture::of(stop.app);
        for fact in &stop.mark.facts {
            if let Err(why) = picture.holds(fact) {
                wrong.push(format!("{place}: {fact}\n    {why}"));
            }
        }
    });
    assert!(wrong.is_empty(), "{} facts do not hold:\n{}", wrong.len(), wrong.join("\n"));
}

/// For whoever writes a caption: PRESET=name and SHOW=1 print what is there at each stop.
#[test]
fn the_stops_can_be_shown() {
    if std::env::var_os("SHOW").is_none() {
        return;
    }
    at_each_stop(|stop| {
        let shown = stop.app.run_shown().expect("a run is shown");
        let run = stop.app.run.as_ref().expect("a run is open");
        let twin = twin_text(&shown.scene, run.now(), Language::En);
        println!("=== {} at {} ms\n{twin}", stop.place, run.now().ms());
    });
}
