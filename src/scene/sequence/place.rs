//! Where the rows of a sequence stand on a paper of some width, and how their words are broken into lines.

use super::{ArrowKind, Row, Sequence};
use crate::model::time::Millis;
use crate::scene::geometry::{Font, text_width};
use crate::text::Language;
use crate::text::format;
use crate::text::sequence::SequenceText;

/// The column of the moments, px.
pub const MARGIN: f64 = 92.0;
const LINE: f64 = 20.0;
/// Lifelines are at least so far apart; a narrower paper scrolls.
const LEAST_GAP: f64 = 132.0;
const FONT: Font = Font::Note;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placed {
    pub width: f64,
    pub height: f64,
    /// The middle of each lifeline.
    pub lifelines: Vec<f64>,
    pub heads: Vec<Vec<String>>,
    pub rows: Vec<PlacedRow>,
    pub now: Option<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlacedRow {
    pub event: Option<u32>,
    pub top: f64,
    pub height: f64,
    /// `1:15.502`, where the moment is another one than that of the row before.
    pub moment: String,
    pub shape: Shape,
    /// The words on the row, in lines, around `middle`.
    pub lines: Vec<String>,
    pub middle: f64,
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    Arrow { from: f64, to: f64, kind: ArrowKind },
    Note,
    Bar { from: f64, to: f64 },
    Cut,
}

/// Puts a sequence on a paper of that width, in that language.
pub fn place(sequence: &Sequence, width: f64, language: Language) -> Placed {
    let count = sequence.lifelines.len().max(1) as f64;
    let gap = ((width - MARGIN - 12.0) / count).max(LEAST_GAP);
    let lifelines: Vec<f64> =
        (0..sequence.lifelines.len()).map(|at| MARGIN + gap * (at as f64 + 0.5)).collect();
    let heads = sequence.lifelines.iter().map(|it| wrap(&it.name.say(language), gap - 16.0));
    let mut placed = Placed {
        width: MARGIN + gap * count + 12.0,
        height: 8.0,
        heads: heads.collect(),
        lifelines,
        rows: Vec::new(),
        now: sequence.now,
    };
    let mut last = String::new();
    for row in &sequence.rows {
        let mut placed_row = one(row, &placed.lifelines, gap, language);
        placed_row.top = placed.height;
        placed.height += placed_row.height;
        if placed_row.moment == last {
            placed_row.moment.clear();
        } else if !placed_row.moment.is_empty() {
            last = placed_row.moment.clone();
        }
        placed.rows.push(placed_row);
    }
    placed.height += 12.0;
    placed
}

fn one(row: &Row, lifelines: &[f64], gap: f64, language: Language) -> PlacedRow {
    let x = |place: usize| lifelines.get(place).copied().unwrap_or(MARGIN);
    let clock = |at: Millis| format::clock_short(at);
    match row {
        Row::Arrow { event, at, from, to, kind, told } => {
            let (from, to) = (x(*from), x(*to));
            let mut words = match (kind, told.code) {
                (_, None) => told.text.say(language).into_owned(),
                (ArrowKind::Answer, Some(code)) => {
                    format!("{} {}", code.number, told.text.say(language))
                }
                (_, Some(code)) => format!("{} {}", code.number, code.name),
            };
            if let Some(subject) = told.subject.as_ref().filter(|_| *kind != ArrowKind::Answer) {
                words.push_str(" · ");
                words.push_str(subject);
            }
            let lines = wrap(&words, ((to - from).abs() - 28.0).max(gap - 28.0));
            let height = 18.0 + LINE * lines.len() as f64;
            let shape = Shape::Arrow { from, to, kind: *kind };
            let name = format!("{} {}", format::clock(*at), told.sentence(language));
            let middle = f64::midpoint(from, to);
            let (event, moment) = (Some(*event), clock(*at));
            PlacedRow { event, top: 0.0, height, moment, shape, lines, middle, name }
        }
        Row::Note { event, at, lifeline, told } => {
            let mut words = told.subject.as_deref().unwrap_or_default().to_owned();
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(&told.text.say(language));
            let lines = wrap(&words, gap - 20.0);
            let height = 12.0 + LINE * lines.len() as f64;
            let name = format!("{} {}", format::clock(*at), told.sentence(language));
            let (event, moment, middle) = (Some(*event), clock(*at), x(*lifeline));
            PlacedRow { event, top: 0.0, height, moment, shape: Shape::Note, lines, middle, name }
        }
        Row::Bar { event, from, to, code, count } => {
            let (from, to) = (x(*from), x(*to));
            let text = SequenceText::Bar { number: code.number, name: code.name, count: *count };
            let name = text.say(language);
            let mut words = format!("{} {}", code.number, code.name);
            if *count > 1 {
                words.push_str(&format!(" ×{}", format::count(u64::from(*count))));
            }
            let lines = wrap(&words, ((to - from).abs() - 28.0).max(gap - 28.0));
            let height = 12.0 + LINE * lines.len() as f64;
            let (event, middle) = (Some(*event), f64::midpoint(from, to));
            let shape = Shape::Bar { from, to };
            PlacedRow { event, top: 0.0, height, moment: String::new(), shape, lines, middle, name }
        }
        Row::Cut { from, until } => {
            let name = SequenceText::Cut { span: until.since(*from) }.say(language);
            let ends = (lifelines.first().copied(), lifelines.last().copied());
            let middle = f64::midpoint(ends.0.unwrap_or(MARGIN), ends.1.unwrap_or(MARGIN));
            PlacedRow {
                event: None,
                top: 0.0,
                height: 36.0,
                moment: String::new(),
                shape: Shape::Cut,
                lines: vec![name.clone()],
                middle,
                name,
            }
        }
    }
}

/// Breaks words into lines of at most so many px: at blanks, after underscores and signs, and between
/// Chinese characters; what is too long by itself is broken anywhere.
pub fn wrap(words: &str, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for part in parts(words) {
        let line = lines.last_mut().expect("there is one from the start");
        let together = format!("{line}{part}");
        if text_width(together.trim_end(), FONT) <= width || line.is_empty() {
            *line = together;
        } else {
            lines.push(part);
        }
        let line = lines.last_mut().expect("there is one from the start");
        if text_width(line.trim_end(), FONT) > width {
            let pieces = broken(line, width);
            lines.pop();
            lines.extend(pieces);
        }
    }
    lines.iter().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

fn parts(words: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for sign in words.chars() {
        let is_wide = !sign.is_ascii() && sign.is_alphanumeric();
        if is_wide && parts.last().is_some_and(|part| !part.is_empty()) {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut() {
            part.push(sign);
        }
        if sign == ' ' || sign == '_' || is_wide || matches!(sign, '，' | '。' | '：') {
            parts.push(String::new());
        }
    }
    parts
}

fn broken(word: &str, width: f64) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for sign in word.chars() {
        let piece = pieces.last_mut().expect("there is one from the start");
        if !piece.is_empty() && text_width(&format!("{piece}{sign}"), FONT) > width {
            pieces.push(String::from(sign));
        } else {
            piece.push(sign);
        }
    }
    pieces
}
