//! How the page of a run shares out the window (UX 2). The stage comes first: what is written on it never
//! falls below what can be read, so panels give way, first to rows of tabs, then behind a button.
//!
//! Pure arithmetic on CSS px; the style sheet (`static/room.css`) takes the results as attributes and
//! custom properties and decides nothing of its own.

use super::action::DockTab;
use crate::scene::layout::System;

/// Type on the stage is at least so high, CSS px.
pub const LEAST_TYPE_PX: f64 = 14.0;
/// The same where the theme is the projector's.
pub const LEAST_PROJECTED_PX: f64 = 18.0;

/// The smallest type of a drawing, in its own units: the figure in a step's disc.
const SMALLEST: f64 = 14.0;
/// The same where the style sheet sets notes and figures larger (`data-type="large"`).
const SMALLEST_OF_LARGE: f64 = 18.0;

/// Below this width, in a window that is higher than wide, the follow view takes the stage's place.
const FOLLOW_BELOW_PX: f64 = 720.0;
/// A narrow window of so much height has room for the follow view even if it is wider than high.
const FOLLOW_FROM_HEIGHT_PX: f64 = 560.0;
/// From here on the panel has its own column.
const COLUMN_FROM_PX: f64 = 1_100.0;
/// From here on there are columns on both sides, and the log has a place beside the charts.
const WIDE_FROM_PX: f64 = 1_600.0;
/// The left and the right column of wide pages, and the only one of others.
const WIDE_COLUMNS_PX: f64 = 300.0 + 440.0;
const COLUMN_PX: f64 = 360.0;

const TOP_PX: f64 = 48.0;
/// Keys, clock, fold sentence, axis and its scale.
const TRANSPORT_PX: f64 = 64.0;
/// All controls in one row, where there is no height for more.
const BAR_PX: f64 = 56.0;
/// A caption's row: on wide pages, else beside the inspector, else below the stage.
const WIDE_CAPTION_PX: f64 = 124.0;
const CAPTION_PX: f64 = 96.0;
const NARROW_CAPTION_PX: f64 = 88.0;
/// A page of this height can give the caption a row of its own.
const CAPTION_ROW_FROM_PX: f64 = 832.0;

/// The dock: a row of tabs; that and three rows of the log; as much as it takes when all is well.
const TABS_PX: f64 = 30.0;
const DOCK_LEAST_PX: f64 = 105.0;
const DOCK_PX: f64 = 128.0;
const WIDE_DOCK_PX: f64 = 316.0;
/// A chart lower than this shows nothing; its tabs are included.
const DOCK_FOR_CHARTS_PX: f64 = 216.0;

/// What the person chose, and what the run needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish {
    /// The window, CSS px.
    pub width: f64,
    pub height: f64,
    pub is_projected: bool,
    /// The run has more queues or consumers than the small drawing shows in full.
    pub holds_much: bool,
    pub has_caption: bool,
    pub dock: DockTab,
    /// The dock was made taller by hand.
    pub dock_is_open: bool,
    /// The stage alone.
    pub is_zoomed: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Title bar, stage, panel, transport, dock.
    #[default]
    Regular,
    /// No title bar, and all controls in one row: low windows, a phone held sideways.
    Compact,
    /// Nothing but the stage and a few keys in its corner.
    Zoomed,
    /// One card at a time.
    Follow,
}

impl Form {
    /// The value of `data-form`.
    pub const fn attribute(self) -> &'static str {
        match self {
            Form::Regular => "regular",
            Form::Compact => "compact",
            Form::Zoomed => "zoomed",
            Form::Follow => "follow",
        }
    }
}

/// The lower panel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Dock {
    /// Behind a button.
    #[default]
    Closed,
    /// Its tabs.
    Tabs,
    /// So many px.
    Low(f64),
    Tall(f64),
    /// Over the stage, until it is closed again.
    Over,
}

impl Dock {
    /// The height of its row, px.
    pub const fn row_px(self) -> f64 {
        match self {
            Dock::Closed | Dock::Over => 0.0,
            Dock::Tabs => TABS_PX,
            Dock::Low(px) | Dock::Tall(px) => px,
        }
    }

    /// The value of `data-dock`.
    pub const fn attribute(self) -> &'static str {
        match self {
            Dock::Closed => "closed",
            Dock::Tabs => "tabs",
            Dock::Low(_) => "low",
            Dock::Tall(_) => "tall",
            Dock::Over => "over",
        }
    }

    /// A chart would be too low to be one.
    const fn without_body(self) -> Dock {
        match self {
            Dock::Closed => Dock::Closed,
            Dock::Tabs | Dock::Low(_) | Dock::Tall(_) | Dock::Over => Dock::Tabs,
        }
    }

    /// What a tab shows can be seen.
    pub const fn shows_body(self) -> bool {
        !matches!(self, Dock::Closed | Dock::Tabs)
    }
}

/// The window, shared out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Room {
    pub form: Form,
    pub system: System,
    pub is_wide: bool,
    /// The panel lies over the stage when it is open.
    pub panel_is_sheet: bool,
    /// The row of the caption, px; 0 where it stands in the panel's column or in the one bar.
    pub caption_px: f64,
    pub dock: Dock,
    /// Notes and figures on the stage are set larger, so that a smaller picture can be read.
    pub has_large_type: bool,
    /// The picture is larger than its place, which scrolls.
    pub scrolls: bool,
    /// The least size of the picture, px.
    pub least: (f64, f64),
}

/// Shares out the window.
pub fn share(wish: &Wish) -> Room {
    let is_narrow = wish.width < FOLLOW_BELOW_PX;
    let is_upright = wish.height >= wish.width || wish.height >= FOLLOW_FROM_HEIGHT_PX;
    if is_narrow && is_upright && !wish.is_zoomed {
        return Room { form: Form::Follow, system: System::Phone, ..Room::default() };
    }
    if wish.is_zoomed {
        return low(wish, Form::Zoomed, 0.0);
    }
    let systems: &[System] = match wish.width >= WIDE_FROM_PX && wish.holds_much {
        true => &[System::Desktop, System::Projector],
        false => &[System::Projector],
    };
    let regular = systems.iter().find_map(|system| regular(wish, *system));
    regular.unwrap_or_else(|| low(wish, Form::Compact, BAR_PX))
}

/// The scale at which the smallest type is as high as it must be.
fn least_scale(wish: &Wish, has_large_type: bool) -> f64 {
    let least = if wish.is_projected { LEAST_PROJECTED_PX } else { LEAST_TYPE_PX };
    least / if has_large_type { SMALLEST_OF_LARGE } else { SMALLEST }
}

/// The whole page, if the picture can be read on it; the dock takes what the stage leaves.
fn regular(wish: &Wish, system: System) -> Option<Room> {
    let is_wide = wish.width >= WIDE_FROM_PX;
    let panel_is_sheet = wish.width < COLUMN_FROM_PX;
    let columns = match (is_wide, panel_is_sheet) {
        (true, _) => WIDE_COLUMNS_PX,
        (false, true) => 0.0,
        (false, false) => COLUMN_PX,
    };
    let caption_px = match (wish.has_caption, is_wide, panel_is_sheet) {
        (false, _, _) => 0.0,
        (true, true, _) => WIDE_CAPTION_PX,
        (true, false, true) => NARROW_CAPTION_PX,
        (true, false, false) if wish.height < CAPTION_ROW_FROM_PX => 0.0,
        (true, false, false) => CAPTION_PX,
    };
    let place = (wish.width - columns, wish.height - TOP_PX - TRANSPORT_PX - caption_px);
    let room = Room {
        form: Form::Regular,
        system,
        is_wide,
        panel_is_sheet,
        caption_px,
        ..Room::default()
    };
    let mut fitting = [false, true].into_iter().filter_map(|has_large_type| {
        let scale = least_scale(wish, has_large_type);
        let area = system.area();
        let spare_px = place.1 - area.height * scale;
        (place.0 >= area.width * scale && spare_px >= 0.0).then_some((has_large_type, spare_px))
    });
    let wants_height = wish.dock_is_open || wish.dock != DockTab::Log;
    let (first, second) = (fitting.next()?, fitting.next());
    let tall = [Some(first), second].into_iter().flatten().find(|it| it.1 >= DOCK_FOR_CHARTS_PX);
    let is_chart = wish.dock != DockTab::Log;
    let ((has_large_type, _), dock) = match tall.filter(|_| wants_height) {
        // Higher still than a chart needs: that is more than the stage can give.
        Some(_) if is_chart && wish.dock_is_open => (first, Dock::Over),
        Some(tall) => (tall, Dock::Tall(tall.1.min(wish.height * 0.46))),
        None if wish.dock_is_open => (first, Dock::Over),
        None if is_chart => (first, at_rest(first, place, system, is_wide).without_body()),
        None => (first, at_rest(first, place, system, is_wide)),
    };
    Some(Room { dock, has_large_type, ..room })
}

/// The dock that nobody made taller: it leaves the stage its width's worth of height.
fn at_rest(
    (has_large_type, spare_px): (bool, f64),
    place: (f64, f64),
    system: System,
    is_wide: bool,
) -> Dock {
    let area = system.area();
    let wanted = area.height * (place.0 / area.width).min(1.0);
    let most = if is_wide { WIDE_DOCK_PX } else { DOCK_PX };
    let beside = if has_large_type { place.1 - wanted } else { spare_px };
    match (beside, spare_px) {
        (px, _) if px >= DOCK_LEAST_PX => Dock::Low(px.min(most)),
        (_, px) if px >= TABS_PX => Dock::Tabs,
        _ => Dock::Closed,
    }
}

/// The stage and at most one row; where that is not enough, the stage scrolls in its place.
fn low(wish: &Wish, form: Form, bar_px: f64) -> Room {
    let system = System::Projector;
    let area = system.area();
    let scale = (wish.width / area.width).min((wish.height - bar_px) / area.height);
    let has_large_type = scale < least_scale(wish, false);
    let least = least_scale(wish, has_large_type);
    Room {
        form,
        system,
        panel_is_sheet: true,
        dock: if wish.dock_is_open && form == Form::Compact { Dock::Over } else { Dock::Closed },
        has_large_type,
        scrolls: scale < least,
        least: (area.width * least, area.height * least),
        ..Room::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(width: f64, height: f64) -> Wish {
        Wish {
            width,
            height,
            is_projected: false,
            holds_much: false,
            has_caption: true,
            dock: DockTab::Log,
            dock_is_open: false,
            is_zoomed: false,
        }
    }

    /// How high the smallest type on the stage comes out, px.
    fn type_px(wish: &Wish, room: &Room) -> f64 {
        let columns = match (room.form, room.is_wide, room.panel_is_sheet) {
            (Form::Regular, true, _) => WIDE_COLUMNS_PX,
            (Form::Regular, false, false) => COLUMN_PX,
            _ => 0.0,
        };
        let rows = match room.form {
            Form::Regular => TOP_PX + TRANSPORT_PX + room.caption_px + room.dock.row_px(),
            Form::Compact => BAR_PX,
            Form::Zoomed | Form::Follow => 0.0,
        };
        let area = room.system.area();
        let place =
            ((wish.width - columns).max(room.least.0), (wish.height - rows).max(room.least.1));
        let scale = (place.0 / area.width).min(place.1 / area.height);
        scale * if room.has_large_type { SMALLEST_OF_LARGE } else { SMALLEST }
    }

    #[test]
    fn type_on_the_stage_can_be_read_in_any_window_whatever_is_open() {
        for width in (320..2_600).step_by(10) {
            for height in (240..1_500).step_by(20) {
                for bits in 0..64_u32 {
                    let is = |place: u32| bits >> place & 1 == 1;
                    let wish = Wish {
                        is_projected: is(0),
                        holds_much: is(1),
                        has_caption: is(2),
                        dock: if is(3) { DockTab::Charts } else { DockTab::Log },
                        dock_is_open: is(4),
                        is_zoomed: is(5),
                        ..wish(f64::from(width), f64::from(height))
                    };
                    let room = share(&wish);
                    let least = if wish.is_projected { LEAST_PROJECTED_PX } else { LEAST_TYPE_PX };
                    let is_right =
                        room.form == Form::Follow || type_px(&wish, &room) > least - 0.01;
                    assert!(is_right, "{wish:?} {room:?} {}", type_px(&wish, &room));
                }
            }
        }
    }

    #[test]
    fn at_the_design_sizes_all_has_its_place() {
        let projector = share(&wish(1_280.0, 720.0));
        assert_eq!((projector.form, projector.has_large_type), (Form::Regular, false));
        assert_eq!(projector.dock, Dock::Low(112.0));
        let much = Wish { holds_much: true, ..wish(1_920.0, 1_080.0) };
        let desktop = share(&much);
        assert_eq!((desktop.system, desktop.has_large_type), (System::Desktop, false));
        assert!(desktop.dock.row_px() >= 200.0, "{desktop:?}");
        assert_eq!(share(&wish(390.0, 844.0)).form, Form::Follow);
    }

    #[test]
    fn a_chart_gets_the_height_of_a_chart_and_the_stage_stays_legible() {
        for (width, height) in [(1_280.0, 720.0), (1_366.0, 768.0), (1_920.0, 1_080.0)] {
            let charts = share(&Wish { dock: DockTab::Charts, ..wish(width, height) });
            assert!(
                matches!(charts.dock, Dock::Tall(px) if px >= DOCK_FOR_CHARTS_PX),
                "{charts:?}"
            );
        }
        let projected = Wish { is_projected: true, dock: DockTab::Charts, ..wish(1_280.0, 720.0) };
        assert_eq!(share(&projected).dock, Dock::Tabs);
        assert_eq!(share(&Wish { dock_is_open: true, ..projected }).dock, Dock::Over);
    }

    #[test]
    fn a_low_window_gives_up_the_log_before_the_stage() {
        let low = share(&wish(1_280.0, 600.0));
        assert_eq!((low.form, low.dock), (Form::Regular, Dock::Tabs));
        assert_eq!(share(&wish(800.0, 600.0)).dock, Dock::Closed);
        assert_eq!(share(&wish(844.0, 390.0)).form, Form::Compact);
    }
}
