//! A run as the page's state holds it once its address was opened and all of it computed.

use rocketmq_playground::app::App;
use rocketmq_playground::app::action::{Action, Device, Media};

pub fn opened(hash: &str) -> App {
    let mut app = App::default();
    let media = Media { width: 1280.0, height: 720.0, ..Media::default() };
    let device = Device { hash: hash.to_owned(), media, ..Device::default() };
    app.update(Action::Started(Box::new(device)));
    complete(&mut app);
    app
}

pub fn complete(app: &mut App) {
    for _ in 0..10_000 {
        if app.run.as_ref().is_none_or(|run| run.is_complete()) {
            return;
        }
        app.update(Action::FramePassed(16.0));
    }
    panic!("the run is never complete");
}
