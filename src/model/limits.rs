//! Every upper bound of the playground. They bound what a *file or a link* may ask of the page; the
//! simulation itself has none.

use super::time::Millis;

/// Queues of all topics on all brokers. More cannot be told apart on any screen, and the slow start
/// with a thousand of them is the largest preset.
pub const QUEUES: u64 = 1_024;

/// Consumers started in one run.
pub const CONSUMERS: u64 = 64;

/// Producers started in one run.
pub const PRODUCERS: u64 = 64;

/// Brokers, slaves included.
pub const BROKERS: u64 = 64;

/// Virtual time: longer than the whole ladder of retries, which takes under seven hours.
pub const VIRTUAL_TIME: Millis = Millis::from_minutes(24 * 60);

/// Commands of a visitor in one link.
pub const INTERVENTIONS: usize = 2_000;

/// Commands in the script of one file.
pub const SCRIPT: usize = 20_000;

/// Messages sent in one run.
pub const MESSAGES: u64 = 1_000_000;

/// Events kept of one run.
pub const EVENTS: u64 = 2_000_000;

/// Bytes of keyframes.
pub const KEYFRAME_BYTES: u64 = 32 << 20;

/// Characters of a link's text.
pub const LINK_CHARACTERS: usize = 8 << 10;

/// Bytes of a link after inflating.
pub const LINK_BYTES: usize = 64 << 10;

/// Bytes of a scenario file.
pub const FILE_BYTES: usize = 4 << 20;

/// Bytes of one message: `maxMessageSize`.
pub const BODY_BYTES: u64 = 4 << 20;

/// Characters of a topic's, group's, broker's or client's name (RocketMQ allows 255).
pub const NAME: usize = 255;

/// Characters of a title.
pub const TITLE: usize = 80;

/// Stops of one walkthrough, those of all releases together.
pub const MARKS: usize = 60;

/// Facts of one stop.
pub const FACTS: usize = 16;

/// Characters of a caption.
pub const CAPTION: usize = 240;

/// Steps of one listener script.
pub const LISTENER_STEPS: usize = 1_000;
