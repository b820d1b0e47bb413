//! What every drawing function holds: the scene, the moment, the words, and the marks so far.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::model::ids::UniqueKey;
use crate::model::message_queue::MessageQueue;
use crate::model::order;
use crate::model::time::Millis;
use crate::model::topic::is_retry_topic;
use crate::scene::card::{Card, MessageState};
use crate::scene::frame::Mark;
use crate::scene::geometry::Rect;
use crate::scene::layout::Layout;
use crate::scene::mark::TokenId;
use crate::scene::plan::Plan;
use crate::scene::scene::Scene;
use crate::text::stage::{MarkName, StageText, StageWord, StateWord};

pub struct Pen<'a> {
    pub scene: &'a Scene,
    pub layout: &'a Layout,
    pub plan: Plan,
    /// Virtual time, with the fraction of a millisecond that playing may be at.
    pub now_ms: f64,
    marks: Vec<Rc<Mark>>,
    /// Drawn after the followed line: what lies on the marker.
    raised: Vec<Rc<Mark>>,
    tokens: BTreeSet<TokenId>,
    turn: u32,
}

impl<'a> Pen<'a> {
    pub fn new(scene: &'a Scene, now_ms: f64, layout: &'a Layout) -> Pen<'a> {
        let plan = Plan::of(scene, layout);
        let (marks, raised, tokens) = (Vec::new(), Vec::new(), BTreeSet::new());
        Pen { scene, layout, plan, now_ms, marks, raised, tokens, turn: 0 }
    }

    /// A token is one node: should a scene have it twice (a pull that timed out here while the broker
    /// still holds it), the second is drawn, but does not move.
    pub fn put(&mut self, mut mark: Mark) {
        if mark.token.as_ref().is_some_and(|token| !self.tokens.insert(token.clone())) {
            mark.token = None;
        }
        mark.turn = self.turn;
        self.turn += 1;
        match mark.is_followed {
            true => self.raised.push(Rc::new(mark)),
            false => self.marks.push(Rc::new(mark)),
        }
    }

    /// From here on marks lie above what was drawn, followed ones included.
    pub fn raise(&mut self) {
        self.marks.append(&mut self.raised);
    }

    pub fn finish(mut self) -> Vec<Rc<Mark>> {
        self.raise();
        order::sort_by_key(&mut self.marks, |mark| (mark.layer, mark.depth));
        self.marks
    }

    pub fn say(&self, text: impl Into<StageText>) -> String {
        text.into().say(self.layout.language).into_owned()
    }

    pub fn word(&self, word: StageWord) -> String {
        self.say(word)
    }

    pub fn name(&self, name: MarkName) -> String {
        self.say(name)
    }

    /// Whole milliseconds of virtual time from now to `due`; 0 if it has passed.
    pub fn left(&self, due: Millis) -> Millis {
        Millis((due.ms() as f64 - self.now_ms).max(0.0).ceil() as u64)
    }

    pub fn since(&self, then: Millis) -> Millis {
        Millis((self.now_ms - then.ms() as f64).max(0.0) as u64)
    }

    /// How much of the span from `since` to `due` is left, 0 to 1.
    pub fn part_left(&self, since: Millis, due: Millis) -> f64 {
        let whole = due.since(since).ms() as f64;
        if whole <= 0.0 { 0.0 } else { ((due.ms() as f64 - self.now_ms) / whole).clamp(0.0, 1.0) }
    }

    pub fn is_followed(&self, unique_key: UniqueKey) -> bool {
        let followed = self.scene.followed.as_ref();
        followed.and_then(|followed| followed.unique_key) == Some(unique_key)
    }

    /// Is this the followed message, where it is now? What it left behind is not followed.
    pub fn follows(&self, card: &Card) -> bool {
        self.is_followed(card.unique_key) && !card.state.leaves_a_hole()
    }

    /// The spoken name of a record in `queue`.
    pub fn card_name(&self, card: &Card, queue: &str) -> String {
        self.name(MarkName::Card {
            label: card.label.clone(),
            queue: queue.into(),
            offset: card.offset.0,
            state: state_word(card.state),
            failures: card.failures,
        })
    }
}

pub const fn state_word(state: MessageState) -> StateWord {
    match state {
        MessageState::Stored => StateWord::Stored,
        MessageState::Waiting => StateWord::Waiting,
        MessageState::Running => StateWord::Running,
        MessageState::Done => StateWord::Done,
        MessageState::Failed => StateWord::Failed,
        MessageState::SentBack => StateWord::SentBack,
        MessageState::Delayed => StateWord::Delayed,
        MessageState::LocalRetry => StateWord::LocalRetry,
        MessageState::Dead => StateWord::Dead,
        MessageState::Lost => StateWord::Lost,
    }
}

/// Words set one after the other on a line, as long as there is room.
pub struct Flow {
    pub x: f64,
    pub right: f64,
}

impl Flow {
    /// Room for this width? Then where it starts; the line goes on behind it.
    pub fn take_width(&mut self, width: f64, gap: f64) -> Option<f64> {
        if self.x + width > self.right {
            return None;
        }
        let at = self.x;
        self.x += width + gap;
        Some(at)
    }
}

/// In their order, but what belongs to retry topics comes last: RocketMQ sorts `%RETRY%` before
/// every other topic, people look for it behind.
pub fn retry_last<T>(all: &[T], queue: impl Fn(&T) -> &MessageQueue) -> Vec<&T> {
    let mut sorted: Vec<&T> = all.iter().collect();
    order::sort_by_key(&mut sorted, |one| is_retry_topic(&queue(one).topic));
    sorted
}

/// Where a text stands: for finding room beside others.
pub fn spans_meet(a: (f64, f64), b: (f64, f64), gap: f64) -> bool {
    a.0 < b.1 + gap && b.0 < a.1 + gap
}

/// The marker's ground under what is followed, 5 wider on each side.
pub fn marker_ground(mark: Mark, area: Rect) -> Mark {
    mark.rect(area.inset(-5.0), crate::scene::frame::Paint::Marker)
}
