//! The chips that leave kinds of rows out.

use std::collections::BTreeSet;

use yew::prelude::*;

use crate::app::action::{Action, LogFilter};
use crate::text::page::{PageText, PageWord};
use crate::view::part::Ui;

#[derive(PartialEq, Properties)]
pub struct ChipsProps {
    pub ui: Ui,
    pub hidden: BTreeSet<LogFilter>,
    pub total: u32,
}

#[component]
pub fn Chips(props: &ChipsProps) -> Html {
    let ui = &props.ui;
    let chip = |filter: LogFilter| {
        let is_shown = !props.hidden.contains(&filter);
        html! {
            <button type="button" class="chip" aria-pressed={is_shown.to_string()}
                onclick={ui.act(Action::ToggledFilter(filter))}>
                { ui.word(word(filter)) }
            </button>
        }
    };
    html! {
        <div class="chips" role="group" aria-label={ui.word(PageWord::Filters)}>
            { for LogFilter::ALL.map(chip) }
            <span class="dim num">{ ui.page(&PageText::Rows { count: u64::from(props.total) }) }</span>
        </div>
    }
}

const fn word(filter: LogFilter) -> PageWord {
    match filter {
        LogFilter::Send => PageWord::FilterSend,
        LogFilter::Pull => PageWord::FilterPull,
        LogFilter::Consume => PageWord::FilterConsume,
        LogFilter::Offset => PageWord::FilterOffset,
        LogFilter::Retry => PageWord::FilterRetry,
        LogFilter::Rebalance => PageWord::FilterRebalance,
        LogFilter::Background => PageWord::FilterBackground,
    }
}
