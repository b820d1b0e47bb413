//! The only room that touches the browser: it turns what happens there into actions, and carries out
//! effects. Never imports the model, the simulation or the view.

pub mod announce;
pub mod clipboard;
pub mod document;
pub mod frame_loop;
pub mod hash;
pub mod keyboard;
pub mod media;
pub mod panic;
pub mod store;
pub mod version;
