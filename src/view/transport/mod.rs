//! Time: keys, clock, speed, scrub bar with folds and markers, the fold's sentence, the legend.

mod clock;
mod keys;
mod markers;
mod scrub;
mod signs;

pub use clock::{Clock, PaceField};
pub use keys::{PhoneKeys, TransportKeys};
pub use scrub::{FoldLine, Scrub};
pub use signs::Signs;

use yew::prelude::*;

use super::part::{Shared, Ui};
use crate::app::action::Action;
use crate::app::room::Dock;
use crate::app::shown::RunShown;
use crate::text::bar::BarWord;
use crate::text::page::PageWord;

#[derive(PartialEq, Properties)]
pub struct TransportProps {
    pub ui: Ui,
    pub shown: RunShown,
}

#[component]
pub fn Transport(props: &TransportProps) -> Html {
    let TransportProps { ui, shown } = props;
    let (time, fold) = (&shown.time, &shown.fold);
    html! {
        <section class="trans" aria-label={ui.word(PageWord::Time)}>
            <TransportKeys ui={ui.clone()} time={time.clone()} />
            <div class="clock">
                <Clock ui={ui.clone()} time={time.clone()} field={shown.time_field.clone()} />
                <PaceField ui={ui.clone()} pace={time.pace} />
            </div>
            <div class="scrub">
                <FoldLine ui={ui.clone()} time={time.clone()} fold={fold.clone()}
                    real={shown.scrub.real_ms.len()} />
                <Scrub ui={ui.clone()} time={time.clone()} scrub={Shared(shown.scrub.clone())}
                    fold={fold.as_ref().map(|fold| fold.bar)} axis={35.0}
                    hides_future={shown.hides_future} />
            </div>
            <Signs ui={ui.clone()} is_open={shown.signs_are_open} />
            if shown.room.dock == Dock::Closed { { open_dock(ui, false) } }
            if shown.room.dock == Dock::Over && !shown.room.panel_is_sheet { { open_dock(ui, true) } }
        </section>
    }
}

/// The way to a dock that gave its place to the stage.
pub fn open_dock(ui: &Ui, is_open: bool) -> Html {
    let word = if is_open { BarWord::CloseLog } else { BarWord::OpenLog };
    html! {
        <button type="button" class="open-dock" aria-expanded={is_open.to_string()}
            onclick={ui.act(Action::ToggledDock)}>{ ui.bar(word) }</button>
    }
}
