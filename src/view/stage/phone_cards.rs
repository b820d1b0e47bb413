//! The three cards of the follow view: one queue, one message, who owns what.

use std::rc::Rc;

use yew::prelude::*;

use super::phone::FollowViewProps;
use super::stage::Stage;
use crate::model::time::Millis;
use crate::scene::at_broker::Queue;
use crate::scene::draw;
use crate::scene::follow;
use crate::scene::layout::{Layout, System};
use crate::scene::mark::MarkId;
use crate::scene::scene::{Station, Tense};
use crate::text::stage::{MarkName, StageText, StageWord};
use crate::text::{Language, format};

fn now(props: &FollowViewProps) -> Millis {
    Millis(props.now_ms.max(0.0) as u64)
}

fn say(language: Language, text: impl Into<StageText>) -> String {
    text.into().say(language).into_owned()
}

/// The strip with its flags, the owner's shelf, and why C stands where it stands.
#[component]
pub fn QueueCard(props: &FollowViewProps) -> Html {
    let layout = Layout {
        system: System::Phone,
        language: props.language,
        spotlight: props.selected.clone(),
        is_still: false,
    };
    let shown = follow::shown_queue(&props.scene, &layout);
    let queue = follow::queues(&props.scene).find(|queue| Some(&queue.queue) == shown.as_ref());
    let count = follow::queues(&props.scene).count();
    let picks = match count > MOST_PICKS {
        true => list(props, queue),
        false => follow::queues(&props.scene).map(|known| pick(props, known, queue)).collect(),
    };
    let why = queue.map_or(Vec::new(), |queue| follow::why(&props.scene, queue, now(props)));
    let words: Vec<String> = why.into_iter().map(|text| say(props.language, text)).collect();
    // Chinese sentences follow one another without a space.
    let between = if props.language == Language::ZhCn { "" } else { " " };
    let label = queue.map_or(String::new(), |queue| queue.label.to_string());
    let frame = Rc::new(draw::frame(&props.scene, props.now_ms, &layout));
    html! {
        <>
            <div class="pick">{ picks }</div>
            <Stage {frame} selected={props.selected.clone()} {label}
                language={props.language} on_select={props.on_select.clone()} />
            <p class="say">{ words.join(between) }</p>
            { followed_line(props) }
        </>
    }
}

/// More than two rows of buttons would push the picture out of sight.
const MOST_PICKS: usize = 12;

/// One of very many.
fn list(props: &FollowViewProps, shown: Option<&Queue>) -> Html {
    let ids: Vec<MarkId> =
        follow::queues(&props.scene).map(|queue| MarkId::Queue(queue.queue.clone())).collect();
    let onchange = props.on_select.reform(move |event: Event| {
        let chosen = event.target_dyn_into::<web_sys::HtmlSelectElement>();
        let place = chosen.map_or(0, |list| list.selected_index().max(0) as usize);
        ids[place.min(ids.len() - 1)].clone()
    });
    let option = |queue: &Queue| {
        let is_shown = shown.is_some_and(|shown| shown.queue == queue.queue);
        html! { <option selected={is_shown}>{ queue.label.to_string() }</option> }
    };
    let label = say(props.language, StageWord::Queues);
    html! {
        <select class="queue-list" aria-label={label} {onchange}>
            { for follow::queues(&props.scene).map(option) }
        </select>
    }
}

fn pick(props: &FollowViewProps, queue: &Queue, shown: Option<&Queue>) -> Html {
    let is_shown = shown.is_some_and(|shown| shown.queue == queue.queue);
    let id = MarkId::Queue(queue.queue.clone());
    let onclick = props.on_select.reform(move |_: MouseEvent| id.clone());
    html! {
        <button aria-pressed={is_shown.to_string()} {onclick}>{ queue.label.to_string() }</button>
    }
}

/// The followed message under the marker, with what is left of its wait.
fn followed_line(props: &FollowViewProps) -> Html {
    let Some((words, due)) = follow::followed(&props.scene) else { return Html::default() };
    let late = due.map(|due| now(props).since(due)).filter(|late| *late >= draw::LATE);
    let left = match late {
        Some(by) => Some(say(props.language, StageText::Late { by })),
        None => due.map(|due| format::left(props.language, due.since(now(props)))),
    };
    html! {
        <div class="follow">
            { card_sign(props) }
            <span>{ say(props.language, words) }</span>
            <b class="num">{ left }</b>
        </div>
    }
}

/// The followed message as a card, notched once for each failure.
fn card_sign(props: &FollowViewProps) -> Html {
    let followed = props.scene.followed.as_ref().filter(|it| it.unique_key.is_some());
    let Some(followed) = followed else { return Html::default() };
    let frame = draw::card_sign(followed);
    html! { <Stage frame={Rc::new(frame)} selected={None} label="" language={props.language}
    on_select={Callback::noop()} /> }
}

/// The journey, station by station.
#[component]
pub fn MessageCard(props: &FollowViewProps) -> Html {
    let followed = props.scene.followed.as_ref().filter(|it| it.unique_key.is_some());
    let Some(followed) = followed else {
        return html! { <p class="say">{ say(props.language, StageWord::NothingFollowed) }</p> };
    };
    html! {
        <>
            <ol class="journey">
                { for followed.stations.iter().map(|station| one_station(props, station)) }
            </ol>
            { followed_line(props) }
        </>
    }
}

fn one_station(props: &FollowViewProps, station: &Station) -> Html {
    let (class, disc) = match station.tense {
        Tense::Past => ("past", "disc past"),
        Tense::Now => ("now", "disc"),
        Tense::Next => ("to-come", "disc next"),
    };
    let words = say(props.language, follow::station(&props.scene, station));
    let at = station.at.map(format::clock_short);
    let current = (station.tense == Tense::Now).then_some("step");
    html! {
        <li {class} aria-current={current}>
            <span class={disc}>{ station.number }</span>
            <span>{ words }</span>
            <span class="num">{ at }</span>
        </li>
    }
}

/// Queues, their owners, and what is left to do in each.
#[component]
pub fn OwnersCard(props: &FollowViewProps) -> Html {
    let word = |word: StageWord| say(props.language, word);
    html! {
        <table class="owners">
            <thead><tr>
                <th scope="col">{ word(StageWord::Queues) }</th>
                <th scope="col">{ word(StageWord::Reader) }</th>
                <th scope="col">{ "C" }</th><th scope="col">{ "M" }</th>
            </tr></thead>
            <tbody>{ for follow::queues(&props.scene).map(|queue| owner_row(props, queue)) }</tbody>
        </table>
    }
}

fn owner_row(props: &FollowViewProps, queue: &Queue) -> Html {
    let owner = match &queue.reader {
        Some(reader) => reader.to_string(),
        None => say(props.language, StageWord::Nobody),
    };
    let id = MarkId::Queue(queue.queue.clone());
    let onclick = props.on_select.reform(move |_: MouseEvent| id.clone());
    let name = say(
        props.language,
        MarkName::Queue {
            label: queue.label.clone(),
            min: queue.min_offset.0,
            max: queue.max_offset.0,
            committed: queue.committed.map(|offset| offset.0),
            pull: queue.pull.as_ref().map(|pull| pull.offset.0),
            lag: queue.lag(),
        },
    );
    let committed = queue.committed.map(|offset| offset.to_string());
    html! {
        <tr>
            <th scope="row">
                <button class="quiet" aria-label={name} {onclick}>{ queue.label.to_string() }</button>
            </th>
            <td>{ owner }</td>
            <td class="num">{ committed.unwrap_or("–".to_owned()) }</td>
            <td class="num">{ queue.max_offset.to_string() }</td>
        </tr>
    }
}
