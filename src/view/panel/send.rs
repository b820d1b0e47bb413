//! The form that sends a message. Its draft is the form's own; nothing of it is in the page's state.

use wasm_bindgen::JsCast;
use yew::prelude::*;

use crate::app::action::Action;
use crate::app::ask::{Ask, Fails, Sending};
use crate::model::time::Millis;
use crate::text::page::{PageText, PageWord};
use crate::view::part::Ui;

#[derive(PartialEq, Properties)]
pub struct SendFormProps {
    pub ui: Ui,
    pub queues: u32,
    pub can: bool,
}

const LISTENERS: [(PageWord, Fails); 5] = [
    (PageWord::Succeeds, Fails::Times(0)),
    (PageWord::FailsOnce, Fails::Times(1)),
    (PageWord::FailsTwice, Fails::Times(2)),
    (PageWord::FailsThrice, Fails::Times(3)),
    (PageWord::FailsAlways, Fails::Always),
];
const TAKES: [u64; 6] = [0, 500, 2_000, 5_000, 20_000, 60_000];
const COUNTS: [u32; 5] = [1, 2, 5, 10, 40];

#[component]
pub fn SendForm(props: &SendFormProps) -> Html {
    let SendFormProps { ui, queues, can } = props;
    let draft = use_state(|| Sending { fails: Fails::Times(1), ..Sending::default() });
    // One list of the form: its choices, and how a choice changes the draft.
    let field = |word: PageWord, options: Vec<(AttrValue, Sending)>| {
        let all: Vec<Sending> = options.iter().map(|(_, sending)| sending.clone()).collect();
        let onchange = {
            let draft = draft.clone();
            Callback::from(move |event: Event| {
                let list =
                    event.target().and_then(|it| it.dyn_into::<web_sys::HtmlSelectElement>().ok());
                let at = list.and_then(|list| usize::try_from(list.selected_index()).ok());
                if let Some(sending) = at.and_then(|at| all.get(at)) {
                    draft.set(sending.clone());
                }
            })
        };
        let option = |(label, sending): &(AttrValue, Sending)| {
            html! { <option selected={*sending == *draft}>{ label.clone() }</option> }
        };
        html! {
            <label class="pick">
                <span>{ ui.word(word) }</span>
                <select {onchange}>{ for options.iter().map(option) }</select>
            </label>
        }
    };
    let now = || (*draft).clone();
    let counts = COUNTS.map(|count| (count.to_string().into(), Sending { count, ..now() }));
    let listeners = LISTENERS.map(|(word, fails)| (ui.word(word), Sending { fails, ..now() }));
    let takes = TAKES.map(|ms| {
        let takes = Millis::new(ms);
        (ui.page(&PageText::TakesOption { span: takes }), Sending { takes, ..now() })
    });
    let any = (ui.word(PageWord::AnyQueue), Sending { queue: None, ..now() });
    let each = (0..*queues).map(|number| {
        (ui.page(&PageText::Queue { number }), Sending { queue: Some(number), ..now() })
    });
    let onsubmit = {
        let draft = draft.clone();
        ui.on.reform(move |event: SubmitEvent| {
            event.prevent_default();
            Action::Asked(Ask::Send((*draft).clone()))
        })
    };
    html! {
        <form class="do-group send" {onsubmit} aria-labelledby="do-send">
            <div class="do-head">
                <h2 id="do-send">{ ui.word(PageWord::SendTitle) }</h2>
                <button type="submit" class="primary" disabled={!can}>
                    { ui.word(PageWord::SendButton) }
                </button>
            </div>
            { field(PageWord::Listener, listeners.to_vec()) }
            { field(PageWord::TakesField, takes.to_vec()) }
            { field(PageWord::QueueField, std::iter::once(any).chain(each).collect()) }
            { field(PageWord::Count, counts.to_vec()) }
        </form>
    }
}
