//! Points and rectangles in the units of a coordinate system, and how wide words are.
//!
//! Floats are allowed in this room: nothing flows back from the picture into the model.

/// A point; x to the right, y down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

pub const fn point(x: f64, y: f64) -> Point {
    Point { x, y }
}

impl Point {
    pub fn plus(self, x: f64, y: f64) -> Point {
        point(self.x + x, self.y + y)
    }

    pub fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    /// The point a `part` (0 to 1) of the way to `other`.
    pub fn toward(self, other: Point, part: f64) -> Point {
        point(self.x + (other.x - self.x) * part, self.y + (other.y - self.y) * part)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

pub const fn rect(x: f64, y: f64, width: f64, height: f64) -> Rect {
    Rect { x, y, width, height }
}

impl Rect {
    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub fn middle(&self) -> Point {
        point(self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    pub fn moved(&self, x: f64, y: f64) -> Rect {
        rect(self.x + x, self.y + y, self.width, self.height)
    }

    /// The same rectangle with `by` cut off on all sides.
    pub fn inset(&self, by: f64) -> Rect {
        rect(self.x + by, self.y + by, self.width - 2.0 * by, self.height - 2.0 * by)
    }

    pub fn meets(&self, other: &Rect) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    pub fn holds(&self, other: &Rect) -> bool {
        self.x <= other.x
            && other.right() <= self.right()
            && self.y <= other.y
            && other.bottom() <= self.bottom()
    }
}

/// The sizes and weights of stage text (`mock/TOKENS.md`, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Font {
    /// 16, second ink: notes and units.
    Note,
    /// 18: every stage label.
    Label,
    /// 18 bold: flags, cards, headings.
    LabelBold,
    /// 18 bold on solid: the sign of what was killed.
    LabelOn,
    /// 20: offsets in slots.
    Offset,
    /// 20 bold: names of queues and processes.
    Name,
    /// 14 bold: the figure in a station's disc, nothing else.
    Disc,
    /// 14 bold on solid.
    DiscOn,
    /// 26 bold: count-downs of the follow view.
    Count,
}

impl Font {
    pub const fn pixels(self) -> f64 {
        match self {
            Font::Disc | Font::DiscOn => 14.0,
            Font::Note => 16.0,
            Font::Label | Font::LabelBold | Font::LabelOn => 18.0,
            Font::Offset | Font::Name => 20.0,
            Font::Count => 26.0,
        }
    }

    pub const fn is_bold(self) -> bool {
        !matches!(self, Font::Note | Font::Label | Font::Offset)
    }

    /// Class in the style sheet.
    pub const fn class(self) -> &'static str {
        match self {
            Font::Note => "n",
            Font::Label => "l",
            Font::LabelBold => "lb",
            Font::LabelOn => "lb on",
            Font::Offset => "o",
            Font::Name => "ob",
            Font::Disc => "dn",
            Font::DiscOn => "dn on",
            Font::Count => "big",
        }
    }
}

/// How wide words are in the stack's Latin face (Helvetica's widths, which Arial and Liberation
/// share) and in any CJK face, whose signs are square. Not exact, and never too small by much.
pub fn text_width(words: &str, font: Font) -> f64 {
    let thousandths: u32 = words.chars().map(|sign| advance(sign, font.is_bold())).sum();
    f64::from(thousandths) / 1000.0 * font.pixels()
}

fn advance(sign: char, bold: bool) -> u32 {
    match sign {
        '0'..='9' => 556,
        ' ' | '.' | ',' | '/' | '!' => 278,
        ':' | ';' => 278 + 55 * u32::from(bold),
        'i' | 'j' | 'l' => 222 + 56 * u32::from(bold),
        'f' | 't' | 'I' => 278 + 55 * u32::from(bold),
        'r' | '-' | '(' | ')' | '·' => 333 + 56 * u32::from(bold),
        'c' | 'k' | 's' | 'v' | 'x' | 'y' | 'z' | 'J' => 500 + 56 * u32::from(bold),
        'm' => 833 + 56 * u32::from(bold),
        'w' => 722 + 56 * u32::from(bold),
        'M' => 833,
        'W' => 944,
        '%' => 889,
        'F' | 'T' | 'Z' | 'L' => 611,
        'A' | 'B' | 'E' | 'K' | 'P' | 'S' | 'V' | 'X' | 'Y' => 667 + 55 * u32::from(bold),
        'C' | 'D' | 'H' | 'N' | 'R' | 'U' => 722,
        'G' | 'O' | 'Q' => 778,
        '–' | '_' => 556,
        '→' | '…' | '←' => 1000,
        '×' => 584,
        'a'..='z' => 556 + 55 * u32::from(bold),
        _ if sign.is_ascii() => 560,
        _ => 1000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_as_wide_as_in_the_mock() {
        // Measured on the drawn mock in Chromium.
        assert!((text_width("send back", Font::Label) - 80.0).abs() < 3.0);
        assert!((text_width("23.8 of 30 s", Font::LabelBold) - 97.0).abs() < 4.0);
        assert_eq!(text_width("消费", Font::Note), 32.0);
    }
}
