//! The picture as data: `Scene` (what there is), `Layout` (for whom), `Frame` (where it is drawn).
//!
//! A frame is a pure function of scenes, story time and layout. Never imports `app`, yew or the
//! device; never changes a world. Floats end here.

pub mod at_broker;
pub mod at_consumer;
pub mod beat;
pub mod callout;
pub mod card;
pub mod cast;
pub mod checks;
pub mod company;
pub mod concerns;
pub mod draw;
pub mod film;
pub mod fold;
pub mod follow;
pub mod frame;
pub mod geometry;
pub mod importance;
pub mod inspect;
pub mod journal;
pub mod layout;
pub mod log;
pub mod mark;
pub mod namesakes;
pub mod narrate;
pub mod of_world;
pub mod owners;
pub mod plan;
#[expect(clippy::module_inception, reason = "the room's main type has the room's name")]
pub mod scene;
pub mod scrub;
pub mod sequence;
pub mod series;
pub mod svg;
pub mod timeline;
pub mod tree;
pub mod twin;
pub mod why;
