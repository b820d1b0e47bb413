//! The selected message as a card: one notch for each failure, band and glyph of its state.

use yew::prelude::*;

use crate::scene::card::MessageState;

#[derive(PartialEq, Properties)]
pub struct SignProps {
    pub state: MessageState,
    pub failures: u32,
}

#[component]
pub fn Sign(props: &SignProps) -> Html {
    let SignProps { state, failures } = *props;
    if state == MessageState::Dead {
        return html! {
            <svg viewBox="0 0 40 40" aria-hidden="true"><use href="#g-dead" width="40" height="40" /></svg>
        };
    }
    let notches = "h4l4 6l4 -6".repeat(failures.min(3) as usize);
    let outline = format!("M2 4{notches}H38V36H2z");
    let (pattern, glyph) = look(state);
    html! {
        <svg viewBox="0 0 40 40" aria-hidden="true">
            <path d={outline} class={if state == MessageState::LocalRetry { "box dashed" } else { "box" }} />
            if let Some(fill) = pattern {
                <rect x="3" y="27" width="34" height="8" {fill} />
                <path d="M2 27H38" class="ln1" />
            }
            if let Some(href) = glyph {
                <use {href} x="12" y="10" width="16" height="16" />
            }
        </svg>
    }
}

const fn look(state: MessageState) -> (Option<&'static str>, Option<&'static str>) {
    match state {
        MessageState::Waiting => (Some("url(#p-dots)"), Some("#g-wait")),
        MessageState::Running => (Some("url(#p-diag)"), Some("#g-run")),
        MessageState::Failed => (Some("url(#p-cross)"), Some("#g-fail")),
        MessageState::SentBack => (Some("url(#p-lines)"), Some("#g-back")),
        MessageState::Delayed => (Some("url(#p-tick)"), Some("#g-clock")),
        MessageState::LocalRetry => (None, Some("#g-again")),
        MessageState::Done => (None, Some("#g-done")),
        MessageState::Stored | MessageState::Dead | MessageState::Lost => (None, None),
    }
}
