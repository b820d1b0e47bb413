//! Faults and operators' acts: choose what it is about, then the verb; what it asks for, in a form.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use yew::prelude::*;

use crate::app::action::Action;
use crate::app::deeds::{FIRST_FIELD, FIRST_VERB};
use crate::app::fault::{
    Choice, FaultShown, FaultWord, FieldShown, Kind, Label, Target, TargetLine, Verb,
};
use crate::view::part::Ui;

#[derive(PartialEq, Properties)]
pub struct FaultsProps {
    pub ui: Ui,
    pub shown: Rc<FaultShown>,
}

#[component]
pub fn Faults(props: &FaultsProps) -> Html {
    let FaultsProps { ui, shown } = props;
    let chosen = shown.groups.iter().flat_map(|(_, lines)| lines).find(|line| line.is_chosen);
    html! {
        <section class="do-group" aria-labelledby="do-faults">
            <div class="do-head"><h2 id="do-faults">{ FaultWord::Title.say(ui.language) }</h2></div>
            { targets(ui, shown) }
            if let (Some(line), Some(verb)) = (chosen, shown.verb) {
                { form(ui, shown, &line.label, verb) }
            }
            if let Some(line) = chosen { { verbs(ui, shown, &line.target) } }
        </section>
    }
}

/// The list of everything that can be acted on, under its headings.
fn targets(ui: &Ui, shown: &FaultShown) -> Html {
    let all: Vec<Target> = shown
        .groups
        .iter()
        .flat_map(|(_, lines)| lines.iter().map(|it| it.target.clone()))
        .collect();
    let is_none = !shown.groups.iter().any(|(_, lines)| lines.iter().any(|it| it.is_chosen));
    let onchange = ui.on.reform(move |event: Event| {
        let list = event.target().and_then(|it| it.dyn_into::<web_sys::HtmlSelectElement>().ok());
        // The first option chooses nothing.
        let at = list.and_then(|list| usize::try_from(list.selected_index() - 1).ok());
        Action::ChoseTarget(at.and_then(|at| all.get(at)).cloned())
    });
    let option = |line: &TargetLine| {
        html! { <option selected={line.is_chosen}>{ line.label.clone() }</option> }
    };
    let group = |(word, lines): &(FaultWord, Vec<TargetLine>)| {
        html! {
            <optgroup label={word.say(ui.language)}>{ for lines.iter().map(option) }</optgroup>
        }
    };
    html! {
        <label class="pick">
            <span>{ FaultWord::Target.say(ui.language) }</span>
            <select id="fault-target" {onchange}>
                <option selected={is_none}>{ FaultWord::Choose.say(ui.language) }</option>
                { for shown.groups.iter().map(group) }
            </select>
        </label>
    }
}

fn verbs(ui: &Ui, shown: &FaultShown, target: &Target) -> Html {
    let one = |(place, verb): (usize, &Verb)| {
        let is_open = shown.verb == Some(*verb);
        let id = (place == 0).then_some(FIRST_VERB);
        html! {
            <button type="button" {id} aria-pressed={is_open.to_string()}
                onclick={ui.act(Action::PressedVerb(target.clone(), *verb))}>
                { verb.say(ui.language) }
            </button>
        }
    };
    html! { <div class="acts">{ for shown.verbs.iter().enumerate().map(one) }</div> }
}

fn form(ui: &Ui, shown: &FaultShown, label: &str, verb: Verb) -> Html {
    let onsubmit = ui.on.reform(|event: SubmitEvent| {
        event.prevent_default();
        Action::PressedFault
    });
    let problem = shown.problem.as_ref().map(|problem| problem.say(ui.language));
    let title = format!("{label}: {}", verb.say(ui.language));
    html! {
        <form class="fault-form" {onsubmit} aria-label={title.clone()} novalidate={true}>
            <h3>{ title }</h3>
            if let Some(hint) = verb.hint(ui.language) { <p class="hint dim">{ hint }</p> }
            { for shown.fields.iter().enumerate().map(|(at, it)| field(ui, it, at == 0)) }
            if let Some(problem) = problem {
                <p class="error" id="fault-problem" role="alert">{ problem }</p>
            }
            <button type="submit" class="primary">{ FaultWord::Act.say(ui.language) }</button>
        </form>
    }
}

fn field(ui: &Ui, shown: &FieldShown, is_first: bool) -> Html {
    let id = is_first.then_some(FIRST_FIELD);
    let name = shown.field.name;
    let hint = shown.field.empty.map(|word| word.say(ui.language));
    let note = shown.field.note.as_ref().map(|note| note.say(ui.language));
    let control = match &shown.field.kind {
        Kind::Choice(choices) => choice(ui, shown, choices, id),
        kind => {
            let mode = if matches!(kind, Kind::Number { .. }) { "numeric" } else { "text" };
            let oninput = ui.on.reform(move |event: InputEvent| {
                let input =
                    event.target().and_then(|it| it.dyn_into::<web_sys::HtmlInputElement>().ok());
                Action::FilledField(name, input.map(|input| input.value()).unwrap_or_default())
            });
            html! {
                <input {id} type="text" inputmode={mode} value={shown.value.clone()}
                    autocomplete="off" spellcheck="false" {oninput} />
            }
        }
    };
    html! {
        <label class="pick">
            <span>{ name.say(ui.language) }</span>
            <span class="pick-control">
                { control }
                if let Some(note) = note { <small>{ note }</small> }
                if let Some(hint) = hint { <small class="dim">{ hint }</small> }
            </span>
        </label>
    }
}

fn choice(ui: &Ui, shown: &FieldShown, choices: &[Choice], id: Option<&'static str>) -> Html {
    let name = shown.field.name;
    let all: Vec<String> = choices.iter().map(|choice| choice.value.clone()).collect();
    let onchange = ui.on.reform(move |event: Event| {
        let list = event.target().and_then(|it| it.dyn_into::<web_sys::HtmlSelectElement>().ok());
        let at = list.and_then(|list| usize::try_from(list.selected_index()).ok());
        let value = at.and_then(|at| all.get(at)).cloned();
        Action::FilledField(name, value.unwrap_or_default())
    });
    let option = |choice: &Choice| {
        let label: AttrValue = match &choice.label {
            Label::Word(word) => AttrValue::Static(word.say(ui.language)),
            Label::Name(name) => AttrValue::from(name.clone()),
        };
        html! { <option selected={choice.value == shown.value}>{ label }</option> }
    };
    html! { <select {id} {onchange}>{ for choices.iter().map(option) }</select> }
}
