//! The help page: how to read the picture, its words, keys, motion, where articles err, where we differ.

use yew::prelude::*;

use crate::app::action::Action;
use crate::app::keys::{self, KeyLine};
use crate::app::settings::Motion;
use crate::text::bar::BarWord;
use crate::text::help::{Article, HelpText, Reading, Simpler};
use crate::text::page::PageWord;
use crate::text::term::{Term, TermGroup};
use crate::view::part::{Segment, Segments, Ui, breakable};
use crate::view::top::LanguageButton;

#[derive(PartialEq, Properties)]
pub struct HelpPageProps {
    pub ui: Ui,
    pub motion: Motion,
    pub single_keys: bool,
    pub captions_wait: bool,
    pub hides_future: bool,
    /// Where "Back" leads: the run that was left, or the start page.
    pub back: AttrValue,
}

#[component]
pub fn HelpPage(props: &HelpPageProps) -> Html {
    let ui = &props.ui;
    let say = |text: HelpText| text.say(ui.language);
    html! {
        <div class="helppage">
            <header class="bar">
                <a href={props.back.clone()}>{ say(HelpText::Back) }</a>
                <h1>{ say(HelpText::Title) }</h1>
                <span class="sp"></span>
                <LanguageButton ui={ui.clone()} />
            </header>
            <main id="main" tabindex="-1">
                <section>
                    <h2>{ say(HelpText::ReadTitle) }</h2>
                    <ul>{ for Reading::ALL.map(|it| html! { <li>{ say(HelpText::Read(it)) }</li> }) }</ul>
                </section>
                { words(ui) }
                { keys(ui, props.single_keys) }
                { motion(ui, props.motion) }
                { teaching(ui, props.captions_wait, props.hides_future) }
                { articles(ui) }
                <section>
                    <h2>{ say(HelpText::SimplerTitle) }</h2>
                    <ul>{ for Simpler::ALL.map(|it| html! { <li>{ say(HelpText::Simpler(it)) }</li> }) }</ul>
                </section>
            </main>
        </div>
    }
}

/// Every term, with its word in the other language and its name in RocketMQ.
fn words(ui: &Ui) -> Html {
    let say = |text: HelpText| text.say(ui.language);
    html! {
        <section>
            <h2>{ say(HelpText::WordsTitle) }</h2>
            <p>{ say(HelpText::WordsNote) }</p>
            { for TermGroup::ALL.iter().map(|group| terms(ui, *group)) }
        </section>
    }
}

fn terms(ui: &Ui, group: TermGroup) -> Html {
    let say = |text: HelpText| text.say(ui.language);
    let other = ui.language.other();
    let line = |term: &Term| {
        html! {
            <tr>
                <th scope="row">
                    { term.word(ui.language) }
                    if term.is_starred() { { " ★" } }
                    <span class="dim" lang={other.tag()}>{ term.word(other) }</span>
                </th>
                <td><code>{ term.class().map(breakable) }</code></td>
                <td>{ term.what_it_is(ui.language) }</td>
            </tr>
        }
    };
    html! {
        <>
            <h3>{ say(HelpText::Words(group)) }</h3>
            <table class="plain terms" aria-label={say(HelpText::Words(group))}>
                <thead class="visually-hidden"><tr>
                    <th scope="col">{ say(HelpText::OnStage) }</th>
                    <th scope="col">{ say(HelpText::InRocketMq) }</th>
                    <th scope="col">{ say(HelpText::WhatItIs) }</th>
                </tr></thead>
                <tbody>{ for group.terms().iter().map(line) }</tbody>
            </table>
        </>
    }
}

fn keys(ui: &Ui, single_keys: bool) -> Html {
    let say = |text: HelpText| text.say(ui.language);
    let line = |line: &KeyLine| {
        html! { <li><kbd>{ line.caption() }</kbd><span>{ say(HelpText::Deed(line.deed)) }</span></li> }
    };
    html! {
        <section>
            <h2>{ say(HelpText::KeysTitle) }</h2>
            <p>{ say(HelpText::KeysNote) }</p>
            <label class="check">
                <input type="checkbox" checked={single_keys}
                    onchange={ui.act(Action::ToggledSingleKeys)} />
                { say(HelpText::SingleKeys) }
            </label>
            <ul class="keys-list">{ for keys::KEYS.iter().map(line) }</ul>
        </section>
    }
}

fn motion(ui: &Ui, chosen: Motion) -> Html {
    let choices = [
        (Motion::System, HelpText::MotionSystem),
        (Motion::Full, HelpText::MotionFull),
        (Motion::Still, HelpText::MotionStill),
    ];
    let segments = choices.map(|(motion, text)| Segment {
        label: AttrValue::Static(text.say(ui.language)),
        lang: None,
        is_pressed: motion == chosen,
        onclick: ui.act(Action::ChoseMotion(motion)),
    });
    let title = HelpText::MotionTitle.say(ui.language);
    html! {
        <section>
            <h2>{ title }</h2>
            <Segments label={title} segments={segments.to_vec()} />
        </section>
    }
}

fn teaching(ui: &Ui, captions_wait: bool, hides_future: bool) -> Html {
    let choice = |word: BarWord, is_on: bool, action: Action| {
        html! {
            <label class="check">
                <input type="checkbox" checked={is_on} onchange={ui.act(action)} />
                { ui.bar(word) }
            </label>
        }
    };
    html! {
        <section>
            <h2>{ ui.bar(BarWord::TeachingTitle) }</h2>
            { choice(BarWord::CaptionsWait, captions_wait, Action::ToggledCaptionsWait) }
            { choice(BarWord::HidesFuture, hides_future, Action::ToggledFuture) }
        </section>
    }
}

fn articles(ui: &Ui) -> Html {
    let say = |text: HelpText| text.say(ui.language);
    let line = |article: Article| {
        html! {
            <tr>
                <td>{ say(HelpText::Says(article)) }</td>
                <td>{ say(HelpText::Code(article)) }</td>
            </tr>
        }
    };
    html! {
        <section>
            <h2>{ say(HelpText::ArticlesTitle) }</h2>
            <p>{ say(HelpText::ArticlesNote) }</p>
            <table class="plain articles" aria-label={ui.word(PageWord::Help)}>
                <thead><tr>
                    <th scope="col">{ say(HelpText::OftenRead) }</th>
                    <th scope="col">{ say(HelpText::InTheCode) }</th>
                </tr></thead>
                <tbody>{ for Article::ALL.map(line) }</tbody>
            </table>
        </section>
    }
}
