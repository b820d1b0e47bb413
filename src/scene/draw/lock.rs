//! Orderly mode: the broker's lock on the gate of its queue, the lock table, the client's belief.

use super::brush::N;
use super::pen::Pen;
use crate::scene::at_broker::{Broker, BrokerLock};
use crate::scene::at_consumer::Belief;
use crate::scene::frame::{Mark, Paint};
use crate::scene::geometry::{Font, Rect, point, rect};
use crate::scene::mark::{MarkId, TokenId};
use crate::scene::plan::BrokerPlan;
use crate::text::stage::{MarkName, StageText, StageWord};

/// A padlock of the given ring radius in the middle of its own coordinates.
///
/// An expired one stands open.
pub fn padlock(mark: Mark, radius: f64, part_left: f64, is_open: bool) -> Mark {
    let k = radius / 27.0;
    let lift = if is_open { 5.0 * k } else { 0.0 };
    let shackle = format!(
        "M{} {}v{}a{r} {r} 0 0 1 {} 0v{}",
        N(-8.0 * k),
        N(-2.0 * k - lift),
        N(-5.0 * k),
        N(16.0 * k),
        N(if is_open { 2.0 * k } else { 5.0 * k }),
        r = N(8.0 * k),
    );
    mark.circle(0.0, 0.0, radius + 6.0, Paint::Sheet)
        .ring(0.0, 0.0, radius, part_left, true)
        .path(shackle, Paint::Heavy)
        .rect(rect(-12.0 * k, -2.0 * k, 24.0 * k, 16.0 * k), Paint::Solid)
}

/// Beside the queue, where a pull would wait: owner, and what is left of the lock's life.
pub fn on_gate(pen: &mut Pen<'_>, lock: &BrokerLock, seat: Rect) {
    let middle = point(seat.middle().x + 6.0, seat.y + 24.0);
    let name = pen.name(MarkName::Lock { queue: lock.label.clone(), owner: lock.owner.clone() });
    let left = pen.left(lock.expires_at);
    let is_open = left.ms() == 0;
    let words = match is_open {
        true => pen.word(StageWord::Expired),
        false => pen.say(StageText::Locked { owner: lock.owner.clone(), left }),
    };
    let followed = pen.scene.followed.as_ref();
    let is_followed =
        followed.is_some_and(|followed| followed.mark == MarkId::Lock(lock.queue.clone()));
    let mut mark = Mark::of(MarkId::Lock(lock.queue.clone()), name, rect(-34.0, -34.0, 68.0, 68.0))
        .placed(middle)
        .moving(TokenId::Padlock(lock.queue.clone()))
        .followed(is_followed);
    if is_followed {
        mark = mark.circle(0.0, 0.0, 40.0, Paint::Marker);
    }
    let part = pen.part_left(lock.renewed_at, lock.expires_at);
    let font = if is_followed { Font::LabelBold } else { Font::Label };
    pen.put(padlock(mark, 28.0, part, is_open).words_fitted(0.0, 54.0, &words, font, 86.0));
}

/// `RebalanceLockManager` as a table, where concurrent mode has its staircase.
pub fn table(pen: &mut Pen<'_>, plan: &BrokerPlan, broker: &Broker) {
    let area = plan.area;
    let top = area.bottom() - 122.0;
    let (owner, renewed) = if area.width < 400.0 { (118.0, 184.0) } else { (132.0, 212.0) };
    let columns = [area.x + 10.0, area.x + owner, area.x + renewed, area.right() - 12.0];
    let mut mark = Mark::ground()
        .termed(StageWord::LockTable.term())
        .line(point(area.x, top), point(area.right(), top), Paint::Hair)
        .words_at(columns[0], top + 22.0, pen.word(StageWord::LockTable), Font::LabelBold)
        .words_at(columns[1], top + 22.0, pen.word(StageWord::Owner), Font::Note)
        .words_at(columns[2], top + 22.0, pen.word(StageWord::Renewed), Font::Note)
        .words_end(columns[3], top + 22.0, pen.word(StageWord::LeftHeading), Font::Note);
    // Two rows stand well apart; a third makes them close up.
    let rows = broker.locks.len().min(3);
    let pitch = if rows > 2 { 22.0 } else { 30.0 };
    let first = top + if rows > 2 { 44.0 } else { 50.0 };
    let followed = pen.scene.followed.as_ref().map(|followed| &followed.mark);
    for (place, lock) in broker.locks.iter().take(rows).enumerate() {
        let base = first + pitch * place as f64;
        let left = pen.left(lock.expires_at);
        let left = match left.ms() {
            0 => pen.word(StageWord::Expired),
            _ => pen.say(StageText::Left { left }),
        };
        let renewed = crate::text::format::clock_short(lock.renewed_at);
        let is_followed = followed == Some(&MarkId::Lock(lock.queue.clone()));
        let font = if is_followed { Font::LabelBold } else { Font::Label };
        if is_followed {
            let row = rect(area.x + 4.0, base - 17.0, area.width - 8.0, 22.0);
            mark = mark.rect(row, Paint::Marker);
        }
        mark = mark
            .words_at(columns[0], base, lock.label.to_string(), font)
            .words_at(columns[1], base, lock.owner.to_string(), font)
            .words_at(columns[2], base, renewed, font)
            .words_end(columns[3], base, left, font);
    }
    if broker.locks.len() > rows {
        let more = format!("+{}", broker.locks.len() - rows);
        mark = mark.words_at(columns[0] + 96.0, top + 22.0, more, Font::Note);
    }
    pen.put(mark);
}

/// The smaller padlock on a shelf: what the client believes, with its own 30 s.
pub fn belief(pen: &mut Pen<'_>, id: MarkId, belief: &Belief, at: Rect) {
    let part = pen.part_left(belief.since, belief.until);
    let name = pen.word(match belief.is_locked {
        true => StageWord::LockedHere,
        false => StageWord::NotLockedHere,
    });
    let middle = at.middle();
    let mut mark = Mark::of(id, name, rect(-20.0, -20.0, 40.0, 40.0)).placed(middle);
    mark = padlock(mark, 15.0, part, !belief.is_locked);
    if belief.is_wrong {
        mark = mark.circle(20.0, -16.0, 10.0, Paint::DiscNow).words_mid(
            20.0,
            -10.0,
            "≠",
            Font::LabelBold,
        );
    }
    pen.put(mark);
}
