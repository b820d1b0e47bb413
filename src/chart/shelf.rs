//! What is on the shelf of a queue over time: how many messages, how far their offsets lie apart, and the
//! limits of both as labelled rules (UX 9).

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::ink::Ink;
use super::nice;
use super::paper::{self, Area, BOTTOM, Drawn, FIGURE, LABEL, LEFT, TOP, TimeAxis, text, width_of};

/// A number over time, with what stands at its end, and its limit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShelfLine {
    pub points: Vec<(f64, i64)>,
    pub label: String,
    pub limit: i64,
    pub limit_label: String,
}

#[derive(Clone, Debug)]
pub struct ShelfChart {
    /// The moment shown, seconds.
    pub now: f64,
    /// Solid.
    pub count: ShelfLine,
    /// Dashed; in orderly mode there is none.
    pub span: Option<ShelfLine>,
    pub size: (u32, u32),
    pub seconds: fn(f64) -> String,
}

struct Scale {
    time: TimeAxis,
    high: f64,
    rows: f64,
    height: f64,
}

impl Scale {
    fn y(&self, value: f64) -> i32 {
        TOP + ((self.high - value) / self.high * self.height).round() as i32
    }
}

/// Draws it; an empty text if there is nothing to draw or no room.
pub fn draw(chart: &ShelfChart) -> String {
    if chart.count.points.is_empty() || chart.size.0 < 240 || chart.size.1 < 60 {
        return String::new();
    }
    let lines = || std::iter::once(&chart.count).chain(&chart.span);
    let most = lines().flat_map(|line| line.points.iter().map(|it| it.1)).max().unwrap_or(0).max(4);
    // A limit that is far off is said at the upper edge; the numbers would lie flat under it.
    let limits = lines().map(|line| line.limit).filter(|limit| *limit <= most * 3);
    let high = limits.chain([most]).max().unwrap_or(most) as f64;
    let height = f64::from(chart.size.1 as i32 - TOP - BOTTOM);
    let rows = nice::whole(high, (height / 26.0).max(1.0) as u32);
    let high = (high / rows).ceil() * rows;
    let scale = Scale { time: TimeAxis::new(chart.size.0, chart.now), high, rows, height };
    paper::draw(chart.size, |area| draw_all(area, chart, &scale))
}

fn draw_all<'a>(area: &Area<'a>, chart: &ShelfChart, scale: &Scale) -> Drawn<'a> {
    let right = scale.time.x(scale.time.end);
    let mut value = 0.0;
    while value <= scale.high {
        let y = scale.y(value);
        area.draw(&PathElement::new(vec![(LEFT, y), (right, y)], Ink::Hair.color()))?;
        let style = text(FIGURE, Ink::Note, Pos::new(HPos::Right, VPos::Center));
        area.draw(&Text::new(format!("{value}"), (LEFT - 8, y), style))?;
        value += scale.rows;
    }
    paper::time_axis(area, &scale.time, scale.y(0.0), chart.seconds)?;
    let mut above = TOP;
    for line in std::iter::once(&chart.count).chain(&chart.span) {
        limit(area, scale, line, right, &mut above)?;
    }
    one_line(area, chart, scale, &chart.count, None)?;
    if let Some(span) = &chart.span {
        one_line(area, chart, scale, span, Some((7, 5)))?;
    }
    paper::now_line(area, &scale.time, chart.now, scale.y(0.0))?;
    labels(area, chart, scale)
}

/// A rule at the limit, named at its left end; a limit beyond the paper has only its name, at the edge.
fn limit<'a>(
    area: &Area<'a>,
    scale: &Scale,
    line: &ShelfLine,
    right: i32,
    above: &mut i32,
) -> Drawn<'a> {
    let is_inside = line.limit as f64 <= scale.high;
    let y = if is_inside { scale.y(line.limit as f64) } else { TOP };
    if is_inside {
        let rule = vec![(LEFT, y), (right, y)];
        area.draw(&PathElement::new(rule, Ink::Ink.color().stroke_width(2)))?;
    }
    let words = match is_inside {
        true => line.limit_label.clone(),
        false => format!("↑ {}", line.limit_label),
    };
    let top = (y + 3).max(*above);
    *above = top + 20;
    let ground = [(LEFT + 4, top), (LEFT + 12 + width_of(&words), top + 18)];
    area.draw(&Rectangle::new(ground, Ink::Paper.color().filled()))?;
    let style = text(FIGURE, Ink::Ink, Pos::new(HPos::Left, VPos::Top));
    area.draw(&Text::new(words, (LEFT + 8, top + 1), style))
}

fn one_line<'a>(
    area: &Area<'a>,
    chart: &ShelfChart,
    scale: &Scale,
    line: &ShelfLine,
    dash: Option<(i32, i32)>,
) -> Drawn<'a> {
    let mut path: Vec<(i32, i32)> = Vec::new();
    for (at, value) in line.points.iter().filter(|(at, _)| *at <= chart.now) {
        let (x, y) = (scale.time.x(*at), scale.y(*value as f64));
        if let Some((_, before)) = path.last().copied() {
            path.push((x, before));
        }
        path.push((x, y));
    }
    if let Some((_, y)) = path.last().copied() {
        path.push((scale.time.x(chart.now), y));
    }
    match dash {
        None => area.draw(&PathElement::new(path, Ink::Ink.color().stroke_width(2))),
        Some((on, off)) => paper::dashes(area, &path, on, off),
    }
}

fn labels<'a>(area: &Area<'a>, chart: &ShelfChart, scale: &Scale) -> Drawn<'a> {
    let mut ends: Vec<(i32, &str)> = Vec::new();
    for line in std::iter::once(&chart.count).chain(&chart.span) {
        let mut before = line.points.iter().rev().filter(|(at, _)| *at <= chart.now);
        if let Some((_, value)) = before.next() {
            ends.push((scale.y(*value as f64), &line.label));
        }
    }
    ends.sort_by_key(|(y, _)| *y);
    let lowest = scale.y(0.0) - 6;
    let count = ends.len() as i32;
    let mut above = i32::MIN / 2;
    for (place, (y, words)) in ends.into_iter().enumerate() {
        let y = y.max(above + 20).min(lowest - 20 * (count - 1 - place as i32));
        above = y;
        let mut style = text(LABEL, Ink::Ink, Pos::new(HPos::Left, VPos::Center));
        style.font = style.font.style(FontStyle::Bold);
        area.draw(&Text::new(words.to_owned(), (scale.time.x(chart.now) + 8, y), style))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(span_limit: i64) -> ShelfChart {
        let line = |label: &str, limit, points: &[(f64, i64)]| ShelfLine {
            points: points.to_vec(),
            label: label.to_owned(),
            limit,
            limit_label: format!("limit {limit}"),
        };
        ShelfChart {
            now: 20.0,
            count: line("count 3", 1_000, &[(0.0, 0), (2.0, 4), (11.0, 3)]),
            span: Some(line("span 8", span_limit, &[(0.0, 0), (2.0, 3), (11.0, 8)])),
            size: (720, 260),
            seconds: |at| format!("{at} s"),
        }
    }

    #[test]
    fn lines_end_in_their_names_and_a_near_limit_is_a_rule() {
        let svg = draw(&chart(7));
        assert!(svg.contains("count 3") && svg.contains("span 8"), "{svg}");
        assert!(svg.contains("limit 7\n") && svg.contains("↑ limit 1000"), "{svg}");
    }

    #[test]
    fn without_points_or_room_there_is_no_chart() {
        assert_eq!(draw(&ShelfChart { size: (100, 20), ..chart(7) }), "");
        assert_eq!(draw(&ShelfChart { count: ShelfLine::default(), ..chart(7) }), "");
    }
}
