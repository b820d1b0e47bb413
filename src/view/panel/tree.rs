//! A ProcessQueue as the red-black tree that it is: black entries filled, red ones open with an "r".

use yew::prelude::*;

use crate::scene::tree::Tree;

#[derive(PartialEq, Properties)]
pub struct TreeViewProps {
    pub tree: Tree,
    pub label: AttrValue,
}

const COLUMN: u32 = 40;
const ROW: u32 = 52;
const MARGIN: u32 = 24;

#[component]
pub fn TreeView(props: &TreeViewProps) -> Html {
    let tree = &props.tree;
    let levels = tree.levels();
    let depth = levels.iter().map(|(_, depth, _)| *depth).max().unwrap_or(0);
    let width = MARGIN * 2 + COLUMN * levels.len().saturating_sub(1) as u32;
    let height = MARGIN * 2 + ROW * depth;
    let center = |depth: u32, order: u32| (MARGIN + COLUMN * order, MARGIN + ROW * depth);
    let line = |(place, depth, order): &(u32, u32, u32)| {
        let parent = tree.node(*place).parent?;
        let (_, up, over) = levels.iter().find(|(other, ..)| *other == parent)?;
        let ((x, y), (to_x, to_y)) = (center(*depth, *order), center(*up, *over));
        Some(html! { <path d={format!("M{x} {y}L{to_x} {to_y}")} class="ln" /> })
    };
    let disc = |(place, depth, order): &(u32, u32, u32)| {
        let node = tree.node(*place);
        let (cx, cy) = center(*depth, *order);
        let (class, words) = if node.is_red { ("box", "o mid") } else { ("inkf", "o mid on") };
        html! {
            <g>
                if *order == 0 {
                    <circle cx={cx.to_string()} cy={cy.to_string()} r="23" class="markf" />
                }
                <circle cx={cx.to_string()} cy={cy.to_string()} r="18" {class} />
                <text x={cx.to_string()} y={(cy + 7).to_string()} class={words}>
                    { node.key.to_string() }
                </text>
                if node.is_red {
                    <text x={(cx + 20).to_string()} y={(cy - 12).to_string()} class="n">{ "r" }</text>
                }
            </g>
        }
    };
    html! {
        <div class="tree-scroll" tabindex="0" role="group" aria-label={props.label.clone()}>
            <svg class="tree" viewBox={format!("0 0 {width} {height}")} width={width.to_string()}
                height={height.to_string()} role="img" aria-label={props.label.clone()}>
                { for levels.iter().filter_map(line) }
                { for levels.iter().map(disc) }
            </svg>
        </div>
    }
}
