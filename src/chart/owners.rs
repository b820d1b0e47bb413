//! Who owns each queue over time: a bar for the lock at the broker, over it a thin line for who believes;
//! gaps and overlaps of the belief are hatched and named (UX 9).

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::ink::Ink;
use super::paper::{self, Area, BOTTOM, Drawn, FIGURE, LABEL, LEFT, TOP, TimeAxis, text, width_of};

/// From and until, seconds.
pub type Stretch = (f64, f64);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnerRow {
    /// `q0`.
    pub label: String,
    /// Owner and time; from the third on the owner is gone and only its lock is left.
    pub bars: Vec<(String, Stretch, Option<f64>)>,
    pub beliefs: Vec<(String, Stretch)>,
    pub gaps: Vec<Stretch>,
    pub overlaps: Vec<Stretch>,
}

#[derive(Clone, Debug)]
pub struct OwnersChart {
    /// The moment shown, seconds.
    pub now: f64,
    pub rows: Vec<OwnerRow>,
    pub nobody: String,
    pub two: String,
    /// Says that so many rows have no room.
    pub more: fn(u32) -> String,
    pub size: (u32, u32),
    pub seconds: fn(f64) -> String,
}

/// The least height of a row, px.
const LEAST_ROW: i32 = 27;
const MOST_ROW: i32 = 64;
/// Nothing is named behind the moment shown.
const RIGHT: i32 = 32;

/// Draws it; an empty text if there is nothing to draw or no room.
pub fn draw(chart: &OwnersChart) -> String {
    if chart.rows.is_empty() || chart.size.0 < 240 || chart.size.1 < 72 {
        return String::new();
    }
    paper::draw(chart.size, |area| draw_all(area, chart))
}

fn draw_all<'a>(area: &Area<'a>, chart: &OwnersChart) -> Drawn<'a> {
    let axis = TimeAxis::with_margin(chart.size.0, chart.now, RIGHT);
    let bottom = chart.size.1 as i32 - BOTTOM;
    let room = bottom - TOP;
    let shown = chart.rows.len().min((room / LEAST_ROW).max(1) as usize);
    let height = (room / shown as i32).min(MOST_ROW);
    // Where not all have room, those that something is to be said of come first.
    let mut rows: Vec<&OwnerRow> = chart.rows.iter().collect();
    if shown < rows.len() {
        rows.sort_by_key(|row| row.gaps.is_empty() && row.overlaps.is_empty());
    }
    for (place, row) in rows.into_iter().take(shown).enumerate() {
        draw_row(area, chart, &axis, row, (TOP + place as i32 * height, height))?;
    }
    paper::time_axis(area, &axis, bottom, chart.seconds)?;
    paper::now_line(area, &axis, chart.now, bottom)?;
    let left_over = chart.rows.len() - shown;
    if left_over > 0 {
        let style = text(FIGURE, Ink::Note, Pos::new(HPos::Right, VPos::Top));
        let place = (chart.size.0 as i32 - 4, bottom + 8);
        area.draw(&Text::new((chart.more)(left_over as u32), place, style))?;
    }
    Ok(())
}

fn draw_row<'a>(
    area: &Area<'a>,
    chart: &OwnersChart,
    axis: &TimeAxis,
    row: &OwnerRow,
    (top, height): (i32, i32),
) -> Drawn<'a> {
    let lane = (height * 2 / 5).clamp(10, 24);
    let (line_y, bar_top, bar_bottom) = (top + lane / 2, top + lane + 2, top + height - 4);
    let label = text(LABEL, Ink::Ink, Pos::new(HPos::Right, VPos::Center));
    let middle = i32::midpoint(bar_top, bar_bottom);
    area.draw(&Text::new(row.label.clone(), (LEFT - 8, middle), label))?;
    for (owner, stretch, gone) in &row.bars {
        let (from, until) = (axis.x(stretch.0), axis.x(stretch.1));
        let bar = [(from, bar_top), (until, bar_bottom)];
        area.draw(&Rectangle::new(bar, Ink::Panel.color().filled()))?;
        if let Some(gone) = gone {
            let lost = [(axis.x(gone.max(stretch.0)), bar_top), (until, bar_bottom)];
            area.draw(&Rectangle::new(lost, Ink::Lag.color().filled()))?;
        }
        area.draw(&Rectangle::new(bar, Ink::Ink.color().stroke_width(2)))?;
        words(area, owner, (from, until), middle)?;
    }
    for (_, stretch) in &row.beliefs {
        let ends = vec![(axis.x(stretch.0), line_y), (axis.x(stretch.1), line_y)];
        area.draw(&PathElement::new(ends, Ink::Ink.color().stroke_width(3)))?;
    }
    // Words stand in the line's lane, or over the bar where that is too low for them.
    let word_y = if lane >= 18 { line_y } else { middle };
    for stretch in &row.gaps {
        let (from, until) = (axis.x(stretch.0), axis.x(stretch.1));
        let lost = [(from, top), (until, top + lane)];
        area.draw(&Rectangle::new(lost, Ink::Lag.color().filled()))?;
        words(area, &chart.nobody, (from, until), word_y)?;
    }
    for stretch in &row.overlaps {
        let (from, until) = (axis.x(stretch.0), axis.x(stretch.1).max(axis.x(stretch.0) + 2));
        let ends = vec![(from, line_y - 4), (until, line_y - 4)];
        area.draw(&PathElement::new(ends, Ink::Ink.color().stroke_width(3)))?;
        words(area, &chart.two, (from, until), word_y)?;
    }
    Ok(())
}

/// Words in the middle of a stretch, on paper of their own, if they have room.
fn words<'a>(area: &Area<'a>, words: &str, (from, until): (i32, i32), y: i32) -> Drawn<'a> {
    let width = width_of(words) + 8;
    if until - from < width {
        return Ok(());
    }
    let x = i32::midpoint(from, until);
    let ground = [(x - width / 2, y - 9), (x + width / 2, y + 9)];
    area.draw(&Rectangle::new(ground, Ink::Paper.color().filled()))?;
    let style = text(FIGURE, Ink::Ink, Pos::new(HPos::Center, VPos::Center));
    area.draw(&Text::new(words.to_owned(), (x, y), style))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(rows: usize) -> OwnersChart {
        let row = |place: usize| OwnerRow {
            label: format!("q{place}"),
            bars: vec![
                ("c2".to_owned(), (0.0, 101.0), Some(45.0)),
                ("c1".to_owned(), (105.0, 120.0), None),
            ],
            beliefs: vec![("c2".to_owned(), (1.0, 45.0)), ("c1".to_owned(), (110.0, 120.0))],
            gaps: vec![(45.0, 110.0)],
            overlaps: Vec::new(),
        };
        OwnersChart {
            now: 120.0,
            rows: (0..rows).map(row).collect(),
            nobody: "nobody".to_owned(),
            two: "two believe".to_owned(),
            more: |count| format!("{count} more"),
            size: (1_000, 260),
            seconds: |at| format!("{at} s"),
        }
    }

    #[test]
    fn gaps_are_hatched_and_named_and_rows_have_their_queues_name() {
        let svg = draw(&chart(2));
        assert_eq!(svg.matches("nobody").count(), 2);
        assert!(svg.contains("q0") && svg.contains("q1") && svg.contains("url(#p-hatch-l)"));
        assert!(!svg.contains("more"));
    }

    #[test]
    fn rows_without_room_are_counted() {
        assert!(draw(&chart(40)).contains("32 more"), "{}", draw(&chart(40)));
        assert_eq!(draw(&chart(0)), "");
    }
}
