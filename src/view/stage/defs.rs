//! Patterns, arrow heads and glyphs, once for the whole page (`mock/TOKENS.md`, sections 4 and 5).

use yew::prelude::*;

#[component]
pub fn StageDefs() -> Html {
    html! {
        <svg class="defs" width="0" height="0" aria-hidden="true">
            <defs>
                { patterns() }
                <marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="12"
                    markerHeight="12" markerUnits="userSpaceOnUse" orient="auto">
                    <path d="M0 0L10 5L0 10z" class="ink" />
                </marker>
                <marker id="tip-open" viewBox="0 0 12 12" refX="10" refY="6" markerWidth="13"
                    markerHeight="13" markerUnits="userSpaceOnUse" orient="auto">
                    <path d="M1 1L10 6L1 11" class="ln" />
                </marker>
                { glyphs() }
            </defs>
        </svg>
    }
}

/// One pattern for each state that has one, drawn over its hue.
fn patterns() -> Html {
    html! {
        <>
            <pattern id="p-dots" width="5" height="5" patternUnits="userSpaceOnUse">
                <rect width="5" height="5" class="hue-waiting" />
                <circle cx="2.5" cy="2.5" r="1" class="dark" />
            </pattern>
            <pattern id="p-diag" width="6" height="6" patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)">
                <rect width="6" height="6" class="hue-running" />
                <rect width="2" height="6" class="sheetf" />
            </pattern>
            <pattern id="p-cross" width="6" height="6" patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)">
                <rect width="6" height="6" class="hue-failed" />
                <path d="M0 0H6M0 0V6" class="dark-line" />
            </pattern>
            <pattern id="p-lines" width="6" height="4" patternUnits="userSpaceOnUse">
                <rect width="6" height="4" class="hue-delayed" />
                <rect width="6" height="1.2" class="dark" />
            </pattern>
            <pattern id="p-tick" width="6" height="8" patternUnits="userSpaceOnUse">
                <rect width="6" height="8" class="hue-delayed" />
                <rect width="1.4" height="8" class="dark" />
            </pattern>
            <pattern id="p-hatch" width="8" height="8" patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)">
                <rect width="2" height="8" class="ink" />
            </pattern>
        </>
    }
}

fn glyphs() -> Html {
    let symbol = |id: &'static str, inside: Html| {
        html! { <symbol {id} viewBox="0 0 16 16">{ inside }</symbol> }
    };
    html! {
        <>
            { symbol("g-run", html! { <path d="M4 2L13 8L4 14z" class="ink" /> }) }
            { symbol("g-wait", html! {
                <g class="ink">
                    <circle cx="3" cy="9" r="1.8" /><circle cx="8" cy="9" r="1.8" />
                    <circle cx="13" cy="9" r="1.8" />
                </g>
            }) }
            { symbol("g-done", html! { <path d="M2 9L6 13L14 3" class="g" /> }) }
            { symbol("g-fail", html! { <path d="M3 3L13 13M13 3L3 13" class="g" /> }) }
            { symbol("g-back", html! {
                <path d="M13 3V7a3 3 0 0 1-3 3H3M7 5L2 10L7 15" class="g" />
            }) }
            { symbol("g-clock", html! {
                <>
                    <circle cx="8" cy="8" r="6.5" class="box" />
                    <path d="M8 8V2.5A5.5 5.5 0 0 1 13.5 8z" class="ink" />
                </>
            }) }
            { symbol("g-again", html! {
                <path d="M13.5 8A5.5 5.5 0 1 1 11 3.4M14 1V5H10" class="g" />
            }) }
            { symbol("g-dead", html! { <path d="M5 1H11L15 5V11L11 15H5L1 11V5z" class="ink" /> }) }
            { symbol("g-lock", html! {
                <>
                    <path d="M4.5 7V5a3.5 3.5 0 0 1 7 0V7" class="g" />
                    <rect x="2" y="7" width="12" height="8" class="ink" />
                </>
            }) }
            { symbol("g-key", html! {
                <>
                    <circle cx="4.5" cy="8" r="3" class="g" />
                    <path d="M7.5 8H15M12 8V12M14.5 8V11" class="g" />
                </>
            }) }
            { symbol("g-clip", html! {
                <path d="M5 4v6a3 3 0 0 0 6 0V4a2 2 0 0 0-4 0v6" class="g" />
            }) }
        </>
    }
}
