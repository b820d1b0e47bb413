//! What can be done to the selected thing.

use yew::prelude::*;

use crate::app::action::Action;
use crate::app::ask::Ask;
use crate::model::time::Millis;
use crate::scene::inspect::Offer;
use crate::text::page::PageWord;
use crate::view::part::Ui;

pub fn acts(ui: &Ui, offers: &[Offer]) -> Html {
    let one = |offer: &Offer| {
        let (word, ask) = ask(offer);
        html! {
            <button type="button" onclick={ui.act(Action::Asked(ask))}>{ ui.word(word) }</button>
        }
    };
    html! {
        if !offers.is_empty() { <div class="acts">{ for offers.iter().map(one) }</div> }
    }
}

fn ask(offer: &Offer) -> (PageWord, Ask) {
    match offer {
        Offer::SendTo(queue) => (PageWord::SendHere, Ask::SendTo(queue.clone())),
        Offer::Stop(client) => (PageWord::StopConsumer, Ask::Stop(client.clone())),
        Offer::Crash(client) => (PageWord::CrashConsumer, Ask::Crash(client.clone())),
        Offer::LoseHost(client) => (PageWord::LoseHost, Ask::LoseHost(client.clone())),
        Offer::Freeze(client) => {
            (PageWord::FreezeConsumer, Ask::Freeze(client.clone(), Millis::from_seconds(30)))
        }
        Offer::Resume(client) => (PageWord::ResumeConsumer, Ask::Resume(client.clone())),
        Offer::StopBroker(name) => (PageWord::StopBroker, Ask::StopBroker(name.clone())),
        Offer::KillBroker(name) => (PageWord::KillBroker, Ask::KillBroker(name.clone())),
        Offer::StartBroker(name) => (PageWord::StartBroker, Ask::StartBroker(name.clone())),
        Offer::StopNameServer => (PageWord::StopBroker, Ask::StopNameServer),
        Offer::StartNameServer => (PageWord::StartBroker, Ask::StartNameServer),
    }
}
