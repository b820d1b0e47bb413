//! Remote calls: whatever crosses the network strip, each on a line with its code plate.

use super::brush::{N, lozenge, polyline};
use super::pen::Pen;
use super::{rebalance, spot};
use crate::model::time::Millis;
use crate::scene::frame::{Mark, Paint, Tip};
use crate::scene::geometry::{Font, Point, Rect, point, rect, text_width};
use crate::scene::layout::Layout;
use crate::scene::mark::{MarkId, TokenId};
use crate::scene::scene::{Call, CallCode, Direction, Fate, Party};
use crate::text::Term;
use crate::text::stage::{MarkName, StageText, StageWord};

/// Part of its way after which a lost packet is seen no more.
const LOST_AT: f64 = 0.5;

pub const PLATE_WIDTH: f64 = 88.0;
pub const PLATE_HEIGHT: f64 = 42.0;

pub fn calls(pen: &mut Pen<'_>) {
    let mut taken: Vec<(f64, f64)> = spot::followed_plates(pen)
        .iter()
        .chain(&rebalance::boxes(pen))
        .map(|area| (area.y, area.bottom()))
        .collect();
    for (call, count) in grouped(&pen.scene.calls) {
        let Some((from, to)) = ends(pen, call) else { continue };
        if is_brief(call) {
            tick(pen, call, from);
            continue;
        }
        let lane =
            crosses_gutter(call).then(|| free_lane(pen, call, from.toward(to, 0.5).y, &mut taken));
        one(pen, call, count, from, to, lane.flatten());
    }
}

/// Calls of one kind that travel together are one line with a number: the offset timer sends one
/// for each queue at the same moment.
fn grouped(calls: &[Call]) -> Vec<(&Call, usize)> {
    let mut groups: Vec<(&Call, usize)> = Vec::new();
    for call in calls {
        let alike = |(other, _): &&mut (&Call, usize)| {
            let (a, b) = (*other, call);
            a.batch == 0
                && b.batch == 0
                && (a.from, a.to, a.code, a.direction) == (b.from, b.to, b.code, b.direction)
                && (a.sent_at, a.arrives_at, &a.fate) == (b.sent_at, b.arrives_at, &b.fate)
                && a.is_copy == b.is_copy
        };
        match groups.iter_mut().find(alike) {
            Some((_, count)) => *count += 1,
            None => groups.push((call, 1)),
        }
    }
    groups
}

/// A packet is drawn on its way if it takes long enough to be seen there, or will not arrive.
const SEEN_FROM: Millis = Millis::new(100);

/// Background traffic: what it brings about is told by a beat of its own, if it is worth telling.
fn is_brief(call: &Call) -> bool {
    let arrives = matches!(call.fate, Fate::Arrives | Fate::Refused(_));
    arrives && call.arrives_at.since(call.sent_at) < SEEN_FROM
}

/// A thin tick where it leaves its machine.
fn tick(pen: &mut Pen<'_>, call: &Call, from: Point) {
    let dx = if crosses_gutter(call) { 9.0 } else { 5.0 };
    let dx = if matches!(call.from, Party::Consumer(_)) { -dx } else { dx };
    pen.put(Mark::ground().line(from, from.plus(dx, 0.0), Paint::Thin));
}

fn crosses_gutter(call: &Call) -> bool {
    let is_consumer = |party: Party| matches!(party, Party::Consumer(_));
    is_consumer(call.from) != is_consumer(call.to)
}

fn meets_name_server(call: &Call) -> bool {
    matches!(call.from, Party::NameServer(_)) || matches!(call.to, Party::NameServer(_))
}

/// Where a call's line starts and ends.
fn ends(pen: &Pen<'_>, call: &Call) -> Option<(Point, Point)> {
    let at = |party| spot::door(pen, party, call);
    Some((at(call.from)?, at(call.to)?))
}

/// Half the height of what travels.
fn half_height(call: &Call) -> f64 {
    match (call.batch, call.code.number) {
        (1.., _) => 19.0,
        (0, 11) => 13.0,
        (0, _) => 7.0,
    }
}

/// The height at which a call crosses the strip, near `y`; its plate hangs under the line, so that
/// what travels does not cover it.
fn free_lane(pen: &Pen<'_>, call: &Call, y: f64, taken: &mut Vec<(f64, f64)>) -> Option<f64> {
    let gutter = pen.plan.gutter;
    let (above, below) = (half_height(call), half_height(call) + 2.0 + PLATE_HEIGHT);
    let (least, most) = (gutter.y + 2.0 + above, gutter.bottom() - below - 2.0);
    let wanted = y.clamp(least, most);
    let tries = (0..120).flat_map(|n| [wanted + 4.0 * f64::from(n), wanted - 4.0 * f64::from(n)]);
    let is_free = |y: f64| {
        taken.iter().all(|other| !super::pen::spans_meet(*other, (y - above, y + below), 4.0))
    };
    let lane = tries.filter(|y| (least..=most).contains(y)).find(|y| is_free(*y))?;
    taken.push((lane - above, lane + below));
    Some(lane)
}

/// Straight across on its lane; to the name server along the strip's edge.
fn way(pen: &Pen<'_>, call: &Call, from: Point, to: Point, lane: f64) -> Vec<Point> {
    let gutter = pen.plan.gutter;
    let is_leftward = from.x > to.x;
    let (near, far) = match is_leftward {
        true => (gutter.right() - 8.0, gutter.x + 8.0),
        false => (gutter.x + 8.0, gutter.right() - 8.0),
    };
    let mut points = vec![from, point(near, lane), point(far, lane)];
    if meets_name_server(call) {
        let sign = if is_leftward { to } else { from };
        let corner = point(gutter.x + 8.0, sign.y);
        points.insert(if is_leftward { 3 } else { 1 }, corner);
    }
    points.push(to);
    points
}

/// From one box of the broker's column to what stands above it: around what lies between.
fn beside_boxes(pen: &Pen<'_>, call: &Call, from: Point, to: Point) -> Vec<Point> {
    let broker = [call.from, call.to].into_iter().find_map(|party| match party {
        Party::Broker(index) => pen.plan.broker(index),
        _ => None,
    });
    let is_first = broker.is_none_or(|plan| plan.area.y <= pen.plan.broker_column.y);
    if is_first || !meets_name_server(call) {
        return vec![from, to];
    }
    let x = pen.plan.gutter.x + 8.0;
    vec![from, point(x, from.y), point(x, to.y), to]
}

fn one(pen: &mut Pen<'_>, call: &Call, count: usize, from: Point, to: Point, lane: Option<f64>) {
    let way = match lane {
        Some(lane) => way(pen, call, from, to, lane),
        None => beside_boxes(pen, call, from, to),
    };
    let paint = match call.direction {
        Direction::Response => Paint::Answer,
        Direction::Request | Direction::Oneway => Paint::Wire,
    };
    pen.put(match call.fate {
        Fate::Lost => torn(&way, paint),
        Fate::Arrives | Fate::Held | Fate::Refused(_) => {
            Mark::ground().arrow(polyline(&way), paint, Tip::Solid)
        }
    });
    let name = pen.name(MarkName::Call {
        number: call.code.number,
        from: spot::party_label(pen, call.from),
        to: spot::party_label(pen, call.to),
    });
    if let Some(lane) = lane {
        let x = pen.plan.gutter.middle().x - PLATE_WIDTH / 2.0;
        let area = rect(x, lane + half_height(call) + 2.0, PLATE_WIDTH, PLATE_HEIGHT);
        let second = match &call.fate {
            Fate::Refused(reason) => reason.to_string(),
            Fate::Lost => pen.word(StageWord::CallLost),
            Fate::Held => pen.word(StageWord::CallHeld),
            Fate::Arrives if call.is_copy => pen.word(StageWord::CallAgain),
            Fate::Arrives => pen.say(StageText::CallWord { number: call.code.number }),
        };
        let number = match count {
            1 => call.code.number.to_string(),
            count => format!("{} ×{count}", call.code.number),
        };
        let first = match &call.fate {
            Fate::Refused(_) => "✕".to_owned(),
            Fate::Lost => format!("✕ {number}"),
            Fate::Arrives | Fate::Held => number,
        };
        let plate = plate_mark(MarkId::Call(call.id), name.clone(), area, &first, &second);
        pen.put(plate.termed(Some(Term::of_request(call.code.number))));
    }
    // The cross is all that is left of it, and its plate the thing to choose.
    if call.fate == Fate::Lost && lane.is_some() {
        return;
    }
    let at = along(&way, progress(pen, call));
    let mark = match lane {
        Some(_) => {
            // What travels stays in the strip: it would cover the name of whoever it comes to.
            let half = half_height(call).max(12.0) * 1.3;
            let gutter = pen.plan.gutter;
            let x = at.x.clamp(gutter.x + half, gutter.right() - half);
            carried(pen, call, name, point(x, at.y))
        }
        None => bead(call, name, at),
    };
    pen.put(mark);
}

/// 0 where it starts, 1 where it ends; what is lost or held back stops half way.
fn progress(pen: &Pen<'_>, call: &Call) -> f64 {
    let part = 1.0 - pen.part_left(call.sent_at, call.arrives_at);
    if matches!(call.fate, Fate::Lost | Fate::Held) { part.min(LOST_AT) } else { part }
}

/// The way of what is lost: it ends half way in a cross, and nothing comes in at the other end.
fn torn(way: &[Point], paint: Paint) -> Mark {
    let end = along(way, LOST_AT);
    let lengths = way.windows(2).map(|pair| pair[0].distance(pair[1]));
    let mut left = lengths.sum::<f64>() * LOST_AT;
    let mut taken = vec![way[0]];
    for pair in way.windows(2) {
        let length = pair[0].distance(pair[1]);
        if left <= length {
            break;
        }
        left -= length;
        taken.push(pair[1]);
    }
    let mut rest = vec![end];
    rest.extend(way.iter().skip(taken.len()));
    taken.push(end);
    let cross = format!("M{} {}l20 20m0 -20l-20 20", N(end.x - 10.0), N(end.y - 10.0));
    Mark::ground()
        .path(polyline(&rest), Paint::Ghost)
        .path(polyline(&taken), paint)
        .path(cross, Paint::Heavy)
}

/// The point a part of the way along a polyline.
fn along(way: &[Point], part: f64) -> Point {
    let lengths: Vec<f64> = way.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
    let mut left = lengths.iter().sum::<f64>() * part;
    for (pair, length) in way.windows(2).zip(&lengths) {
        if left <= *length {
            return pair[0].toward(pair[1], if *length > 0.0 { left / length } else { 0.0 });
        }
        left -= length;
    }
    way.last().copied().unwrap_or_default()
}

/// What travels: a parcel of messages, the pull's shuttle, or a bead.
fn carried(pen: &Pen<'_>, call: &Call, name: String, at: Point) -> Mark {
    let id = MarkId::Call(call.id);
    if call.batch > 0 {
        return parcel(Mark::of(id, name, rect(-25.0, -19.0, 50.0, 38.0)), call.batch)
            .termed(Some(Term::Batch))
            .placed(at)
            .moving(TokenId::Call(call.id));
    }
    if let (11, Direction::Request, Some(queue), Party::Consumer(process)) =
        (call.code.number, call.direction, &call.queue, call.from)
    {
        let consumer = pen.scene.consumer(process);
        let pull = consumer.and_then(|c| c.pulls.iter().find(|pull| pull.queue == *queue));
        if let Some(pull) = pull {
            let area = rect(-30.0, -13.0, 60.0, 26.0);
            return Mark::of(id, name, area)
                .termed(Some(Term::Pull))
                .placed(at)
                .moving(TokenId::Call(call.id))
                .path(lozenge(area), Paint::Box)
                .words_fitted(0.0, 6.0, &pull.label, Font::LabelBold, 40.0);
        }
    }
    bead(call, name, at)
}

fn bead(call: &Call, name: String, at: Point) -> Mark {
    Mark::of(MarkId::Call(call.id), name, rect(-12.0, -12.0, 24.0, 24.0))
        .termed(Some(Term::of_request(call.code.number)))
        .placed(at)
        .moving(TokenId::Call(call.id))
        .circle(0.0, 0.0, 7.0, Paint::Ink)
}

/// A parcel around the middle of its coordinates, with what it holds.
pub fn parcel(mark: Mark, batch: u32) -> Mark {
    let area = rect(-25.0, -19.0, 50.0, 38.0);
    mark.rect(area, Paint::Box)
        .line(point(-25.0, -7.0), point(25.0, -7.0), Paint::Thin)
        .line(point(0.0, -19.0), point(0.0, -7.0), Paint::Thin)
        .words_fitted(0.0, 13.0, &format!("×{batch}"), Font::LabelBold, 44.0)
}

/// The plate of a call on its way, around the middle of its coordinates: number and name on one line,
/// with what it carries.
pub fn plate(number: u16, carries: &str, layout: &Layout) -> Mark {
    let word = StageText::CallWord { number }.say(layout.language);
    let words = format!("{number} {word} {carries}");
    slip(words.trim_end())
}

/// A slip of paper with words on it, around the middle of its coordinates.
pub fn slip(words: &str) -> Mark {
    let width = text_width(words, Font::LabelBold) + 18.0;
    let area = rect(-width / 2.0, -14.0, width, 28.0);
    let mark = Mark { area, ..Mark::ground() }.on_top();
    mark.rect(area, Paint::Box).words_mid(0.0, 6.5, words, Font::LabelBold)
}

/// A code plate, number over name.
pub fn plate_mark(id: MarkId, name: String, area: Rect, first: &str, second: &str) -> Mark {
    let x = area.middle().x;
    Mark::of(id, name, area)
        .rect(area, Paint::Box)
        .words_mid(x, area.y + 18.0, first, Font::LabelBold)
        .words_fitted(x, area.y + 36.0, second, Font::Label, PLATE_WIDTH - 4.0)
}

/// The plate of a call that is over and by which the followed thing came.
pub fn past_plate(pen: &Pen<'_>, id: MarkId, code: CallCode, area: Rect) -> Mark {
    let word = pen.say(StageText::CallWord { number: code.number });
    let name = format!("{} {}", code.number, code.name);
    plate_mark(id, name, area, &code.number.to_string(), &word)
        .termed(Some(Term::of_request(code.number)))
}
