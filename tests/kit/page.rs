//! A frame or a follow view as a page by itself, drawn by the real components, for screenshots.

use std::rc::Rc;

use rocketmq_playground::scene::draw;
use rocketmq_playground::scene::frame::Frame;
use rocketmq_playground::scene::layout::{Layout, System};
use rocketmq_playground::scene::scene::Scene;
use rocketmq_playground::text::Language;
use rocketmq_playground::view::stage::{FollowView, Stage, StageDefs};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct PageProps {
    pub frame: Rc<Frame>,
    pub language: Language,
}

#[component]
fn Page(props: &PageProps) -> Html {
    html! {
        <>
            <StageDefs />
            <div class="stage" style="width:100vw;height:100vh">
                <Stage frame={props.frame.clone()} selected={None} label="Stage"
                    language={props.language} on_select={Callback::noop()} />
            </div>
        </>
    }
}

#[derive(Clone, PartialEq, Properties)]
pub struct PhoneProps {
    pub scene: Rc<Scene>,
    pub now_ms: f64,
    pub language: Language,
    pub opens_on: usize,
}

#[component]
fn Phone(props: &PhoneProps) -> Html {
    html! {
        <>
            <StageDefs />
            <div class="phone">
                <header class="ti"><h1>{ "One poison message" }</h1></header>
                <FollowView scene={props.scene.clone()} frame={rooms(props)} is_playing={false}
                    label="Stage" now_ms={props.now_ms} selected={None}
                    language={props.language} opens_on={props.opens_on} on_select={Callback::noop()} />
            </div>
        </>
    }
}

fn rooms(props: &PhoneProps) -> Rc<Frame> {
    let layout = Layout { system: System::Rooms, language: props.language, ..Layout::default() };
    Rc::new(draw::frame(&props.scene, props.now_ms, &layout))
}

pub async fn write(name: &str, frame: Frame, language: Language, theme: &str) {
    let props = PageProps { frame: Rc::new(frame), language };
    let renderer = yew::LocalServerRenderer::<Page>::with_props(props);
    save(name, &renderer.hydratable(false).render().await, language, theme);
}

pub async fn write_phone(name: &str, props: PhoneProps, theme: &str) {
    let language = props.language;
    let renderer = yew::LocalServerRenderer::<Phone>::with_props(props);
    save(name, &renderer.hydratable(false).render().await, language, theme);
}

fn save(name: &str, body: &str, language: Language, theme: &str) {
    let lang = language.tag();
    let style = concat!(env!("CARGO_MANIFEST_DIR"), "/static/style.css");
    let style = std::fs::read_to_string(style).expect("the style sheet is in the repository");
    let page = format!(
        "<!doctype html><html lang={lang} data-theme={theme}><meta charset=utf-8><style>{style}</style>{body}"
    );
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/target/stage");
    std::fs::create_dir_all(folder).expect("target is writable");
    let tag = language.tag();
    std::fs::write(format!("{folder}/{name}-{theme}-{tag}.html"), page).expect("a page");
}
