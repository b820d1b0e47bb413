//! Inks of a chart. plotters only knows numbers for colours, so each ink is drawn in a colour of its
//! own that is replaced by the name of its custom property afterwards.

use plotters::style::RGBColor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Lines and words.
    Ink,
    /// Notes and axis figures.
    Note,
    Hair,
    /// The hatched lag.
    Lag,
    /// Behind labels.
    Paper,
    /// Strokes of the real recording.
    Real,
    /// A bar's ground.
    Panel,
}

impl Ink {
    const ALL: [Ink; 7] =
        [Ink::Ink, Ink::Note, Ink::Hair, Ink::Lag, Ink::Paper, Ink::Real, Ink::Panel];

    /// The stand-in.
    pub const fn color(self) -> RGBColor {
        RGBColor(1, 2, self as u8)
    }

    const fn value(self) -> &'static str {
        match self {
            Ink::Ink => "var(--ink)",
            Ink::Note => "var(--ink2)",
            Ink::Hair => "var(--hair)",
            Ink::Lag => "url(#p-hatch-l)",
            Ink::Paper => "var(--paper)",
            Ink::Real => "var(--link)",
            Ink::Panel => "var(--panel)",
        }
    }
}

/// Puts the custom properties in place of the stand-ins.
pub fn with_properties(mut svg: String) -> String {
    for ink in Ink::ALL {
        let RGBColor(red, green, blue) = ink.color();
        svg = svg.replace(&format!("#{red:02X}{green:02X}{blue:02X}"), ink.value());
    }
    svg
}
