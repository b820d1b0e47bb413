//! The followed thing: one marker band, its past solid, its future dotted, its stations numbered.

use super::brush::polyline;
use super::calls::{PLATE_HEIGHT, PLATE_WIDTH, past_plate};
use super::pen::Pen;
use super::spot;
use crate::model::ids::BrokerIndex;
use crate::scene::at_broker::QueueKind;
use crate::scene::frame::{Mark, Paint, Tip};
use crate::scene::geometry::{Font, Point, Rect, point, rect};
use crate::scene::scene::{CallCode, Followed, Spot, Station, Tense};
use crate::text::stage::MarkName;

/// The corridor above the staircase, by which a send-back comes in.
pub fn corridor(broker: Rect) -> f64 {
    // A folded broker has no staircase.
    if broker.height < 200.0 {
        return broker.middle().y;
    }
    broker.bottom() - 129.0
}

/// The followed thing, if the visitor has chosen it: its whole way lies over the picture only when it
/// is asked for. What a run is about has the marker where it is, and the beats show how it moves.
fn chosen<'a>(pen: &Pen<'a>) -> Option<&'a Followed> {
    let followed = pen.scene.followed.as_ref()?;
    (pen.layout.spotlight.as_ref() == Some(&followed.mark)).then_some(followed)
}

/// From one station to the next.
pub struct Leg {
    pub points: Vec<Point>,
    pub is_past: bool,
    /// The call by which it happened, with its plate's place.
    pub plate: Option<(CallCode, Rect)>,
    /// It goes on where the last one ended.
    continues: bool,
}

pub fn legs(pen: &Pen<'_>) -> Vec<Leg> {
    let Some(followed) = chosen(pen) else { return Vec::new() };
    let mut legs: Vec<Leg> = Vec::new();
    for pair in followed.stations.windows(2) {
        let [from, to] = pair else { continue };
        let is_past = to.tense != Tense::Next;
        if let Some(bench) = through_bench(pen, &from.spot, &to.spot) {
            let points = way(pen, &from.spot, &bench);
            legs.push(Leg { points, is_past, plate: None, continues: false });
        }
        let start = through_bench(pen, &from.spot, &to.spot).unwrap_or(from.spot.clone());
        let points = way(pen, &start, &to.spot);
        if points.len() < 2 {
            continue;
        }
        let plate = to.by_call.filter(|_| is_past).map(|code| (code, plate_on(pen, &points)));
        let continues = legs
            .last()
            .is_some_and(|last| last.is_past == is_past && last.points.last() == points.first());
        legs.push(Leg { points, is_past, plate, continues });
    }
    legs
}

/// From the retry queue a message goes to a consumer by the pull that waits beside it.
fn through_bench(pen: &Pen<'_>, from: &Spot, to: &Spot) -> Option<Spot> {
    match (from, to) {
        (Spot::Slot(queue, _), Spot::Seat(..) | Spot::Shelf(..)) if is_retry(pen, queue) => {
            Some(Spot::Bench(queue.clone()))
        }
        _ => None,
    }
}

/// Past and future lines with the marker band under the past.
pub fn lines(pen: &mut Pen<'_>) {
    let mut ways: Vec<(Vec<Point>, bool)> = Vec::new();
    for leg in legs(pen) {
        match ways.last_mut().filter(|_| leg.continues) {
            Some((points, _)) => points.extend(leg.points.into_iter().skip(1)),
            None => ways.push((leg.points, leg.is_past)),
        }
    }
    for (points, is_past) in &ways {
        if *is_past {
            pen.put(Mark::ground().path(polyline(points), Paint::Band));
        }
    }
    for (points, is_past) in &ways {
        let d = polyline(points);
        let mark = match is_past {
            true => Mark::ground().arrow(d, Paint::Past, Tip::Solid),
            false => Mark::ground().arrow(d, Paint::Next, Tip::Open),
        };
        pen.put(mark);
    }
}

/// Plates and numbered discs, above everything else.
pub fn stations(pen: &mut Pen<'_>) {
    let Some(followed) = chosen(pen) else { return };
    for leg in legs(pen) {
        if let Some((code, area)) = leg.plate {
            let mark = past_plate(pen, followed.mark.clone(), code, area);
            pen.put(mark.on_top());
        }
    }
    let discs: Vec<Option<Point>> =
        followed.stations.iter().map(|station| disc_at(pen, station)).collect();
    for (place, station) in followed.stations.iter().enumerate() {
        let Some(at) = discs[place] else { continue };
        // Of several at one place, as in a process on one line, the last is seen.
        let mut later = discs[place + 1..].iter().flatten();
        if later.any(|other| other.distance(at) < 16.0) {
            continue;
        }
        let name =
            pen.name(MarkName::Station { number: station.number, label: followed.label.clone() });
        let (paint, font) = match station.tense {
            Tense::Past => (Paint::DiscPast, Font::DiscOn),
            Tense::Now => (Paint::DiscNow, Font::Disc),
            Tense::Next => (Paint::DiscNext, Font::Disc),
        };
        let disc = Mark::of(followed.mark.clone(), name, rect(-12.0, -12.0, 24.0, 24.0))
            .placed(at)
            .circle(0.0, 0.0, 11.0, paint)
            .words_mid(0.0, 5.5, station.number.to_string(), font);
        pen.put(disc.on_top());
    }
}

/// Where a station's disc stands: on the line just outside its spot, or on its corner.
fn disc_at(pen: &Pen<'_>, station: &Station) -> Option<Point> {
    let area = spot::area(pen, &station.spot)?;
    let gutter = pen.plan.gutter;
    Some(match &station.spot {
        Spot::Seat(..) if station.tense == Tense::Now => point(area.right() - 4.0, area.y - 2.0),
        Spot::Seat(..) => point(gutter.right() - 16.0, seat_y(area, leaves_by(pen, station))),
        Spot::Shelf(..) => point(gutter.right() - 16.0, area.y + 61.0_f64.min(area.height / 2.0)),
        Spot::Gate(_) => point(area.x, area.y),
        // Outside, where it leaves the ring whole.
        Spot::Level(..) => point(area.right() + 5.0, area.y - 8.0),
        Spot::Slot(queue, _) if is_retry(pen, queue) && area.width < 44.0 => {
            point(area.right() - 2.0, area.bottom() - 8.0)
        }
        // Of a folded broker, before its other places.
        Spot::Slot(queue, _) if is_retry(pen, queue) => point(area.x - 12.0, area.middle().y),
        Spot::Slot(queue, _) if is_line(pen, queue) => point(area.x - 14.0, area.middle().y),
        Spot::Slot(..) => point(area.right() - 2.0, area.bottom() - 8.0),
        Spot::Bench(_) => point(area.right() - 4.0, area.y - 2.0),
        Spot::Producer(_) => point(area.right(), area.y),
        Spot::DeadLetters(_) => point(area.x, area.y),
        Spot::At(_) => area.middle(),
    })
}

/// A seat that the message has left has its disc on the line by which it left, else on the one by
/// which it came or will come.
fn leaves_by(pen: &Pen<'_>, station: &Station) -> Tense {
    let stations = pen.scene.followed.iter().flat_map(|followed| &followed.stations);
    let has_left = stations
        .clone()
        .any(|other| other.number == station.number + 1 && other.tense != Tense::Next);
    if has_left { Tense::Past } else { Tense::Next }
}

/// What left a seat leaves low, what comes comes high, so that both can be seen.
fn seat_y(seat: Rect, tense: Tense) -> f64 {
    match (seat.height < 40.0, tense) {
        (true, Tense::Past) => seat.y + 27.0,
        (true, _) => seat.y + 3.0,
        (false, Tense::Past) => seat.y + 50.0,
        (false, _) => seat.y + 16.0,
    }
}

/// Where a line meets the workers' room: the first seat's edge, or, where words stand before the
/// seats, the frame.
fn room_edge(pen: &Pen<'_>, seat: Rect) -> f64 {
    let x = pen.plan.consumer_column.x;
    if seat.height < 40.0 { x + 8.0 } else { x + 14.0 }
}

/// Of the queues that have but one line.
fn is_line(pen: &Pen<'_>, queue: &crate::model::message_queue::MessageQueue) -> bool {
    let plan = pen.plan.queue(queue);
    plan.is_some_and(|plan| plan.form == crate::scene::plan::QueueForm::Line)
}

fn is_retry(pen: &Pen<'_>, queue: &crate::model::message_queue::MessageQueue) -> bool {
    spot::find_queue(pen, queue).is_some_and(|queue| queue.kind == QueueKind::Retry)
}

/// A plate in the middle of where the way crosses the network strip, off the discs there.
fn plate_on(pen: &Pen<'_>, points: &[Point]) -> Rect {
    let gutter = pen.plan.gutter;
    let inside: Vec<&Point> =
        points.iter().filter(|p| p.x >= gutter.x - 2.0 && p.x <= gutter.right() + 2.0).collect();
    let y = match (inside.first(), inside.last()) {
        (Some(first), Some(last)) => (first.y + last.y) / 2.0 + 11.0,
        _ => points.first().map_or(gutter.y, |point| point.y),
    };
    let wanted = y - PLATE_HEIGHT / 2.0;
    let stations = pen.scene.followed.iter().flat_map(|followed| &followed.stations);
    let discs: Vec<f64> = stations
        .filter_map(|station| disc_at(pen, station))
        .filter(|disc| disc.x > gutter.x - 12.0 && disc.x < gutter.right() + 12.0)
        .map(|disc| disc.y)
        .collect();
    let is_free =
        |y: f64| discs.iter().all(|disc| *disc < y - 12.0 || *disc > y + PLATE_HEIGHT + 12.0);
    let steps = (0..80).flat_map(|n| [wanted + 3.0 * f64::from(n), wanted - 3.0 * f64::from(n)]);
    let in_strip = |y: &f64| *y >= gutter.y && *y <= gutter.bottom() - PLATE_HEIGHT;
    let y = steps.filter(in_strip).find(|y| is_free(*y)).unwrap_or(wanted);
    rect(gutter.middle().x - PLATE_WIDTH / 2.0, y, PLATE_WIDTH, PLATE_HEIGHT)
}

/// The line from one spot to another: straight pieces, through corridors that hold nothing else.
fn way(pen: &Pen<'_>, from: &Spot, to: &Spot) -> Vec<Point> {
    let (Some(start), Some(end)) = (spot::area(pen, from), spot::area(pen, to)) else {
        return Vec::new();
    };
    // In a folded broker everything is at one place.
    if start == end {
        return Vec::new();
    }
    let mut points = leaving(pen, from, start, to);
    points.extend(arriving(pen, to, end, from));
    points.dedup_by(|a, b| a.distance(*b) < 0.5);
    points
}

/// The points by which a line leaves its spot.
fn leaving(pen: &Pen<'_>, from: &Spot, area: Rect, to: &Spot) -> Vec<Point> {
    let gutter = pen.plan.gutter;
    match from {
        Spot::Producer(_) => vec![point(84.0, area.middle().y), point(92.0, area.middle().y)],
        Spot::Gate(_) => vec![point(area.x, area.y)],
        Spot::Seat(..) => {
            let y = seat_y(area, Tense::Past);
            vec![point(room_edge(pen, area), y), point(gutter.right() - 16.0, y)]
        }
        Spot::Shelf(..) => {
            let y = area.y + 61.0_f64.min(area.height / 2.0);
            vec![point(gutter.right() + 6.0, y)]
        }
        Spot::Bench(_) => {
            let y = area.middle().y - 2.0;
            vec![point(area.right() + 2.0, y), point(gutter.x + 4.0, y - 7.0)]
        }
        Spot::Level(broker, _) if matches!(to, Spot::DeadLetters(_)) => {
            // Above the corridor by which it came.
            let x = area.middle().x - 12.0_f64.min(area.width / 2.0);
            let lane = lane_to_pit(pen, *broker, area);
            vec![point(x, area.y - 3.0), point(x, lane)]
        }
        Spot::Level(..) => vec![point(area.middle().x - 12.0, area.y - 3.0)],
        Spot::Slot(queue, _) if is_retry(pen, queue) => {
            vec![point(area.middle().x, area.y - if area.height < 30.0 { 8.0 } else { 4.0 })]
        }
        Spot::Slot(queue, _) => match spot::bench_of(pen, queue) {
            Some(bench) => vec![point(bench.right() + 2.0, bench.middle().y)],
            None => vec![area.middle()],
        },
        Spot::DeadLetters(_) | Spot::At(_) => vec![area.middle()],
    }
}

/// The points by which it reaches the next one.
fn arriving(pen: &Pen<'_>, to: &Spot, area: Rect, from: &Spot) -> Vec<Point> {
    let gutter = pen.plan.gutter;
    match to {
        Spot::Gate(_) => vec![point(gutter.x + 16.0, area.y), point(area.x, area.y)],
        Spot::Level(..) | Spot::DeadLetters(_) => {
            let is_level = matches!(to, Spot::Level(..));
            let shift = if is_level { 28.0_f64.min(area.width / 4.0) } else { 0.0 };
            let x = area.middle().x + shift;
            let lane = lane_above(pen, from, area);
            // What stands as high as the lane is met at its side.
            if lane > area.y - 3.0 {
                return vec![point(area.right() + 3.0, lane)];
            }
            vec![point(x, lane), point(x, area.y - 3.0)]
        }
        Spot::Slot(queue, _) if is_retry(pen, queue) => {
            let below = area.bottom() + if area.height < 30.0 { 14.0 } else { 10.0 };
            let x = area.middle().x;
            match spot::area(pen, from) {
                Some(start) if matches!(from, Spot::Level(..)) => {
                    let leave = start.middle().x - 12.0;
                    match (leave - x).abs() < 20.0 {
                        true => vec![point(leave, below)],
                        false => {
                            vec![
                                point(leave, below + 12.0),
                                point(x, below + 12.0),
                                point(x, below),
                            ]
                        }
                    }
                }
                _ => vec![point(x, below)],
            }
        }
        Spot::Slot(..) => {
            let broker = pen.plan.broker_column;
            vec![point(92.0, area.middle().y), point(broker.x + 8.0, area.middle().y)]
        }
        Spot::Bench(_) => {
            let x = area.middle().x;
            let lane = area.y - 18.0;
            vec![
                point(spot::area(pen, from).map_or(x, |a| a.middle().x), lane),
                point(x, lane),
                point(x, area.y - 3.0),
            ]
        }
        Spot::Seat(..) => match from {
            Spot::Shelf(..) => {
                let y = seat_y(area, Tense::Now);
                vec![point(gutter.right() + 6.0, y), point(room_edge(pen, area), y)]
            }
            _ => {
                let y = seat_y(area, Tense::Next);
                vec![point(gutter.right() - 14.0, y), point(room_edge(pen, area), y)]
            }
        },
        Spot::Shelf(..) => {
            let y = area.y + 61.0_f64.min(area.height / 2.0);
            vec![point(gutter.right() - 14.0, y), point(pen.plan.consumer_column.x + 26.0, y)]
        }
        Spot::Producer(_) | Spot::At(_) => vec![area.middle()],
    }
}

/// The lane on which a line comes to the staircase or the pit.
fn lane_above(pen: &Pen<'_>, from: &Spot, area: Rect) -> f64 {
    match from {
        Spot::Gate(broker) => {
            pen.plan.broker(*broker).map_or(area.y - 20.0, |plan| corridor(plan.area))
        }
        Spot::Level(broker, _) => lane_to_pit(pen, *broker, area),
        _ => area.y - 20.0,
    }
}

/// Between staircase and retry queue, just above the corridor.
fn lane_to_pit(pen: &Pen<'_>, broker: BrokerIndex, area: Rect) -> f64 {
    pen.plan.broker(broker).map_or(area.y - 30.0, |plan| corridor(plan.area) + 4.0)
}
