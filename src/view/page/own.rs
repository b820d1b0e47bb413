//! The visitor's own runs: each with its title, what was done in it, when, and its moment; to open, to rename
//! and to delete.

use wasm_bindgen::JsCast;
use yew::prelude::*;

use crate::app::action::Action;
use crate::app::own::OwnRun;
use crate::text::page::{PageText, PageWord};
use crate::view::part::{Shared, Ui};

/// So many are shown before all are asked for.
const SHOWN_AT_FIRST: usize = 4;

#[derive(PartialEq, Properties)]
pub struct OwnListProps {
    pub ui: Ui,
    pub runs: Shared<Vec<OwnRun>>,
}

#[component]
pub fn OwnList(props: &OwnListProps) -> Html {
    let OwnListProps { ui, runs } = props;
    let shows_all = use_state(|| false);
    let (count, is_long) = (runs.len(), runs.len() > SHOWN_AT_FIRST);
    let shown = if *shows_all { count } else { SHOWN_AT_FIRST };
    let toggle = {
        let shows_all = shows_all.clone();
        Callback::from(move |_| shows_all.set(!*shows_all))
    };
    let line =
        |run: &OwnRun| html! { <OwnLine key={run.id.clone()} ui={ui.clone()} run={run.clone()} /> };
    html! {
        <>
            <ul class="own">{ for runs.iter().take(shown).map(line) }</ul>
            if is_long {
                <button type="button" class="all-own" aria-expanded={shows_all.to_string()} onclick={toggle}>
                    if *shows_all {
                        { ui.word(PageWord::FewerOwnRuns) }
                    } else {
                        { ui.page(&PageText::AllOwnRuns { count: count as u32 }) }
                    }
                </button>
            }
        </>
    }
}

#[derive(PartialEq, Properties)]
struct OwnLineProps {
    ui: Ui,
    run: OwnRun,
}

/// What is asked of a line at the moment.
#[derive(Clone, Copy, PartialEq)]
enum Doing {
    Nothing,
    Renaming,
    /// "Delete" was pressed once.
    Deleting,
}

#[component]
fn OwnLine(props: &OwnLineProps) -> Html {
    let OwnLineProps { ui, run } = props;
    let doing = use_state(|| Doing::Nothing);
    let set = |to: Doing| {
        let doing = doing.clone();
        Callback::from(move |_: MouseEvent| doing.set(to))
    };
    let rename = match *doing {
        Doing::Renaming => set(Doing::Nothing),
        Doing::Nothing | Doing::Deleting => set(Doing::Renaming),
    };
    let delete = match *doing {
        Doing::Deleting => ui.act(Action::DeletedRun(run.id.clone())),
        Doing::Nothing | Doing::Renaming => set(Doing::Deleting),
    };
    let is_sure = *doing == Doing::Deleting;
    let of = run.name.clone().unwrap_or_else(|| run.title.clone());
    let named = |word: PageWord| format!("{}: {of}", word.say(ui.language));
    html! {
        <li>
            <a href={format!("#{}", run.hash)}>
                <b>{ of.to_string() }</b>
                if run.name.is_some() { <span>{ run.title.to_string() }</span> }
                <span class="dim">{ done(ui, run) }</span>
                <span class="dim num">{ ui.page(&PageText::KeptAt { when: run.when.as_str().into(), at: run.at }) }</span>
            </a>
            <span class="own-acts">
                <button type="button" aria-label={named(PageWord::RenameRun)} onclick={rename}
                    aria-expanded={(*doing == Doing::Renaming).to_string()}>{ ui.word(PageWord::RenameRun) }</button>
                <button type="button" class={is_sure.then_some("sure")} onclick={delete}
                    aria-label={named(if is_sure { PageWord::DeleteForGood } else { PageWord::DeleteRun })}>
                    { ui.word(if is_sure { PageWord::DeleteForGood } else { PageWord::DeleteRun }) }
                </button>
            </span>
            if *doing == Doing::Renaming { { form(ui, run, &doing) } }
        </li>
    }
}

/// How much was done, and what first and last.
fn done(ui: &Ui, run: &OwnRun) -> String {
    let count = PageText::Deeds { count: run.deeds }.say(ui.language).into_owned();
    let what = match (run.first.as_deref(), run.last.as_deref()) {
        (Some(first), Some(last)) => {
            let text = PageText::FirstAndLast { first: first.into(), last: last.into() };
            Some(text.say(ui.language).into_owned())
        }
        (first, _) => first.map(str::to_owned),
    };
    what.map_or(count.clone(), |what| format!("{count} · {what}"))
}

fn form(ui: &Ui, run: &OwnRun, doing: &UseStateHandle<Doing>) -> Html {
    let id = format!("name-{}", run.id);
    let onsubmit = {
        let (on, field, run, doing) = (ui.on.clone(), id.clone(), run.id.clone(), doing.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let document = web_sys::window().and_then(|window| window.document());
            let element = document.and_then(|document| document.get_element_by_id(&field));
            let input = element.and_then(|it| it.dyn_into::<web_sys::HtmlInputElement>().ok());
            let name = input.map(|input| input.value()).unwrap_or_default();
            on.emit(Action::RenamedRun { id: run.clone(), name });
            doing.set(Doing::Nothing);
        })
    };
    html! {
        <form {onsubmit}>
            <label class="visually-hidden" for={id.clone()}>{ ui.word(PageWord::NameOfRun) }</label>
            <input {id} type="text" maxlength="80" autocomplete="off" placeholder={ui.word(PageWord::NameOfRun)}
                value={run.name.clone().unwrap_or_default().to_string()} />
            <button type="submit">{ ui.word(PageWord::KeepName) }</button>
        </form>
    }
}
