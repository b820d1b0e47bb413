//! The live region: one sentence at a time, at most one every two seconds (UX 15.2, 4.1.3).

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;

/// The id of the region in the page.
pub const REGION: &str = "news";

/// The region of what cannot wait: a check that breaks.
pub const ALARM: &str = "alarm";

const LEAST_MS: u32 = 2_000;

/// Says sentences in the region. Of several that come at once the last is said: it sums up best.
#[derive(Clone, Default)]
pub struct Announcer(Rc<RefCell<State>>);

#[derive(Default)]
struct State {
    waiting: Option<String>,
    pause: Option<Timeout>,
}

impl Announcer {
    pub fn say(&self, sentence: String) {
        let mut state = self.0.borrow_mut();
        if state.pause.is_some() {
            state.waiting = Some(sentence);
            return;
        }
        write(&sentence);
        state.pause = Some(self.pause());
    }

    fn pause(&self) -> Timeout {
        let announcer = self.clone();
        Timeout::new(LEAST_MS, move || {
            let waiting = {
                let mut state = announcer.0.borrow_mut();
                state.pause = None;
                state.waiting.take()
            };
            if let Some(sentence) = waiting {
                announcer.say(sentence);
            }
        })
    }
}

fn write(sentence: &str) {
    set(REGION, sentence);
}

/// Says it at once.
pub fn alarm(sentence: &str) {
    set(ALARM, sentence);
}

fn set(id: &str, sentence: &str) {
    if let Some(region) = super::document::element(id) {
        region.set_text_content(Some(sentence));
    }
}
