//! What a consumer does with a listener's result (spec 05.4, 06.6), in steps, because sending back takes
//! time in between.
//!
//! Follows `processConsumeResult` of `ConsumeMessageConcurrentlyService` and
//! `ConsumeMessageOrderlyService`.

use serde::Serialize;

use super::config::MessageModel;
use super::constants;
use super::listener::ListenerResult;
use super::offset::QueueOffset;
use super::process_queue::{CachedMessage, ProcessQueue};
use super::profile::Profile;
use super::rules::Rules;
use super::time::Millis;

/// `ConsumeConcurrentlyStatus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ConcurrentlyStatus {
    ConsumeSuccess,
    ReconsumeLater,
}

impl ConcurrentlyStatus {
    /// What a listener's end counts as; an exception and null as failure. `None` if it never ends.
    pub fn of(result: ListenerResult) -> Option<ConcurrentlyStatus> {
        match result {
            ListenerResult::Success | ListenerResult::Commit => {
                Some(ConcurrentlyStatus::ConsumeSuccess)
            }
            ListenerResult::Later
            | ListenerResult::Throws
            | ListenerResult::Null
            | ListenerResult::Rollback => Some(ConcurrentlyStatus::ReconsumeLater),
            ListenerResult::Never => None,
        }
    }
}

/// `ConsumeOrderlyStatus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum OrderlyStatus {
    Success,
    Rollback,
    Commit,
    SuspendCurrentQueueAMoment,
}

impl OrderlyStatus {
    /// What a listener's end counts as; an exception and null as suspension. `None` if it never ends.
    pub fn of(result: ListenerResult) -> Option<OrderlyStatus> {
        match result {
            ListenerResult::Success => Some(OrderlyStatus::Success),
            ListenerResult::Later | ListenerResult::Throws | ListenerResult::Null => {
                Some(OrderlyStatus::SuspendCurrentQueueAMoment)
            }
            ListenerResult::Commit => Some(OrderlyStatus::Commit),
            ListenerResult::Rollback => Some(OrderlyStatus::Rollback),
            ListenerResult::Never => None,
        }
    }
}

/// How many messages at the head of a batch of `batch` succeeded; the rest failed.
///
/// `ack_index` is the listener's `context.ackIndex`: the index of the last success, `None` for all. It
/// counts only with CONSUME_SUCCESS.
pub fn succeeded_count(status: ConcurrentlyStatus, ack_index: Option<i32>, batch: u32) -> u32 {
    match status {
        ConcurrentlyStatus::ReconsumeLater => 0,
        ConcurrentlyStatus::ConsumeSuccess => {
            let succeeded = i64::from(ack_index.unwrap_or(i32::MAX)) + 1;
            u32::try_from(succeeded).unwrap_or(0).min(batch)
        }
    }
}

/// Whether a failed message is to be sent back. In BROADCASTING it is dropped instead. Since 5.1.0 a
/// message that has left the window is skipped: the clean-up has sent it back already.
///
/// To be asked right before each send-back; others take time.
pub fn is_to_be_sent_back(
    rules: &Rules,
    message_model: MessageModel,
    process_queue: &ProcessQueue,
    offset: QueueOffset,
) -> bool {
    message_model == MessageModel::Clustering
        && (rules.expired_then_failed_is_sent_back_again || process_queue.contains(offset))
}

/// What is left to do after a concurrent result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConcurrentlyFinished {
    /// `updateOffset(…, increaseOnly = true)` with this.
    pub offset: Option<QueueOffset>,
    /// To be consumed again, as a new request for the same window, after
    /// `constants::submit_consume_request_later_delay`. They stay in the window.
    pub resubmit: Vec<CachedMessage>,
}

/// Ends a concurrent result, when every send-back of it is done.
///
/// `batch` is the request's messages, `back_failed` those that could not be sent back, neither by
/// CONSUMER_SEND_MSG_BACK nor by the fallback. These count one failure more, on this client only.
pub fn finish_concurrently(
    rules: &Rules,
    now: Millis,
    process_queue: &mut ProcessQueue,
    batch: Vec<CachedMessage>,
    back_failed: &[QueueOffset],
) -> ConcurrentlyFinished {
    let (mut resubmit, done): (Vec<_>, Vec<_>) =
        batch.into_iter().partition(|message| back_failed.contains(&message.queue_offset()));
    for message in &mut resubmit {
        message.reconsume_times += 1;
        process_queue.set_reconsume_times(message.queue_offset(), message.reconsume_times);
    }
    let offset =
        process_queue.remove_message(rules, now, done.iter().map(CachedMessage::queue_offset));
    ConcurrentlyFinished { offset: offset.filter(|_| !process_queue.is_dropped()), resubmit }
}

/// Whether an orderly message has failed so often that it is a dead letter now. `max` is
/// [`orderly_max_reconsume_times`].
///
/// Follows `ConsumeMessageOrderlyService.checkReconsumeTimes`.
pub fn is_orderly_dead_letter(message: &CachedMessage, max: i32) -> bool {
    message.reconsume_times >= max
}

/// maxReconsumeTimes of an orderly consumer, where -1 means for ever.
pub const fn orderly_max_reconsume_times(profile: Profile, configured: i32) -> i32 {
    if configured == -1 { constants::max_reconsume_times_orderly(profile) } else { configured }
}

/// maxReconsumeTimes of a concurrent consumer, where -1 means 16.
pub const fn concurrently_max_reconsume_times(profile: Profile, configured: i32) -> i32 {
    if configured == -1 { constants::max_reconsume_times_concurrently(profile) } else { configured }
}

/// `ConsumeOrderlyContext`, as the listener left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OrderlyContext {
    pub auto_commit: bool,
    /// `suspendCurrentQueueTimeMillis`; -1 leaves the consumer's.
    pub suspend_ms: i64,
}

impl Default for OrderlyContext {
    fn default() -> OrderlyContext {
        OrderlyContext { auto_commit: true, suspend_ms: -1 }
    }
}

/// What is left to do after an orderly result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderlyFinished {
    /// `updateOffset(…, increaseOnly = false)` with this.
    pub offset: Option<QueueOffset>,
    /// The request goes on with the next messages; else it ends.
    pub is_continued: bool,
    /// A new request for the window is made after this pause.
    pub resubmit_after: Option<Millis>,
}

/// What of the consumer's settings decides about an orderly result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderlySettings {
    /// [`orderly_max_reconsume_times`].
    pub max_reconsume_times: i32,
    /// `suspendCurrentQueueTimeMillis`.
    pub suspend_time: Millis,
}

/// One result of an orderly listener.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderlyResult {
    pub status: OrderlyStatus,
    pub context: OrderlyContext,
    /// What was taken.
    pub batch: Vec<CachedMessage>,
    /// With SUSPEND, the dead letters of the batch ([`is_orderly_dead_letter`]) are sent first; these
    /// could not be.
    pub dead_letter_failed: Vec<QueueOffset>,
}

/// Ends an orderly result, when every dead letter of it was sent.
pub fn finish_orderly(
    rules: &Rules,
    profile: Profile,
    process_queue: &mut ProcessQueue,
    settings: OrderlySettings,
    result: OrderlyResult,
) -> OrderlyFinished {
    let OrderlyContext { auto_commit, suspend_ms } = result.context;
    let status = result.status;
    let suspended = finish_orderly_suspend(settings.max_reconsume_times, result);
    let is_rolled_back = !auto_commit && status == OrderlyStatus::Rollback;
    let is_continued = suspended.is_none() && !is_rolled_back;
    if let Some(batch) = suspended {
        process_queue.make_message_to_consume_again(batch);
    } else if is_rolled_back {
        process_queue.rollback();
    }
    // Without autoCommit only COMMIT commits: what succeeded piles up until then, and so does what was
    // dead-lettered.
    let is_committed = is_continued && (auto_commit || status == OrderlyStatus::Commit);
    let offset = if is_committed { process_queue.commit(rules) } else { None };
    OrderlyFinished {
        offset: offset.filter(|_| !process_queue.is_dropped()),
        is_continued,
        resubmit_after: (!is_continued)
            .then(|| suspend_time(profile, suspend_ms, settings.suspend_time)),
    }
}

/// The batch with its raised counts, if it is to be consumed again: one message below the maximum, or
/// one whose dead letter could not be sent, makes the whole batch return. `None` otherwise.
///
/// Follows `ConsumeMessageOrderlyService.checkReconsumeTimes`.
fn finish_orderly_suspend(max: i32, result: OrderlyResult) -> Option<Vec<CachedMessage>> {
    if result.status != OrderlyStatus::SuspendCurrentQueueAMoment {
        return None;
    }
    let mut batch = result.batch;
    let mut is_suspended = false;
    for message in &mut batch {
        let is_dead = is_orderly_dead_letter(message, max)
            && !result.dead_letter_failed.contains(&message.queue_offset());
        if !is_dead {
            message.reconsume_times = message.reconsume_times.saturating_add(1);
            is_suspended = true;
        }
    }
    is_suspended.then_some(batch)
}

/// How long a suspended queue waits: the context's time or, for -1, the consumer's; between 10 ms and
/// 30 s.
///
/// Follows `ConsumeMessageOrderlyService.submitConsumeRequestLater`.
pub fn suspend_time(profile: Profile, context_ms: i64, consumer: Millis) -> Millis {
    let asked = match context_ms {
        -1 => consumer,
        ms => Millis::new(u64::try_from(ms).unwrap_or(0)),
    };
    asked.clamp(
        constants::suspend_current_queue_time_min(profile),
        constants::suspend_current_queue_time_max(profile),
    )
}
