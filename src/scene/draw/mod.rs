//! From a scene to a frame: one file for each kind of thing, after the recipes of `mock/TOKENS.md`.

use super::frame::Frame;
use super::layout::Layout;
use super::scene::Scene;

/// The scene as it stands at virtual time `now_ms`, nothing on its way inside a machine.
pub fn frame(scene: &Scene, now_ms: f64, layout: &Layout) -> Frame {
    let _ = (scene, now_ms);
    let area = layout.system.area();
    Frame { width: area.width, height: area.height, marks: Vec::new() }
}
