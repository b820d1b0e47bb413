//! "Do": send a message that fails, add a consumer, stop one, crash one; and what was done so far.

use std::rc::Rc;

use yew::prelude::*;

use super::faults::Faults;
use super::send::SendForm;
use crate::app::action::Action;
use crate::app::ask::Ask;
use crate::app::fault::{FaultShown, FaultText, FaultWord};
use crate::app::shown::{BrokerLine, DeedLine, DoShown, MemberLine};
use crate::model::time::Millis;
use crate::text::bar::BarText;
use crate::text::format;
use crate::text::page::PageWord;
use crate::view::part::{Shared, Ui};

#[derive(PartialEq, Properties)]
pub struct DoPanelProps {
    pub ui: Ui,
    pub shown: Shared<DoShown>,
    #[prop_or_default]
    pub faults: Option<Rc<FaultShown>>,
}

#[component]
pub fn DoPanel(props: &DoPanelProps) -> Html {
    let DoPanelProps { ui, shown, faults } = props;
    // What was aimed at comes first.
    let is_aimed = faults.as_ref().is_some_and(|faults| !faults.verbs.is_empty());
    let faults = faults.as_ref().map(|faults| {
        html! { <Faults ui={ui.clone()} shown={faults.clone()} /> }
    });
    html! {
        <>
            if is_aimed { { faults.clone() } }
            <SendForm ui={ui.clone()} queues={shown.queues} can={shown.can_send} />
            <section class="do-group" aria-labelledby="do-members">
                <div class="do-head">
                    <h2 id="do-members">{ ui.word(PageWord::GroupTitle) }</h2>
                    <button type="button" disabled={!shown.can_add}
                        onclick={ask(ui, Ask::AddConsumer)}>{ ui.word(PageWord::AddConsumer) }</button>
                </div>
                <Members ui={ui.clone()} shown={shown.clone()} />
                { for shown.brokers.iter().map(|line| broker(ui, line)) }
            </section>
            if !is_aimed { { faults } }
            <Deeds ui={ui.clone()} shown={shown.clone()} />
        </>
    }
}

fn ask(ui: &Ui, ask: Ask) -> Callback<MouseEvent> {
    ui.act(Action::Asked(ask))
}

/// More members than these are shown only when they are asked for, those with queues first.
const MOST_MEMBERS: usize = 8;

#[derive(PartialEq, Properties)]
struct MembersProps {
    ui: Ui,
    shown: Shared<DoShown>,
}

/// The group: whoever reads a queue comes first, the rest can be unfolded.
#[component]
fn Members(props: &MembersProps) -> Html {
    let MembersProps { ui, shown } = props;
    let is_unfolded = use_state(|| false);
    let (owners, others): (Vec<&MemberLine>, Vec<&MemberLine>) =
        shown.members.iter().partition(|line| line.has_queues);
    let room = MOST_MEMBERS.saturating_sub(owners.len());
    let is_long = others.len() > room;
    let count = if is_long && !*is_unfolded { room } else { others.len() };
    let all = owners.into_iter().chain(others.iter().copied().take(count));
    let text = match *is_unfolded {
        true => BarText::FewerConsumers,
        false => BarText::MoreConsumers { count: (others.len() - count) as u64 },
    };
    let toggle = {
        let is_unfolded = is_unfolded.clone();
        Callback::from(move |_: MouseEvent| is_unfolded.set(!*is_unfolded))
    };
    html! {
        <>
            { for all.map(|line| member(ui, line)) }
            if is_long {
                <button type="button" class="more-members" aria-expanded={is_unfolded.to_string()}
                    onclick={toggle}>{ text.say(ui.language) }</button>
            }
        </>
    }
}

fn member(ui: &Ui, line: &MemberLine) -> Html {
    let id = || line.client_id.clone();
    let verb = |word: PageWord, deed: Ask| {
        let label = format!("{}: {}", line.label, ui.word(word));
        html! {
            <button type="button" aria-label={label} onclick={ask(ui, deed)}>{ ui.word(word) }</button>
        }
    };
    html! {
        <div class="do-line">
            <b>{ line.label.clone() }</b>
            { verb(PageWord::StopConsumer, Ask::Stop(id())) }
            { verb(PageWord::CrashConsumer, Ask::Crash(id())) }
            if line.is_frozen {
                { verb(PageWord::ResumeConsumer, Ask::Resume(id())) }
            } else {
                { verb(PageWord::FreezeConsumer, Ask::Freeze(id(), Millis::from_seconds(30))) }
            }
        </div>
    }
}

fn broker(ui: &Ui, line: &BrokerLine) -> Html {
    let (word, deed) = match line.is_up {
        true => (PageWord::StopBroker, Ask::StopBroker(line.name.clone())),
        false => (PageWord::StartBroker, Ask::StartBroker(line.name.clone())),
    };
    let label = format!("{}: {}", line.name, ui.word(word));
    html! {
        <div class="do-line">
            <b>{ line.name.to_string() }</b>
            <button type="button" aria-label={label} onclick={ask(ui, deed)}>{ ui.word(word) }</button>
        </div>
    }
}

#[derive(PartialEq, Properties)]
pub struct DeedsProps {
    pub ui: Ui,
    pub shown: Shared<DoShown>,
}

/// The visitor's own script, with undo and redo.
#[component]
pub fn Deeds(props: &DeedsProps) -> Html {
    let DeedsProps { ui, shown } = props;
    let line = |(place, deed): (usize, &DeedLine)| {
        let sentence: Rc<str> = deed.sentence.as_str().into();
        let remove = FaultText::RemoveThis { sentence: sentence.clone() };
        let remove = remove.say(ui.language).into_owned();
        html! {
            <li>
                <span class="num">{ format::clock_short(deed.at) }</span>
                <span>{ sentence }</span>
                <button type="button" class="quiet" aria-label={remove.clone()} title={remove}
                    onclick={ui.act(Action::RemovedDeed(place))}>
                    { FaultWord::Remove.say(ui.language) }
                </button>
            </li>
        }
    };
    html! {
        <section class="do-group" aria-labelledby="do-deeds">
            <div class="do-head">
                <h2 id="do-deeds">{ ui.word(PageWord::YouDid) }</h2>
                <button type="button" disabled={!shown.can_undo} onclick={ui.act(Action::PressedUndo)}>
                    { ui.word(PageWord::Undo) }
                </button>
                <button type="button" disabled={!shown.can_redo} onclick={ui.act(Action::PressedRedo)}>
                    { ui.word(PageWord::Redo) }
                </button>
            </div>
            if shown.deeds.is_empty() {
                <p class="dim">{ ui.word(PageWord::DidNothing) }{ " " }{ ui.word(PageWord::ActsHere) }</p>
            } else {
                <ol class="deeds">{ for shown.deeds.iter().enumerate().map(line) }</ol>
            }
        </section>
    }
}
