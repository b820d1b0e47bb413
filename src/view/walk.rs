//! The walkthrough's bar: what to watch for, what it means once that was seen, the words that are new
//! in it, and the way to the next mark and the one before.

use yew::prelude::*;

use super::part::{Icon, IconView, Ui};
use crate::app::action::Action;
use crate::app::shown::{TermLine, WalkShown};
use crate::text::Language;
use crate::text::bar::BarWord;
use crate::text::page::{PageText, PageWord};

#[derive(PartialEq, Properties)]
pub struct WalkBarProps {
    pub ui: Ui,
    pub walk: WalkShown,
    /// The caption waits until it is asked for.
    #[prop_or_default]
    pub is_hidden: bool,
}

#[component]
pub fn WalkBar(props: &WalkBarProps) -> Html {
    let WalkBarProps { ui, walk, is_hidden } = props;
    let how = walk.can_go_on.then(|| ui.word(PageWord::NextMarkHow));
    html! {
        <section class="walk" aria-label={ui.word(PageWord::Walkthrough)}>
            <button type="button" class="backward" aria-label={ui.word(PageWord::PreviousMark)}
                title={ui.word(PageWord::PreviousMark)} aria-disabled={(!walk.can_go_back).to_string()}
                onclick={ui.act(Action::WalkedBack)}><IconView icon={Icon::Back} /></button>
            { steps(ui, walk) }
            <div class="said" tabindex="0">{ if *is_hidden { hidden(ui) } else { words(ui, walk) } }</div>
            <button type="button" class="primary forward" aria-disabled={(!walk.can_go_on).to_string()}
                title={how} onclick={ui.act(Action::WalkedOn)}>
                { ui.word(forward_word(walk)) }<IconView icon={Icon::Step} />
            </button>
        </section>
    }
}

/// What "next" does. Pressed again while the run plays to the mark it goes there at once, and says so.
pub const fn forward_word(walk: &WalkShown) -> PageWord {
    match (walk.is_on_the_way, walk.can_go_on) {
        (true, _) => PageWord::JumpToMark,
        (false, true) => PageWord::NextMark,
        (false, false) => PageWord::LastMark,
    }
}

/// In the caption's place while the class guesses.
fn hidden(ui: &Ui) -> Html {
    html! {
        <p class="caption waits">
            <button type="button" onclick={ui.act(Action::ToggledCaption)}>
                { ui.bar(BarWord::ShowCaption) }
            </button>
            <button type="button" class="quiet" onclick={ui.act(Action::ToggledCaptionsWait)}>
                { ui.bar(BarWord::AlwaysCaption) }
            </button>
        </p>
    }
}

/// The caption alone, without the terms.
pub fn caption_words(ui: &Ui, walk: &WalkShown) -> AttrValue {
    if walk.is_left_by_act && !walk.can_go_on && !walk.holds {
        return ui.word(PageWord::WalkLeft);
    }
    match walk.other_release {
        Some(release) => ui.page(&PageText::OtherRelease { release: release.release() }),
        None => AttrValue::from(walk.caption(ui.language)),
    }
}

/// One disc for each step: done, this one, to come.
fn steps(ui: &Ui, walk: &WalkShown) -> Html {
    let number = walk.number + usize::from(walk.is_coming);
    let text = PageText::MarkNumber { number: number as u64, count: walk.count as u64 };
    let disc = |step: usize| {
        let class = match step.cmp(&number) {
            std::cmp::Ordering::Less => "past",
            std::cmp::Ordering::Equal => "now",
            std::cmp::Ordering::Greater => "next",
        };
        let name = ui.page(&PageText::StepOf { number: step as u64 });
        let current = (step == number).then_some("step");
        html! {
            <li><button type="button" {class} aria-label={name.clone()} title={name} aria-current={current}
                onclick={ui.act(Action::WalkedTo(step - 1))}></button></li>
        }
    };
    html! {
        <div class="where">
            <b class="num number">{ ui.page(&text) }</b>
            <ol class="steps" aria-label={ui.word(PageWord::WalkSteps)}>{ for (1..=walk.count).map(disc) }</ol>
        </div>
    }
}

fn words(ui: &Ui, walk: &WalkShown) -> Html {
    if walk.is_left_by_act && !walk.can_go_on && !walk.holds {
        return html! { <p class="caption dim">{ ui.word(PageWord::WalkLeft) }</p> };
    }
    if let Some(release) = walk.other_release {
        let text = PageText::OtherRelease { release: release.release() };
        return html! { <p class="caption">{ ui.page(&text) }</p> };
    }
    let class = if walk.holds { "caption" } else { "caption dim" };
    let meaning = walk.meaning.as_ref().map(|meaning| {
        let between = if ui.language == Language::ZhCn { "" } else { " " };
        html! { <>{ between }<span class="meaning">{ meaning.clone() }</span></> }
    });
    html! {
        <>
            <p {class}><span class="watch">{ walk.watch.clone() }</span>{ meaning }</p>
            if !walk.terms.is_empty() {
                <dl class="terms">{ for walk.terms.iter().map(term) }</dl>
            }
        </>
    }
}

/// `shelf = ProcessQueue: pulled messages that are not finished yet`.
fn term(line: &TermLine) -> Html {
    let class = line.class.and_then(|names| names.split(", ").next());
    html! {
        <div>
            <dt>{ line.word.clone() }
                if let Some(class) = class { { " = " }<code>{ class }</code> }
            </dt>
            <dd>{ line.is }</dd>
        </div>
    }
}
