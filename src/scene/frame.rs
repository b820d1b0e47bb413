//! `Frame`: the picture at one story time, with every position settled.
//!
//! The view draws it one to one, tests print it as text, exports are written from it. It consists of
//! *marks*; a mark is one thing that can be meant (selected, focused, named), made of shapes in its
//! own coordinates, so that moving it changes only `at`.

use std::fmt::Write as _;
use std::rc::Rc;

use super::beat::Place;
use super::card::MessageState;
use super::geometry::{Font, Point, Rect};
use super::mark::{MarkId, TokenId};
use crate::model::ids::UniqueKey;
use crate::text::Term;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    pub width: f64,
    pub height: f64,
    /// In the order of drawing, which is that of their layers.
    pub marks: Vec<Rc<Mark>>,
    /// What the eye follows while a beat is told.
    pub subject: Option<Subject>,
}

/// The one thing that is followed, and where its middle is.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    pub mark: MarkId,
    pub at: Point,
}

/// How much of its light a mark has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dim {
    #[default]
    Lit,
    /// On the way there and back.
    Half,
    /// It takes no part in the beat that is told.
    Full,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mark {
    /// What it is, if it can be selected; ground, headings and hairlines have none.
    pub id: Option<MarkId>,
    /// Stable from frame to frame, for what moves. Marks without one are keyed by their place.
    pub token: Option<TokenId>,
    /// When it was not there before: it comes out of this one.
    pub comes_from: Option<TokenId>,
    /// The message it shows: should its token be new, it comes from where the same message's
    /// vanished token was.
    pub kin: Option<UniqueKey>,
    /// And if there was none, from here.
    pub enters_from: Option<Point>,
    /// Or from under this one, where that was.
    pub slides_from: Option<TokenId>,
    /// It is drawn only on its way to where nothing is seen of it.
    pub leaves: bool,
    pub at: Point,
    /// What a finger may hit and a focus ring surrounds, relative to `at`.
    pub area: Rect,
    /// The accessible name; empty for decoration.
    pub name: String,
    /// What it is, told on hover and focus.
    pub term: Option<Term>,
    pub state: Option<MessageState>,
    pub layer: Layer,
    /// Within its layer: lower ones lie under higher ones.
    pub depth: i64,
    /// Its turn when the stage is read aloud or walked over by keyboard: along the data's flow.
    pub turn: u32,
    /// It lies under the marker.
    pub is_followed: bool,
    pub dim: Dim,
    /// How far it is lifted off the ground, 0 to 1: the subject of a beat.
    pub lift: f64,
    /// It is on its way, or is drawn for what is: another one in each frame, while the rest stands.
    pub moves: bool,
    pub shapes: Vec<Shape>,
}

/// What is drawn on what. Whatever may move has a layer above what stands, so that nothing needs to
/// change its place in the document, and with it the focus, when it sets out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    #[default]
    Ground,
    Tokens,
    /// Numbered discs and their plates.
    Top,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Rect { area: Rect, paint: Paint },
    Circle { center: Point, radius: f64, paint: Paint },
    Path { d: String, paint: Paint, tip: Tip },
    Text { at: Point, words: String, font: Font, anchor: Anchor, fit: Option<f64> },
    Glyph { glyph: Glyph, at: Point, size: f64 },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    #[default]
    Start,
    Middle,
    End,
}

/// What a line ends in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tip {
    #[default]
    None,
    /// Filled: it happened.
    Solid,
    /// Open: it will happen.
    Open,
}

/// The inks of `mock/TOKENS.md`, by what they mean. The style sheet gives them colour and width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// Sheet with the 2 px ink edge: boxes, cards, slots.
    Box,
    /// The same with the client's dashed edge.
    Process,
    /// A local retry's edge.
    Dashed,
    Sheet,
    Panel,
    /// Panel with an edge.
    PanelBox,
    /// An empty level of the staircase: panel with a thin edge.
    Step,
    Paper,
    Ink,
    Solid,
    /// A 3 px line on solid.
    OnSolid,
    Marker,
    Line,
    Thin,
    Hair,
    /// Slot dividers.
    Divider,
    /// A line that will carry something, short dashes.
    DashedLine,
    Ghost,
    /// A ghost with sheet inside: C as the client would report it.
    GhostFlag,
    /// The bar at the log's end, 5 px.
    End,
    /// The shelf's plank, 4 px.
    Plank,
    /// 3 px line: pit, crack.
    Heavy,
    /// The marker band, 14 px.
    Band,
    /// The followed past.
    Past,
    /// What will happen.
    Next,
    /// An answer.
    Answer,
    /// A request in flight.
    Wire,
    RingGround,
    RingInk,
    /// Thick rings of padlocks.
    LockGround,
    LockInk,
    /// The disc of a station that is now.
    DiscNow,
    DiscPast,
    DiscNext,
    /// A state's hue and pattern.
    State(MessageState),
    /// Purple edge of what is delivered again.
    Again,
    Hatch,
    /// Nothing visible: the ground that a finger hits.
    Bare,
}

impl Paint {
    /// Classes in the style sheet.
    pub const fn class(self) -> &'static str {
        match self {
            Paint::Box => "box",
            Paint::Process => "proc",
            Paint::Dashed => "box dashed",
            Paint::Sheet => "sheetf",
            Paint::Panel => "panelf",
            Paint::PanelBox => "panelf edge",
            Paint::Step => "panelf thin",
            Paint::Paper => "paperf",
            Paint::Ink => "ink",
            Paint::Solid => "inkf",
            Paint::OnSolid => "on-solid",
            Paint::Marker => "markf",
            Paint::Line => "ln",
            Paint::Thin => "ln1",
            Paint::Hair => "hair",
            Paint::Divider => "divider",
            Paint::DashedLine => "ln dash",
            Paint::Ghost => "ghost",
            Paint::GhostFlag => "ghostflag",
            Paint::End => "endbar",
            Paint::Plank => "plank",
            Paint::Heavy => "heavy",
            Paint::Band => "band",
            Paint::Past => "past",
            Paint::Next => "next",
            Paint::Answer => "ln answer",
            Paint::Wire => "ln",
            Paint::RingGround => "ringbg",
            Paint::RingInk => "ringfg",
            Paint::LockGround => "ringbg lockring",
            Paint::LockInk => "ringfg lockring",
            Paint::DiscNow => "disc-now",
            Paint::DiscPast => "disc-past",
            Paint::DiscNext => "disc-next",
            Paint::State(state) => match state {
                MessageState::Stored => "sheetf",
                MessageState::Waiting => "st-waiting",
                MessageState::Running => "st-running",
                MessageState::Done => "st-done",
                MessageState::Failed => "st-failed",
                MessageState::SentBack => "st-sent-back",
                MessageState::Delayed => "st-delayed",
                MessageState::LocalRetry => "st-local-retry",
                MessageState::Dead => "inkf",
                MessageState::Lost => "ghost",
            },
            Paint::Again => "again",
            Paint::Hatch => "hatch",
            Paint::Bare => "bare",
        }
    }
}

/// The small signs of 16 × 16 (`mock/TOKENS.md`, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    Wait,
    Run,
    Done,
    Fail,
    Back,
    Clock,
    Again,
    Dead,
    Lock,
    Key,
    Clip,
}

impl Glyph {
    pub const ALL: [Glyph; 11] = [
        Glyph::Wait,
        Glyph::Run,
        Glyph::Done,
        Glyph::Fail,
        Glyph::Back,
        Glyph::Clock,
        Glyph::Again,
        Glyph::Dead,
        Glyph::Lock,
        Glyph::Key,
        Glyph::Clip,
    ];

    /// The id of its symbol in the page.
    pub const fn id(self) -> &'static str {
        match self {
            Glyph::Wait => "g-wait",
            Glyph::Run => "g-run",
            Glyph::Done => "g-done",
            Glyph::Fail => "g-fail",
            Glyph::Back => "g-back",
            Glyph::Clock => "g-clock",
            Glyph::Again => "g-again",
            Glyph::Dead => "g-dead",
            Glyph::Lock => "g-lock",
            Glyph::Key => "g-key",
            Glyph::Clip => "g-clip",
        }
    }
}

impl Frame {
    pub fn mark(&self, id: &MarkId) -> Option<&Mark> {
        self.marks.iter().map(|mark| &**mark).find(|mark| mark.id.as_ref() == Some(id))
    }

    pub fn token(&self, token: &TokenId) -> Option<&Mark> {
        self.marks.iter().map(|mark| &**mark).find(|mark| mark.token.as_ref() == Some(token))
    }

    /// The token's mark as it is shared with other frames.
    pub fn shared_token(&self, token: &TokenId) -> Option<&Rc<Mark>> {
        self.marks.iter().find(|mark| mark.token.as_ref() == Some(token))
    }

    /// Where a thing's mark is, in the frame's units.
    pub fn area_of(&self, id: &MarkId) -> Option<Rect> {
        let mut all = self.marks.iter().filter(|mark| mark.id.as_ref() == Some(id));
        let mark = all.find(|mark| mark.area.width > 0.0)?;
        Some(mark.area.moved(mark.at.x, mark.at.y))
    }

    /// Where a place of a beat is.
    pub fn rect_of(&self, place: &Place) -> Option<Rect> {
        match place {
            Place::Token(token) => {
                let mark = self.token(token)?;
                Some(mark.area.moved(mark.at.x, mark.at.y))
            }
            Place::Mark(id) => self.area_of(id),
            // Where nothing is drawn that has a name: `draw::Spots` knows.
            Place::Spot(_) => None,
        }
    }

    /// One line for each mark that means something: where it is, what it is called, its words.
    /// This is what scene tests compare.
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for mark in self.marks.iter().filter(|mark| !mark.name.is_empty()) {
            let _ = write!(out, "{:<4.0} {:<4.0} {}", mark.at.x, mark.at.y, mark.name);
            let words: Vec<&str> = mark.words().collect();
            if !words.is_empty() {
                let _ = write!(out, "  [{}]", words.join(" | "));
            }
            out.push('\n');
        }
        out
    }
}

impl Mark {
    /// Its words in the order of drawing.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Text { words, .. } => Some(words.as_str()),
            _ => None,
        })
    }
}
