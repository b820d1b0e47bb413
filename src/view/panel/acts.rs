//! What can be done to the selected thing: each verb at once, or by the form of the "Do" tab.

use yew::prelude::*;

use crate::app::action::Action;
use crate::app::fault::Verb;
use crate::app::shown::VerbsShown;
use crate::text::page::PageWord;
use crate::view::part::Ui;

pub fn acts(ui: &Ui, shown: &VerbsShown) -> Html {
    let one = |(verb, _): &(Verb, bool)| {
        let verb = *verb;
        html! {
            <button type="button" onclick={ui.act(Action::PressedVerb(shown.target.clone(), verb))}>
                { verb.say(ui.language) }
            </button>
        }
    };
    html! {
        if !shown.verbs.is_empty() {
            <section class="acts-box" aria-labelledby="acts-title">
                <h3 id="acts-title">{ ui.word(PageWord::Do) }</h3>
                <div class="acts">{ for shown.verbs.iter().map(one) }</div>
            </section>
        }
    }
}
