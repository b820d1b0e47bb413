//! Time: keys, clock, speed, scrub bar with folds and markers, the fold's sentence.

mod clock;
mod keys;
mod markers;
mod scrub;

pub use clock::{Clock, PaceField};
pub use keys::{PhoneKeys, TransportKeys};
pub use scrub::{FoldLine, Scrub};

use yew::prelude::*;

use super::part::{Shared, Ui};
use crate::app::shown::{FoldNow, ScrubShown, TimeShown};
use crate::text::page::PageWord;

#[derive(PartialEq, Properties)]
pub struct TransportProps {
    pub ui: Ui,
    pub time: TimeShown,
    pub scrub: Shared<ScrubShown>,
    pub fold: Option<FoldNow>,
}

#[component]
pub fn Transport(props: &TransportProps) -> Html {
    let TransportProps { ui, time, scrub, fold } = props;
    html! {
        <section class="trans" aria-label={ui.word(PageWord::Time)}>
            <TransportKeys ui={ui.clone()} time={time.clone()} />
            <div class="clock">
                <Clock time={time.clone()} />
                <PaceField ui={ui.clone()} pace={time.pace} />
            </div>
            <div class="scrub">
                <FoldLine ui={ui.clone()} time={time.clone()} fold={fold.clone()}
                    real={scrub.real_ms.len()} />
                <Scrub ui={ui.clone()} time={time.clone()} scrub={scrub.clone()}
                    fold={fold.as_ref().map(|fold| fold.bar)} axis={35.0} />
            </div>
        </section>
    }
}
