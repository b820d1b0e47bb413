//! A beat on the stage: its movers on their way, what they leave behind, and what takes no part.
//!
//! Everything is a function of two frames, the one before the beat and the one after it, and of the
//! story time: what was drawn before is remembered nowhere.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::lit::Lit;
use super::pace::eased;
use super::{Beat, BeatKind, Mover, Picture, Place};
use crate::scene::card::Label;
use crate::scene::draw::{self, Spots};
use crate::scene::frame::{Dim, Frame, Layer, Mark, Paint, Shape, Subject, Tip};
use crate::scene::geometry::{Font, Point, Rect, point, rect, text_width};
use crate::scene::layout::{Layout, System};
use crate::scene::mark::TokenId;
use crate::scene::scene::{Fixture, Spot};
use crate::scene::timeline::StoryMs;

/// What has no part in a beat fades within so long, story ms.
pub const FADE_MS: StoryMs = 160.0;

/// So far down the headings of the stage go.
const HEADINGS: f64 = 30.0;

/// A beat with the pictures before and after it.
pub struct Stage<'a> {
    pub beat: &'a Beat,
    pub before: &'a Frame,
    pub after: &'a Frame,
    /// Where spots are in the two.
    pub spots: [&'a Spots<'a>; 2],
    pub story: StoryMs,
    pub layout: &'a Layout,
    /// What the messages are called that it is about or that it carries.
    pub names: &'a [Label],
}

/// What stands still during one beat, before the landing and after it, at each degree of dimming: made
/// once, and then shared by all frames of the beat.
#[derive(Clone, Debug, Default)]
pub struct Grounds([[Option<Frame>; 3]; 2]);

/// One mover with the ends of its way.
struct Journey {
    from: Rect,
    to: Rect,
    /// 0 to 1, eased.
    part: f64,
    picture: Rc<Mark>,
    leaves: Option<TokenId>,
    is_copy: bool,
    /// A call or its answer: seen only while it is on its way.
    is_a_call: bool,
}

impl Stage<'_> {
    /// The picture while the beat is told: what moves is on its way until it lands, and then what has
    /// changed by its arrival follows.
    pub fn frame(&self, pending: &[&Beat], grounds: &mut Grounds) -> Frame {
        let has_landed = self.story >= self.beat.lands_ms || self.appears();
        let dim = self.dim();
        let ground = grounds.0[usize::from(has_landed)][dim as usize]
            .get_or_insert_with(|| self.ground(has_landed, dim, pending))
            .clone();
        let mut frame = if has_landed { self.settling(ground) } else { self.travelling(ground) };
        order(&mut frame);
        frame
    }

    /// All that does not move, as long as it looks the same.
    fn ground(&self, has_landed: bool, dim: Dim, pending: &[&Beat]) -> Frame {
        let mut frame = if has_landed { self.after.clone() } else { self.before.clone() };
        let under_way = if has_landed { &[][..] } else { &self.beat.movers[..] };
        hold_back(&mut frame, under_way, pending, &|place| self.exact(place, [1, 0]));
        if dim != Dim::Lit {
            let journeys = self.journeys();
            let moving = journeys.iter().filter_map(|it| it.picture.token.clone());
            let lit = Lit::of(self.beat, moving);
            for mark in frame.marks.iter_mut().filter(|mark| !lit.holds(mark)) {
                Rc::make_mut(mark).dim = dim;
            }
        }
        frame
    }

    /// What the beat is about was not there before: it is seen from the beat's first moment on.
    fn appears(&self) -> bool {
        let about = self.beat.lit.first().filter(|_| self.beat.movers.is_empty());
        about.is_some_and(|mark| self.before.area_of(mark).is_none())
    }

    /// One cut: where it was, the way, and where it is.
    pub fn still(&self, pending: &[&Beat]) -> Frame {
        let mut frame = self.after.clone();
        frame.marks.retain(|mark| !mark.leaves);
        for journey in self.journeys().into_iter().filter(|it| it.part > 0.0) {
            let (from, to) = (journey.from.middle(), journey.to.middle());
            if from.distance(to) > 1.0 {
                let trail = trail(from, to, journey.leaves.is_some().then_some(journey.from));
                frame.marks.push(Rc::new(trail.arrow(line(from, to), Paint::Past, Tip::Solid)));
            }
        }
        frame.subject = self.subject(&frame);
        hold_back(&mut frame, &[], pending, &|place| self.exact(place, [1, 0]));
        order(&mut frame);
        frame
    }

    fn travelling(&self, mut frame: Frame) -> Frame {
        let journeys = self.journeys();
        let subject = self.beat.subject_at(self.story);
        let in_turns = self.beat.turns() > 1;
        let is_seen = |place: usize, journey: &Journey| match in_turns {
            true => subject == Some(place) || (journey.part > 0.0 && !journey.is_a_call),
            false => journey.part > 0.0 || self.lift() > 0.0,
        };
        // What is drawn on its way is not drawn where it was or will be; a copy leaves what it is of.
        let mut hidden: BTreeSet<&TokenId> = BTreeSet::new();
        let seen = || journeys.iter().enumerate().filter(|(place, it)| is_seen(*place, it));
        for (_, journey) in seen() {
            hidden.extend(journey.picture.token.as_ref().filter(|_| !journey.is_copy));
            hidden.extend(journey.leaves.as_ref());
        }
        frame.marks.retain(|mark| mark.token.as_ref().is_none_or(|it| !hidden.contains(it)));
        if self.beat.cause.is_some() && self.story < self.beat.departs_ms {
            frame.marks.extend(self.cause_line().map(on_its_way));
        }
        frame.marks.extend(self.awaiting().map(on_its_way));
        for (place, journey) in seen() {
            let at = self.way(journey);
            let middle = journey.from.middle();
            if journey.part > 0.0 && !self.beat.is_passing {
                let outline = journey.leaves.as_ref().map(|_| journey.from);
                frame.marks.push(on_its_way(trail(middle, at, outline)));
            }
            let is_subject = subject == Some(place);
            frame.marks.push(on_its_way(self.moving(journey, at, is_subject)));
            if is_subject && journey.part > 0.0 {
                frame.marks.extend(self.plate(journey, at).map(on_its_way));
            }
        }
        frame.subject = self.subject(&frame);
        frame
    }

    /// After the landing: flags, pins and neighbours whose place has changed go there.
    fn settling(&self, mut frame: Frame) -> Frame {
        let span = (self.beat.ends_ms - self.beat.lands_ms).max(1.0);
        let part = eased((self.story - self.beat.lands_ms) / span);
        let movers: BTreeSet<&TokenId> =
            self.beat.movers.iter().filter_map(|mover| mover.token()).collect();
        frame.marks.retain_mut(|mark| {
            let token = mark.token.as_ref().filter(|it| !movers.contains(it));
            let Some(before) = token.and_then(|token| self.origin(token, mark)) else {
                return !mark.leaves;
            };
            if part >= 1.0 || before.distance(mark.at) <= 0.5 {
                return !mark.leaves;
            }
            let at = before.toward(mark.at, part);
            Rc::make_mut(mark).at = at;
            true
        });
        frame.subject = self.subject(&frame);
        frame
    }

    /// Where a token comes from: where it was, or out from under its neighbour.
    fn origin(&self, token: &TokenId, mark: &Mark) -> Option<Point> {
        let neighbour = || self.before.token(mark.slides_from.as_ref()?);
        self.before.token(token).or_else(neighbour).map(|before| before.at)
    }

    fn journeys(&self) -> Vec<Journey> {
        let movers = self.beat.movers.iter().enumerate();
        movers.filter_map(|(place, mover)| self.journey(place, mover)).collect()
    }

    fn journey(&self, place: usize, mover: &Mover) -> Option<Journey> {
        let part = match self.layout.is_still {
            true => 1.0,
            false => eased(self.beat.part(place, self.story)),
        };
        let to = self.find(&mover.to, [1, 0])?;
        let from = self.find(&mover.from, [0, 1])?;
        let (from, to) = (anchor(&mover.from, from, to), anchor(&mover.to, to, from));
        let picture = match &mover.picture {
            Picture::Token(token) => {
                let drawn = self.after.shared_token(token).or(self.before.shared_token(token));
                // What is only counted where it goes to is a slip with its name on the way.
                drawn.cloned().or_else(|| Some(Rc::new(draw::slip(&self.name_of(token)?))))?
            }
            Picture::Plate(number) => Rc::new(draw::plate(*number, "", self.layout)),
            Picture::Verdict { number, is_granted } => {
                let sign = if *is_granted { "✓" } else { "✕" };
                Rc::new(draw::plate(*number, sign, self.layout))
            }
            Picture::Slip { queue, offset } => {
                let slip = format!("{} C {offset}", self.spots[1].label(queue));
                Rc::new(draw::plate(self.beat.plate.unwrap_or(15), &slip, self.layout))
            }
            Picture::Name(queue) => Rc::new(draw::slip(&self.spots[1].label(queue))),
        };
        let leaves = match &mover.from {
            Place::Spot(Spot::Producer(process)) => Some(TokenId::NextSend(*process)),
            Place::Token(token) if !mover.is_copy && self.before.token(token).is_some() => {
                Some(token.clone())
            }
            _ => None,
        };
        let part = if mover.is_lost { part * 0.5 } else { part };
        let is_a_call = matches!(mover.picture, Picture::Plate(_) | Picture::Verdict { .. });
        Some(Journey { from, to, part, picture, leaves, is_copy: mover.is_copy, is_a_call })
    }

    /// The held pull to which a copy goes: the world has let it go already.
    fn awaiting(&self) -> Option<Mark> {
        let mover = self.beat.movers.first().filter(|_| self.beat.kind == BeatKind::Wake)?;
        let Place::Spot(Spot::Bench(queue)) = &mover.to else { return None };
        let area = self.find(&mover.to, [1, 0])?;
        let mark = draw::held(&self.spots[1].label(queue), area);
        Some(Mark { layer: Layer::Top, depth: -2, ..mark })
    }

    /// What is written on a token that is not drawn anywhere.
    fn name_of(&self, token: &TokenId) -> Option<Label> {
        match token {
            TokenId::Pull(_, queue) => Some(self.spots[1].label(queue)),
            _ => self.names.first().cloned(),
        }
    }

    /// Where a place is, or the room in which it would be where it is not drawn; the two pictures in
    /// the order of asking.
    fn find(&self, place: &Place, order: [usize; 2]) -> Option<Rect> {
        let frames = [self.before, self.after];
        self.exact(place, order).or_else(|| {
            let mut around = self.beat.lit.iter();
            around.find_map(|mark| order.iter().find_map(|at| frames[*at].area_of(mark)))
        })
    }

    /// Where a place is drawn, if it is.
    fn exact(&self, place: &Place, order: [usize; 2]) -> Option<Rect> {
        let frames = [self.before, self.after];
        order.iter().find_map(|at| match place {
            Place::Spot(spot) => self.spots[*at].area(spot),
            Place::Token(_) | Place::Mark(_) => frames[*at].rect_of(place),
        })
    }

    /// The middle of what moves: straight, or with one bend where it goes down to the delay levels.
    fn way(&self, journey: &Journey) -> Point {
        let (from, to) = (journey.from.middle(), journey.to.middle());
        let is_upward = self.layout.system == System::Rooms;
        if is_upward || self.beat.kind != BeatKind::SendBack || from.x < to.x + 200.0 {
            return from.toward(to, journey.part);
        }
        let corner = point(from.x.min(to.x + 320.0), to.y - 24.0);
        let (first, second) = (from.distance(corner), corner.distance(to));
        let gone = journey.part * (first + second);
        match gone <= first {
            true => from.toward(corner, if first > 0.0 { gone / first } else { 1.0 }),
            false => corner.toward(to, (gone - first) / second.max(1.0)),
        }
    }

    /// How far what moves is lifted, 0 to 1.
    fn lift(&self) -> f64 {
        let Beat { starts_ms, departs_ms, is_passing, .. } = *self.beat;
        match is_passing || self.layout.is_still {
            true => 0.0,
            false => ((self.story - starts_ms) / (departs_ms - starts_ms).max(1.0)).clamp(0.0, 1.0),
        }
    }

    fn moving(&self, journey: &Journey, at: Point, is_subject: bool) -> Mark {
        let mut mark = (*journey.picture).clone();
        let middle = mark.area.middle();
        mark.at = point(at.x - middle.x, at.y - middle.y);
        if self.beat.kind == BeatKind::Answer && !self.names.is_empty() {
            mark = parcel(mark, self.names, self.beat.count);
        }
        mark.layer = Layer::Top;
        mark.depth = i64::from(is_subject);
        if is_subject && !self.beat.is_passing {
            mark.lift = self.lift();
            let has_ground =
                matches!(mark.shapes.first(), Some(Shape::Rect { paint: Paint::Marker, .. }));
            if !has_ground {
                let halo = Shape::Rect { area: mark.area.inset(-6.0), paint: Paint::Marker };
                mark.shapes.insert(0, halo);
            }
        }
        mark
    }

    /// The call that carries the subject rides above it.
    fn plate(&self, journey: &Journey, at: Point) -> Option<Mark> {
        let number = self.beat.plate.filter(|_| !self.beat.is_passing)?;
        if !matches!(self.beat.movers[0].picture, Picture::Token(_)) {
            return None;
        }
        let plate = draw::plate(number, "", self.layout);
        let up = journey.picture.area.height / 2.0 + plate.area.height / 2.0 + 6.0;
        let area = self.layout.system.area();
        let half = plate.area.width / 2.0;
        let x = at.x.clamp(half + 2.0, area.right() - half - 2.0);
        // Never over the headings.
        let y = if at.y - up - plate.area.height / 2.0 < HEADINGS { at.y + up } else { at.y - up };
        Some(plate.placed(point(x, y)).on_top())
    }

    fn cause_line(&self) -> Option<Mark> {
        let (from, to) = self.beat.cause.as_ref()?;
        let from = self.find(from, [1, 0])?.middle();
        let to = self.find(to, [0, 1])?.middle();
        let end = from.toward(to, eased(self.lift()));
        let mark = Mark::ground().path(line(from, end), Paint::Band);
        Some(Mark { layer: Layer::Top, depth: -2, ..mark }.arrow(
            line(from, end),
            Paint::Past,
            Tip::Solid,
        ))
    }

    /// What the eye follows, and where it is.
    fn subject(&self, frame: &Frame) -> Option<Subject> {
        let lit = self.beat.lit.first()?.clone();
        let mover = self.beat.subject_at(self.story).map(|place| &self.beat.movers[place]);
        let Some(mover) = mover else {
            let at = frame.area_of(&lit)?.middle();
            return Some(Subject { mark: lit, at });
        };
        let place = self.beat.subject_at(self.story)?;
        let journey = self.journey(place, mover)?;
        let mark = journey.picture.id.clone().unwrap_or(lit);
        Some(Subject { mark, at: self.way(&journey) })
    }

    /// How far what takes no part has faded.
    fn dim(&self) -> Dim {
        let Beat { starts_ms, ends_ms, .. } = *self.beat;
        match self.story {
            _ if self.beat.is_passing || self.layout.is_still => Dim::Lit,
            at if at - starts_ms < FADE_MS / 2.0 => Dim::Half,
            at if ends_ms - at < FADE_MS / 2.0 => Dim::Half,
            _ => Dim::Full,
        }
    }
}

impl Mover {
    fn token(&self) -> Option<&TokenId> {
        match &self.picture {
            Picture::Token(token) => Some(token),
            Picture::Plate(_)
            | Picture::Verdict { .. }
            | Picture::Slip { .. }
            | Picture::Name(_) => None,
        }
    }
}

/// What a pull brings hangs under it: the names of a few, of many how many.
fn parcel(mark: Mark, names: &[Label], count: u32) -> Mark {
    let words = match names.len() {
        few if few == count as usize && few <= 3 => names.join(" "),
        _ => format!("×{count}"),
    };
    let width = text_width(&words, Font::LabelBold) + 16.0;
    let middle = mark.area.middle().x;
    let area = rect(middle - width / 2.0, mark.area.bottom() + 4.0, width, 28.0);
    mark.rect(area, Paint::Box)
        .line(point(area.x, area.y + 6.0), point(area.right(), area.y + 6.0), Paint::Thin)
        .words_mid(middle, area.y + 22.5, words, Font::LabelBold)
}

fn movers_of<'a>(pending: &'a [&Beat]) -> impl Iterator<Item = &'a Mover> {
    pending.iter().flat_map(|beat| &beat.movers)
}

/// Of several beats of one task the world shows the end at once: what a later one moves still stands
/// where it comes from; and where it comes from something that is under way itself, nothing is seen of it.
pub fn hold_back(
    frame: &mut Frame,
    under_way: &[Mover],
    pending: &[&Beat],
    find: &dyn Fn(&Place) -> Option<Rect>,
) {
    // Of a copy the original stands where it is anyway.
    for mover in movers_of(pending).filter(|mover| !mover.is_copy) {
        let Some(token) = mover.token() else { continue };
        let Some(mark) = frame.shared_token(token).cloned() else { continue };
        // What a pull has brought is in its parcel as long as that is closed.
        if matches!(mover.from, Place::Spot(Spot::At(Fixture::Belt(..)))) {
            frame.marks.retain(|other| other.token.as_ref() != Some(token));
            continue;
        }
        if mark.layer == Layer::Top || mover.from == mover.to {
            continue;
        }
        frame.marks.retain(|other| other.token.as_ref() != Some(token));
        // It comes from where something of an earlier one is still to arrive: not seen before that.
        let is_to_come = |other: &Mover| matches!((&mover.from, other.token()), (Place::Token(from), Some(of)) if from == of);
        let earlier = movers_of(pending).take_while(|other| !std::ptr::eq(*other, mover));
        if under_way.iter().chain(earlier).any(is_to_come) {
            continue;
        }
        // Where that is not drawn, it is not seen before it comes.
        let Some(from) = find(&mover.from) else { continue };
        // Its outline comes when it goes.
        if let Place::Token(outline) = &mover.from {
            frame.marks.retain(|other| other.token.as_ref() != Some(outline));
        }
        let mut waits = (*mark).clone();
        // It stands: nothing that changes by a landing moves it.
        waits.token = None;
        let (to, middle) = (from.middle(), waits.area.middle());
        waits.at = point(to.x - middle.x, to.y - middle.y);
        frame.marks.push(Rc::new(waits));
    }
}

fn on_its_way(mark: Mark) -> Rc<Mark> {
    Rc::new(Mark { moves: true, ..mark })
}

fn order(frame: &mut Frame) {
    crate::model::order::sort_by_key(&mut frame.marks, |mark| (mark.layer, mark.depth));
}

/// The band behind what moves, and where it was as an outline, unless the original stays.
fn trail(from: Point, at: Point, left: Option<Rect>) -> Mark {
    let mut mark = Mark::ground();
    if let Some(left) = left {
        mark = mark.rect(left.inset(2.0), Paint::Ghost);
    }
    if from.distance(at) > 1.0 {
        mark = mark.path(line(from, at), Paint::Band);
    }
    mark.layer = Layer::Top;
    mark.depth = -3;
    mark
}

fn line(from: Point, to: Point) -> String {
    draw::polyline(&[from, to])
}

/// From a whole machine a plate goes out by the side that faces the other end.
fn anchor(place: &Place, area: Rect, other: Rect) -> Rect {
    let Place::Mark(mark) = place else { return area };
    if !mark.is_machine() {
        return area;
    }
    let y = (area.y + 24.0).min(area.middle().y);
    let x = if other.middle().x < area.middle().x { area.x } else { area.right() };
    rect(x, y, 0.0, 0.0)
}
