//! The offsets of one queue over time: M solid, P dashed, C stepped with triangles, the client's own
//! C dotted, the lag hatched; each line named at its end (UX 9).

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::ink::Ink;
use super::nice;
use super::paper::{self, Area, BOTTOM, Drawn, FIGURE, LABEL, LEFT, TOP, TimeAxis, text};

/// Which offset a line tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// M: the next to be written.
    Max,
    /// P: the next to be pulled.
    Pull,
    /// C: as the broker has it.
    Committed,
    /// C as the client would report it.
    Client,
}

/// A value that stays until the next point: seconds, offset.
#[derive(Clone, Debug, PartialEq)]
pub struct OffsetLine {
    pub which: Which,
    pub points: Vec<(f64, i64)>,
    /// What stands at its end: `M 23`.
    pub label: String,
}

#[derive(Clone, Debug)]
pub struct OffsetChart {
    /// The moment shown, seconds; nothing later is drawn.
    pub now: f64,
    pub lines: Vec<OffsetLine>,
    /// Moments of the real recording's deliveries, seconds.
    pub real: Vec<f64>,
    /// `lag`, or empty.
    pub lag: String,
    pub size: (u32, u32),
    /// Writes an axis figure, seconds: `20 s`.
    pub seconds: fn(f64) -> String,
}

/// Draws it; an empty text if there is nothing to draw or no room.
pub fn draw(chart: &OffsetChart) -> String {
    let values = || chart.lines.iter().flat_map(|line| line.points.iter().map(|point| point.1));
    let (Some(low), Some(high)) = (values().min(), values().max()) else { return String::new() };
    if chart.size.0 < 240 || chart.size.1 < 60 {
        return String::new();
    }
    let scale = Scale::new(chart, low, high);
    paper::draw(chart.size, |area| draw_all(area, chart, &scale))
}

/// From seconds and offsets to pixels.
struct Scale {
    time: TimeAxis,
    low: f64,
    high: f64,
    rows: f64,
    height: f64,
}

impl Scale {
    fn new(chart: &OffsetChart, low: i64, high: i64) -> Scale {
        let time = TimeAxis::new(chart.size.0, chart.now);
        let height = f64::from(chart.size.1 as i32 - TOP - BOTTOM);
        let span = (high - low).max(1) as f64;
        let rows = nice::whole(span, (height / 26.0).max(1.0) as u32);
        let low = (low as f64 / rows).floor() * rows;
        let high = (high as f64 / rows).ceil().max(low / rows + 1.0) * rows;
        Scale { time, low, high, rows, height }
    }

    fn x(&self, seconds: f64) -> i32 {
        self.time.x(seconds)
    }

    fn y(&self, offset: f64) -> i32 {
        TOP + ((self.high - offset) / (self.high - self.low) * self.height).round() as i32
    }
}

fn draw_all<'a>(area: &Area<'a>, chart: &OffsetChart, scale: &Scale) -> Drawn<'a> {
    axes(area, chart, scale)?;
    let find = |which| chart.lines.iter().find(|line| line.which == which);
    if let (Some(max), Some(committed)) = (find(Which::Max), find(Which::Committed)) {
        lag(area, chart, scale, max, committed)?;
    }
    for line in &chart.lines {
        one_line(area, chart, scale, line)?;
    }
    for at in chart.real.iter().filter(|at| **at <= chart.now) {
        let x = scale.x(*at);
        area.draw(&PathElement::new(
            vec![(x, TOP), (x, TOP + 8)],
            Ink::Real.color().stroke_width(2),
        ))?;
    }
    paper::now_line(area, &scale.time, chart.now, scale.y(scale.low))?;
    labels(area, chart, scale)
}

fn axes<'a>(area: &Area<'a>, chart: &OffsetChart, scale: &Scale) -> Drawn<'a> {
    let figure = |pos: Pos| text(FIGURE, Ink::Note, pos);
    let mut offset = scale.low;
    while offset <= scale.high {
        let y = scale.y(offset);
        let right = scale.x(scale.time.end);
        area.draw(&PathElement::new(vec![(LEFT, y), (right, y)], Ink::Hair.color()))?;
        let style = figure(Pos::new(HPos::Right, VPos::Center));
        area.draw(&Text::new(format!("{offset}"), (LEFT - 8, y), style))?;
        offset += scale.rows;
    }
    paper::time_axis(area, &scale.time, scale.y(scale.low), chart.seconds)
}

/// The steps of a line in pixels, up to now.
fn steps(scale: &Scale, points: &[(f64, i64)], now: f64) -> Vec<(i32, i32)> {
    let mut out: Vec<(i32, i32)> = Vec::new();
    for (at, offset) in points.iter().filter(|(at, _)| *at <= now) {
        let (x, y) = (scale.x(*at), scale.y(*offset as f64));
        if let Some((_, before)) = out.last().copied() {
            out.push((x, before));
        }
        out.push((x, y));
    }
    if let Some((_, y)) = out.last().copied() {
        out.push((scale.x(now), y));
    }
    out
}

fn lag<'a>(
    area: &Area<'a>,
    chart: &OffsetChart,
    scale: &Scale,
    max: &OffsetLine,
    committed: &OffsetLine,
) -> Drawn<'a> {
    let below = steps(scale, &committed.points, chart.now);
    let Some((from, _)) = below.first().copied() else { return Ok(()) };
    let mut outline: Vec<(i32, i32)> = steps(scale, &max.points, chart.now);
    // M before there was a C is no lag that could be told.
    if let Some(at) = outline.iter().rposition(|(x, _)| *x <= from) {
        let start = (from, outline[at].1);
        outline.drain(..=at);
        outline.insert(0, start);
    }
    outline.extend(below.into_iter().rev());
    area.draw(&Polygon::new(outline, Ink::Lag.color().filled()))?;
    // The word stands where the lag last was high enough for it.
    let height = |x: i32| {
        let at = |line: &OffsetLine| {
            let steps = steps(scale, &line.points, chart.now);
            steps.iter().rev().find(|(step, _)| *step <= x).map_or(0, |(_, y)| *y)
        };
        (at(max), at(committed))
    };
    let mut x = scale.x(chart.now) - 40;
    while x > from + 40 {
        let (top, bottom) = height(x);
        if bottom - top > 30 {
            let middle = (top + bottom) / 2;
            let (left, right) = ((x - 22, middle - 11), (x + 22, middle + 11));
            area.draw(&Rectangle::new([left, right], Ink::Paper.color().filled()))?;
            let style = text(LABEL, Ink::Ink, Pos::new(HPos::Center, VPos::Center));
            return area.draw(&Text::new(chart.lag.clone(), (x, middle), style));
        }
        x -= 20;
    }
    Ok(())
}

fn one_line<'a>(
    area: &Area<'a>,
    chart: &OffsetChart,
    scale: &Scale,
    line: &OffsetLine,
) -> Drawn<'a> {
    let path = steps(scale, &line.points, chart.now);
    let ink = Ink::Ink.color();
    match line.which {
        Which::Max => area.draw(&PathElement::new(path, ink.stroke_width(2))),
        Which::Pull => paper::dashes(area, &path, 7, 5),
        Which::Client => paper::dashes(area, &path, 2, 3),
        Which::Committed => {
            area.draw(&PathElement::new(path, ink.stroke_width(2)))?;
            for (at, offset) in line.points.iter().filter(|(at, _)| *at <= chart.now) {
                let (x, y) = (scale.x(*at), scale.y(*offset as f64));
                let corners = vec![(x, y), (x + 6, y + 10), (x - 6, y + 10)];
                area.draw(&Polygon::new(corners, ink.filled()))?;
            }
            Ok(())
        }
    }
}

/// The lines' names at their ends, moved apart where they would meet, and the word on the lag.
fn labels<'a>(area: &Area<'a>, chart: &OffsetChart, scale: &Scale) -> Drawn<'a> {
    let x = scale.x(chart.now) + 8;
    let mut ends: Vec<(i32, String)> = Vec::new();
    for line in &chart.lines {
        let Some((_, y)) = steps(scale, &line.points, chart.now).last().copied() else { continue };
        match ends.iter_mut().find(|(other, _)| *other == y) {
            Some((_, words)) => *words = format!("{words}, {}", line.label),
            None => ends.push((y, line.label.clone())),
        }
    }
    ends.sort_by_key(|(y, _)| *y);
    let bottom = scale.y(scale.low);
    let mut lowest = bottom - 4 - 20 * (ends.len() as i32 - 1);
    let mut above = i32::MIN / 2;
    for (y, words) in ends {
        let y = y.max(above + 20).min(lowest);
        (above, lowest) = (y, lowest + 20);
        let mut style = text(LABEL, Ink::Ink, Pos::new(HPos::Left, VPos::Center));
        style.font = style.font.style(FontStyle::Bold);
        area.draw(&Text::new(words, (x, y), style))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> OffsetChart {
        let line = |which, label: &str, points: &[(f64, i64)]| OffsetLine {
            which,
            label: label.to_owned(),
            points: points.to_vec(),
        };
        OffsetChart {
            now: 20.35,
            lines: vec![
                line(Which::Max, "M 23", &[(0.0, 12), (1.0, 15), (11.0, 18), (17.0, 23)]),
                line(Which::Pull, "P 23", &[(0.5, 12), (2.0, 15), (17.1, 23)]),
                line(Which::Committed, "C 16", &[(0.0, 12), (4.0, 16), (30.0, 17)]),
                line(Which::Client, "c1: 17", &[(2.0, 16), (20.1, 17)]),
            ],
            real: vec![2.0],
            lag: "lag".to_owned(),
            size: (720, 260),
            seconds: |at| format!("{at} s"),
        }
    }

    #[test]
    fn lines_end_in_their_names_and_equal_ones_share_a_label() {
        let svg = draw(&chart());
        assert!(svg.contains("M 23, P 23"), "{svg}");
        assert!(svg.contains("C 16") && svg.contains("c1: 17"));
    }

    #[test]
    fn nothing_of_the_future_is_drawn() {
        let triangles = |chart: &OffsetChart| {
            let svg = draw(chart);
            svg.matches("<polygon").count()
        };
        // The lag and two triangles; the third commit is still to come.
        assert_eq!(triangles(&chart()), 3);
        assert_eq!(triangles(&OffsetChart { now: 31.0, ..chart() }), 4);
    }

    #[test]
    fn colours_are_the_themes() {
        let svg = draw(&chart());
        assert!(svg.contains("var(--ink)") && !svg.contains("#0102"), "{svg}");
    }

    #[test]
    fn without_room_or_numbers_there_is_no_chart() {
        assert_eq!(draw(&OffsetChart { size: (100, 20), ..chart() }), "");
        assert_eq!(draw(&OffsetChart { lines: Vec::new(), ..chart() }), "");
    }
}
