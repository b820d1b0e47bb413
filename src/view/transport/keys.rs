//! The buttons that move time. 44 px and more, in the order of a tape's.

use yew::prelude::*;

use crate::app::action::{Action, Step};
use crate::app::shown::TimeShown;
use crate::text::page::PageWord;
use crate::view::part::{Icon, IconView, Ui};

#[derive(PartialEq, Properties)]
pub struct KeysProps {
    pub ui: Ui,
    pub time: TimeShown,
}

#[component]
pub fn TransportKeys(props: &KeysProps) -> Html {
    let KeysProps { ui, time } = props;
    let (back, on) = (time.can_step_back(), time.can_step());
    html! {
        <div class="keys">
            { step(ui, PageWord::ToStart, Icon::ToStart, Step::Start, back) }
            { step(ui, PageWord::BackKey, Icon::BackKey, Step::KeyBack, back) }
            { step(ui, PageWord::BackOne, Icon::Back, Step::EventBack, back) }
            { play(ui, time) }
            { step(ui, PageWord::StepOne, Icon::Step, Step::Event, on) }
            { step(ui, PageWord::StepKey, Icon::StepKey, Step::Key, on) }
            { step(ui, PageWord::ToEnd, Icon::ToEnd, Step::End, on) }
        </div>
    }
}

/// The same for a thumb: five keys.
#[component]
pub fn PhoneKeys(props: &KeysProps) -> Html {
    let KeysProps { ui, time } = props;
    let (back, on) = (time.can_step_back(), time.can_step());
    html! {
        <div class="pk">
            { step(ui, PageWord::BackKey, Icon::BackKey, Step::KeyBack, back) }
            { step(ui, PageWord::BackOne, Icon::Back, Step::EventBack, back) }
            { play(ui, time) }
            { step(ui, PageWord::StepOne, Icon::Step, Step::Event, on) }
            { step(ui, PageWord::StepKey, Icon::StepKey, Step::Key, on) }
        </div>
    }
}

fn play(ui: &Ui, time: &TimeShown) -> Html {
    let (word, icon) = match time.is_playing {
        true => (PageWord::Pause, Icon::Pause),
        false => (PageWord::Play, Icon::Play),
    };
    html! {
        <button type="button" class="play" aria-label={ui.word(word)} title={ui.word(word)}
            onclick={ui.act(Action::PressedPlay)}><IconView {icon} /></button>
    }
}

fn step(ui: &Ui, word: PageWord, icon: Icon, step: Step, can: bool) -> Html {
    html! {
        <button type="button" aria-label={ui.word(word)} title={ui.word(word)}
            aria-disabled={(!can).to_string()} onclick={ui.act(Action::Stepped(step))}>
            <IconView {icon} />
        </button>
    }
}
