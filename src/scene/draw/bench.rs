//! The waiting bench: pulls that the broker holds, each beside its queue.

use super::brush::lozenge;
use super::pen::Pen;
use crate::scene::at_broker::Queue;
use crate::scene::at_consumer::PullPlace;
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Rect, point, rect, text_width};
use crate::scene::mark::{MarkId, TokenId};
use crate::text::stage::{MarkName, PullWord, StageText, StageWord};

/// The seat of a queue's pull: 84 × 34.
pub fn seat(broker: Rect, strip_y: f64) -> Rect {
    rect(broker.right() - 92.0, strip_y, 84.0, 34.0)
}

pub fn heading(pen: &mut Pen<'_>, seat: Rect) {
    let words = pen.word(StageWord::HeldPulls);
    let mark = Mark::ground().termed(StageWord::HeldPulls.term());
    pen.put(mark.words_mid(seat.middle().x, seat.y - 8.0, words, Font::Note));
}

/// What stands on a queue's seat.
pub fn of_queue(pen: &mut Pen<'_>, queue: &Queue, seat: Rect) {
    if let Some(held) = &queue.held {
        let id = MarkId::Pull { process: held.process, queue: held.queue.clone() };
        let token = TokenId::Pull(held.process, held.queue.clone());
        let name = pen.name(MarkName::Pull {
            queue: queue.label.clone(),
            offset: held.next_offset.0,
            place: PullWord::Bench,
        });
        let words = format!("{}→{}", queue.label, held.next_offset);
        let mark = shuttle(id, name, words, seat).moving(token);
        pen.put(mark.entering_from(seat.right() + 8.0, seat.y));
        let part = pen.part_left(held.since, held.until);
        let left = pen.say(StageText::Left { left: pen.left(held.until) });
        let id = MarkId::Pull { process: held.process, queue: held.queue.clone() };
        let font = if text_width(&left, Font::Label) > 54.0 { Font::Note } else { Font::Label };
        let y = seat.bottom() + 12.0;
        let ring = Mark::of(id, String::new(), Rect::default())
            .ring(seat.x + 22.0, y - 2.0, 8.0, part, false)
            .words_at(seat.x + 36.0, y + 4.0, left, font);
        pen.put(ring);
        return;
    }
    let reader = pull_elsewhere(pen, queue);
    let words = match reader {
        true => pen.word(StageWord::NotHeld),
        false => pen.word(StageWord::NoReader),
    };
    let mut mark = Mark::ground().termed(StageWord::NotHeld.term());
    if reader {
        mark = mark.path(lozenge(seat), Paint::Ghost);
    }
    pen.put(mark.words_fitted(seat.middle().x, seat.y + 23.0, &words, Font::Note, 80.0));
}

/// A pull on its seat, without the ring of its time.
pub fn held(label: &str, seat: Rect) -> Mark {
    Mark::ground().path(lozenge(seat), Paint::Box).words_fitted(
        seat.middle().x,
        seat.middle().y + 6.5,
        label,
        Font::LabelBold,
        seat.width - 14.0,
    )
}

/// Does a living process have a pull request for this queue?
fn pull_elsewhere(pen: &Pen<'_>, queue: &Queue) -> bool {
    pen.scene.consumers.iter().any(|consumer| {
        let mut pulls = consumer.pulls.iter();
        pulls.any(|pull| pull.queue == queue.queue && !matches!(pull.place, PullPlace::Bench))
    })
}

/// A PullRequest, `q0→23`, as a moving mark whose place is the upper left corner of `area`.
pub fn shuttle(id: MarkId, name: String, words: String, area: Rect) -> Mark {
    let own = rect(0.0, 0.0, area.width, area.height);
    let font = match text_width(&words, Font::LabelBold) > area.width - 14.0 {
        true => Font::Note,
        false => Font::LabelBold,
    };
    let base = area.height / 2.0 + 6.5;
    Mark::of(id, name, own)
        .placed(point(area.x, area.y))
        .path(lozenge(own), Paint::Box)
        .words_fitted(area.width / 2.0, base, &words, font, area.width - 14.0)
}
