//! "Inspect": what is selected and what such a thing is, why it is so, what comes next, where it stands in
//! the source, its numbers, what can be done to it; always in this order (UX 5).

use std::rc::Rc;

use yew::prelude::*;

use super::acts::acts;
use super::journey::journey;
use super::numbers::{numbers, tables};
use super::sign::Sign;
use super::tree::TreeView;
use crate::app::action::Action;
use crate::app::shown::{InspectShown, VerbsShown};
use crate::scene::inspect::{Inspection, SourceRow};
use crate::text::Term;
use crate::text::chain::ChainWord;
use crate::text::page::PageWord;
use crate::view::part::{Shared, Ui, breakable};

#[derive(PartialEq, Properties)]
pub struct InspectPanelProps {
    pub ui: Ui,
    pub shown: Option<Shared<InspectShown>>,
    /// What can be done to it.
    #[prop_or_default]
    pub verbs: Option<Rc<VerbsShown>>,
}

#[component]
pub fn InspectPanel(props: &InspectPanelProps) -> Html {
    let ui = &props.ui;
    let Some(shown) = &props.shown else {
        return html! {
            <>
                <h2>{ ui.word(PageWord::NothingSelected) }</h2>
                <p>{ ui.word(PageWord::PickSomething) }</p>
            </>
        };
    };
    let told = &shown.told;
    html! {
        <>
            { what(ui, told) }
            if !told.journey.is_empty() { { journey(ui, &told.journey, shown.now) } }
            { questions(ui, told) }
            if !told.numbers.is_empty() { { numbers(ui, &told.numbers, shown.now) } }
            if let Some(tree) = &told.tree { { window(ui, tree, shown.is_tree) } }
            { tables(ui, &told.tables, shown.now) }
            if let Some(verbs) = &props.verbs { { acts(ui, verbs) } }
        </>
    }
}

fn what(ui: &Ui, told: &Inspection) -> Html {
    let note = told.note.as_ref().map(|note| note.say(ui.language));
    let class = if told.state.is_some() { "what" } else { "what no-sign" };
    html! {
        <>
        <div {class}>
            if let Some(state) = told.state { <Sign {state} failures={told.failures} /> }
            <div>
                <h2>{ told.what.say(ui.language) }</h2>
                if let Some(note) = note { <p class="dim">{ note }</p> }
            </div>
        </div>
        { for told.terms.iter().map(|term| what_it_is(ui, *term)) }
        </>
    }
}

/// What such a thing is, before why it is so now.
fn what_it_is(ui: &Ui, term: Term) -> Html {
    html! {
        <p class="is">
            { term.what_it_is(ui.language) }
            if let Some(class) = term.class() { { " " }<code class="dim">{ breakable(class) }</code> }
        </p>
    }
}

fn questions(ui: &Ui, told: &Inspection) -> Html {
    let why = told.why.as_ref().map(|why| why.say(ui.language));
    let cause = told.cause.as_ref();
    let source = |row: &SourceRow| match row {
        SourceRow::Class(name) => html! { <div>{ breakable(name) }</div> },
        SourceRow::Code { number, name } => {
            html! { <div>{ breakable(&format!("{number} {name}")) }</div> }
        }
        SourceRow::Property { name, value } => {
            html! { <div>{ breakable(&format!("{name} = {value}")) }</div> }
        }
    };
    html! {
        <dl class="qa">
            if why.is_some() || cause.is_some() {
                <dt>{ ui.word(PageWord::Why) }</dt>
                <dd>
                    if let Some(why) = why { <div>{ why }</div> }
                    if let Some(cause) = cause {
                        <button type="button" class="link"
                            onclick={ui.act(Action::WentToEvent(cause.event))}>
                            { cause.told.sentence(ui.language) }
                        </button>
                        <button type="button" class="whole-chain"
                            onclick={ui.act(Action::AskedWhy(Some(cause.event)))}>
                            { ChainWord::WholeChain.say(ui.language) }
                        </button>
                    }
                </dd>
            }
            if !told.next.is_empty() {
                <dt>{ ui.word(PageWord::Next) }</dt>
                <dd>{ for told.next.iter().take(3).map(|it| html! { <div>{ it.say(ui.language) }</div> }) }</dd>
            }
            if !told.source.is_empty() {
                <dt>{ ui.word(PageWord::Source) }</dt>
                <dd class="source">{ for told.source.iter().map(source) }</dd>
            }
        </dl>
    }
}

/// The ProcessQueue as the tree that it is, on demand.
fn window(ui: &Ui, tree: &crate::scene::tree::Tree, is_tree: bool) -> Html {
    let word = if is_tree { PageWord::Shelf } else { PageWord::Tree };
    html! {
        <section class="tree-box">
            <button type="button" aria-expanded={is_tree.to_string()}
                onclick={ui.act(Action::ToggledTree)}>{ ui.word(word) }</button>
            if is_tree {
                <p class="dim">{ ui.word(PageWord::TreeHint) }</p>
                <TreeView tree={tree.clone()} label={ui.word(PageWord::TreeHint)} />
            }
        </section>
    }
}
