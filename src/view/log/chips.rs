//! The chips that leave kinds of rows out.

use std::collections::BTreeSet;

use yew::prelude::*;

use crate::app::action::Action;
use crate::scene::log::LogKind;
use crate::text::Term;
use crate::text::page::{PageText, PageWord};
use crate::view::part::{Ui, names};

#[derive(PartialEq, Properties)]
pub struct ChipsProps {
    pub ui: Ui,
    pub hidden: BTreeSet<LogKind>,
    pub background: bool,
    pub total: u32,
}

#[component]
pub fn Chips(props: &ChipsProps) -> Html {
    let ui = &props.ui;
    let chip = |kind: LogKind| {
        let is_shown = !props.hidden.contains(&kind);
        html! {
            <button type="button" class="chip" aria-pressed={is_shown.to_string()}
                data-term={term(kind).map(|term| names([term]))}
                aria-description={term(kind).map(|term| term.what_it_is(ui.language))}
                onclick={ui.act(Action::ToggledKind(kind))}>
                { ui.word(word(kind)) }
            </button>
        }
    };
    html! {
        <div class="chips" role="group" aria-label={ui.word(PageWord::Filters)}>
            { for LogKind::ALL.map(chip) }
            <button type="button" class="chip" aria-pressed={props.background.to_string()}
                onclick={ui.act(Action::ToggledBackground)}>
                { ui.word(PageWord::FilterBackground) }
            </button>
            <span class="dim num">{ ui.page(&PageText::Rows { count: u64::from(props.total) }) }</span>
        </div>
    }
}

/// What its rows are about.
const fn term(kind: LogKind) -> Option<Term> {
    match kind {
        LogKind::Send => Some(Term::Req310),
        LogKind::Pull => Some(Term::Pull),
        LogKind::Consume => Some(Term::Listener),
        LogKind::Offset => Some(Term::OffsetReport),
        LogKind::Retry => Some(Term::SentBack),
        LogKind::Rebalance => Some(Term::Rebalance),
        LogKind::Lock => Some(Term::LockLease),
        LogKind::Heartbeat => Some(Term::Heartbeat),
        LogKind::Life | LogKind::Fault => None,
    }
}

const fn word(kind: LogKind) -> PageWord {
    match kind {
        LogKind::Send => PageWord::FilterSend,
        LogKind::Pull => PageWord::FilterPull,
        LogKind::Consume => PageWord::FilterConsume,
        LogKind::Offset => PageWord::FilterOffset,
        LogKind::Retry => PageWord::FilterRetry,
        LogKind::Rebalance => PageWord::FilterRebalance,
        LogKind::Lock => PageWord::FilterLock,
        LogKind::Heartbeat => PageWord::FilterHeartbeat,
        LogKind::Life => PageWord::FilterLife,
        LogKind::Fault => PageWord::FilterFault,
    }
}
