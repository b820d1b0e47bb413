//! The text twin: headed outline, always in the document, by the same scene as the picture.

use std::rc::Rc;

use yew::prelude::*;

use crate::model::time::Millis;
use crate::scene::scene::Scene;
use crate::scene::twin::twin;
use crate::text::Language;
use crate::text::stage::StageWord;

#[derive(PartialEq, Properties)]
pub struct StageTwinProps {
    pub scene: Rc<Scene>,
    pub now: Millis,
    pub language: Language,
    /// Shown to all, or only to those who hear the page.
    #[prop_or_default]
    pub is_shown: bool,
}

#[component]
pub fn StageTwin(props: &StageTwinProps) -> Html {
    let title = crate::text::StageText::from(StageWord::TwinHeading).say(props.language);
    let sections = twin(&props.scene, props.now, props.language);
    let class = if props.is_shown { classes!("twin") } else { classes!("twin", "visually-hidden") };
    html! {
        <section {class} aria-label={title.to_string()}>
            <h2>{ title }</h2>
            { for sections.into_iter().map(|section| html! {
                <>
                    <h3>{ section.heading }</h3>
                    <ul>{ for section.lines.into_iter().map(|line| html! { <li>{ line }</li> }) }</ul>
                </>
            }) }
        </section>
    }
}
