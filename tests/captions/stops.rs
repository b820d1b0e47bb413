//! Walks every preset under every release, as a visitor does who presses Next.

use rocketmq_playground::app::App;
use rocketmq_playground::app::action::{Action, Device, Media, Step};
use rocketmq_playground::app::settings::Motion;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::scenario::walk::WalkMark;
use rocketmq_playground::scenario::{Scenario, presets};

/// One stop, with the page standing at it.
pub struct Stop<'a> {
    pub app: &'a mut App,
    pub mark: &'a WalkMark,
    /// Where the telling begins.
    pub begin: Millis,
    /// `poison-message, V42, mark 3`.
    pub place: String,
}

/// The presets that are walked: all, or the one that PRESET names.
pub fn presets() -> Vec<&'static str> {
    let only = std::env::var_os("PRESET").and_then(|it| it.into_string().ok());
    presets::all_names().filter(|name| only.as_deref().is_none_or(|only| only == *name)).collect()
}

pub fn scenario(name: &str, profile: Profile) -> Scenario {
    presets::by_name_as(name, profile).expect("every name has its preset")
}

/// The page with the whole run computed.
pub fn opened(name: &str, profile: Profile) -> App {
    let mut app = App::default();
    let media = Media { width: 1280.0, height: 720.0, ..Media::default() };
    let hash = format!("#/p/{name}");
    app.update(Action::Started(Box::new(Device { hash, media, ..Device::default() })));
    app.update(Action::ChoseMotion(Motion::Still));
    app.update(Action::ChoseProfile(profile));
    compute(&mut app);
    app.update(Action::Stepped(Step::Start));
    app
}

pub fn compute(app: &mut App) {
    for _ in 0..20_000 {
        if app.run.as_ref().is_some_and(|run| run.is_complete()) {
            return;
        }
        app.update(Action::FramePassed(16.0));
    }
    panic!("the run is never complete");
}

/// Calls `look` at every stop of every preset under every release.
pub fn at_each_stop(mut look: impl FnMut(Stop<'_>)) {
    for name in presets() {
        for profile in Profile::ALL {
            let mut app = opened(name, profile);
            let scenario = scenario(name, profile);
            let begin = scenario.begin;
            for (index, mark) in scenario.marks_told().enumerate() {
                app.update(Action::WalkedOn);
                let place = format!("{name}, {}, mark {}", profile.name(), index + 1);
                look(Stop { app: &mut app, mark, begin, place });
            }
        }
    }
}
