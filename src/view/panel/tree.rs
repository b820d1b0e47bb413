//! A ProcessQueue as the red-black tree that it is: black entries filled, red ones open with an "r".

use yew::prelude::*;

use crate::app::tree::Node;
use crate::view::part::Shared;

#[derive(PartialEq, Properties)]
pub struct TreeViewProps {
    pub nodes: Shared<Vec<Node>>,
    pub label: AttrValue,
}

const COLUMN: u32 = 40;
const ROW: u32 = 52;
const MARGIN: u32 = 24;

#[component]
pub fn TreeView(props: &TreeViewProps) -> Html {
    let nodes = &props.nodes;
    let depth = nodes.iter().map(|node| node.depth).max().unwrap_or(0);
    let width = MARGIN * 2 + COLUMN * nodes.len().saturating_sub(1) as u32;
    let height = MARGIN * 2 + ROW * depth;
    let x = |column: u32| MARGIN + COLUMN * column;
    let y = |depth: u32| MARGIN + ROW * depth;
    let line = |node: &Node| {
        let d = format!(
            "M{} {}L{} {}",
            x(node.column),
            y(node.depth),
            x(node.parent?),
            y(node.depth.checked_sub(1)?)
        );
        Some(html! { <path {d} class="ln" /> })
    };
    let disc = |node: &Node| {
        let (cx, cy) = (x(node.column), y(node.depth));
        let class = if node.is_black { "inkf" } else { "box" };
        let words = if node.is_black { "o mid on" } else { "o mid" };
        html! {
            <g>
                if node.column == 0 {
                    <circle cx={cx.to_string()} cy={cy.to_string()} r="23" class="markf" />
                }
                <circle cx={cx.to_string()} cy={cy.to_string()} r="18" {class} />
                <text x={cx.to_string()} y={(cy + 7).to_string()} class={words}>
                    { node.key.to_string() }
                </text>
                if !node.is_black {
                    <text x={(cx + 20).to_string()} y={(cy - 12).to_string()} class="n">{ "r" }</text>
                }
            </g>
        }
    };
    html! {
        <div class="tree-scroll" tabindex="0" role="group" aria-label={props.label.clone()}>
            <svg class="tree" viewBox={format!("0 0 {width} {height}")} width={width.to_string()}
                height={height.to_string()} role="img" aria-label={props.label.clone()}>
                { for nodes.iter().filter_map(line) }
                { for nodes.iter().map(disc) }
            </svg>
        </div>
    }
}
