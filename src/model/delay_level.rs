//! Delay levels: RocketMQ 4's only way to deliver later (spec 01.7).
//!
//! A level is a queue of the schedule topic, and all its messages wait equally long; so each is first
//! in, first out. Follows `ScheduleMessageService`.

use serde::{Deserialize, Serialize};

use super::ids::QueueId;
use super::java_string;
use super::time::Millis;

/// `messageDelayLevel`, as written in the broker's configuration; the same in every version.
///
/// Source: `MessageStoreConfig.messageDelayLevel`.
pub const MESSAGE_DELAY_LEVEL: &str = "1s 5s 10s 30s 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 20m 30m 1h 2h";

/// What a message of an unknown level waits.
///
/// Source: `ScheduleMessageService.computeDeliverTimestamp`.
const DELAY_OF_UNKNOWN_LEVEL: Millis = Millis::new(1_000);

/// A level, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DelayLevel(u32);

impl DelayLevel {
    /// `None` for 0.
    pub const fn new(level: u32) -> Option<DelayLevel> {
        if level == 0 { None } else { Some(DelayLevel(level)) }
    }

    /// The level that a DELAY property asks for, of `max_level` levels: none if it is 0, negative or
    /// absent; the last one if it is larger.
    ///
    /// Follows `CommitLog.putMessage`; `HookUtils.handleScheduleMessage`.
    pub fn asked_by(delay: Option<i32>, max_level: u32) -> Option<DelayLevel> {
        let level = u32::try_from(delay?).ok()?;
        DelayLevel::new(level.min(max_level))
    }

    pub const fn number(self) -> u32 {
        self.0
    }

    /// The level's queue in the schedule topic.
    ///
    /// Follows `ScheduleMessageService.delayLevel2QueueId`.
    pub const fn queue_id(self) -> QueueId {
        QueueId(self.0 - 1)
    }

    /// Follows `ScheduleMessageService.queueId2DelayLevel`.
    pub const fn from_queue_id(queue_id: QueueId) -> DelayLevel {
        DelayLevel(queue_id.0 + 1)
    }

    /// As the DELAY property has it.
    pub const fn as_property(self) -> i32 {
        self.0 as i32
    }
}

/// The delays of the levels 1, 2, ..., from [`MESSAGE_DELAY_LEVEL`].
pub fn default_levels() -> Vec<Millis> {
    parse_delay_level(MESSAGE_DELAY_LEVEL).levels().expect("RocketMQ's own table is well formed")
}

/// `messageDelayLevel`, read. A malformed text leaves what came before its first wrong part; the
/// broker then refuses to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedDelayLevels {
    /// Of the levels 1, 2, ... RocketMQ accepts negative ones.
    pub delays_ms: Vec<i64>,
    /// Counts a level as soon as its unit was looked at, so it may exceed `delays_ms` by one.
    pub max_level: u32,
    pub is_well_formed: bool,
}

impl ParsedDelayLevels {
    /// The delays, if the text is well formed and none is negative.
    pub fn levels(&self) -> Option<Vec<Millis>> {
        if !self.is_well_formed {
            return None;
        }
        self.delays_ms.iter().map(|delay| u64::try_from(*delay).ok().map(Millis::new)).collect()
    }
}

/// Reads numbers with the units s, m, h, d, separated by single spaces.
///
/// Follows `ScheduleMessageService.parseDelayLevel`.
pub fn parse_delay_level(text: &str) -> ParsedDelayLevels {
    let mut parsed =
        ParsedDelayLevels { delays_ms: Vec::new(), max_level: 0, is_well_formed: true };
    for part in java_string::split(text, " ") {
        let Some((unit_at, unit)) = part.char_indices().last() else {
            parsed.is_well_formed = false;
            break;
        };
        parsed.max_level += 1;
        let unit_ms = match unit {
            's' => Some(1_000_i64),
            'm' => Some(60_000),
            'h' => Some(3_600_000),
            'd' => Some(86_400_000),
            _ => None,
        };
        let (Some(unit_ms), Ok(number)) = (unit_ms, part[..unit_at].parse::<i64>()) else {
            parsed.is_well_formed = false;
            break;
        };
        parsed.delays_ms.push(unit_ms.wrapping_mul(number));
    }
    parsed
}

/// How long a level waits; `None` if it is not in the table.
pub fn delay_of(levels: &[Millis], level: DelayLevel) -> Option<Millis> {
    levels.get(level.number() as usize - 1).copied()
}

/// When a message of a level is due, from its store time; an unknown level (`None` too) waits 1 s.
/// This is what stands in the tags code field of the schedule topic's consume queues.
///
/// Follows `ScheduleMessageService.computeDeliverTimestamp`.
pub fn deliver_time(levels: &[Millis], level: Option<DelayLevel>, stored_at: Millis) -> Millis {
    let delay = level.and_then(|level| delay_of(levels, level));
    stored_at + delay.unwrap_or(DELAY_OF_UNKNOWN_LEVEL)
}

/// Guards against a clock that jumped back: what is due later than a whole delay from now is due now.
/// The level must be in the table.
///
/// Follows `ScheduleMessageService.DeliverDelayedMessageTimerTask.correctDeliverTimestamp`.
pub fn correct_deliver_time(
    levels: &[Millis],
    level: DelayLevel,
    now: Millis,
    deliver_at: Millis,
) -> Millis {
    let delay = delay_of(levels, level).expect("only levels of the table have a task");
    if deliver_at > now + delay { now } else { deliver_at }
}
