//! What a consumer does with a listener's result.

use rocketmq_playground::model::config::MessageModel;
use rocketmq_playground::model::constants;
use rocketmq_playground::model::consume_result::{
    ConcurrentlyStatus, OrderlyContext, OrderlyResult, OrderlySettings, OrderlyStatus,
    finish_concurrently, finish_orderly, is_orderly_dead_letter, is_to_be_sent_back,
    orderly_max_reconsume_times, succeeded_count,
};
use rocketmq_playground::model::offset::QueueOffset;
use rocketmq_playground::model::offset_table::OffsetTable;
use rocketmq_playground::model::process_queue::{CachedMessage, ProcessQueue};
use rocketmq_playground::model::profile::Profile;
use serde::Deserialize;

use crate::messages::{START, consuming_tree, message_at, number, queue, tree, window};
use crate::vectors::{Version, cases, check, compare, is_golden};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConcurrentCase {
    r#in: ConcurrentIn,
    out: ConcurrentOut,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ConcurrentIn {
    model: String,
    /// Offsets put in the window, where it is not `queue`.
    put: Option<Vec<i64>>,
    /// Those of them that left the window before the result came.
    gone: Option<Vec<i64>>,
    queue: Vec<i64>,
    batch: Vec<i64>,
    batch_reconsume_times: Option<Vec<i32>>,
    status: String,
    ack_index: Option<i32>,
    send_back_outcome: Vec<bool>,
    dropped: Option<bool>,
    mem_offset_before: i64,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ConcurrentOut {
    sent_back: Vec<i64>,
    tree: Vec<i64>,
    msg_count: i64,
    /// Of the batch.
    reconsume_times: Vec<i32>,
    mem_offset: i64,
    resubmit_delay_ms: Vec<u64>,
    resubmitted: Vec<Vec<i64>>,
}

/// The counts of a batch's messages before the result.
fn times(batch: &[i64], recorded: Option<&Vec<i32>>) -> Vec<(i64, i32)> {
    let zeros = vec![0; batch.len()];
    let times = recorded.unwrap_or(&zeros);
    assert_eq!(batch.len(), times.len(), "a count for each message");
    batch.iter().copied().zip(times.iter().copied()).collect()
}

fn memory(before: i64) -> OffsetTable {
    let mut memory = OffsetTable::default();
    if before >= 0 {
        memory.update_offset(&queue(), QueueOffset(before), false);
    }
    memory
}

fn offsets(messages: &[CachedMessage]) -> Vec<i64> {
    messages.iter().map(|message| message.queue_offset().0).collect()
}

/// Offsets that were put in the window and left it before the result, where `put` was not recorded:
/// gaps between those that remain tell nothing, but the last offset ever put is the answer once the
/// window is empty. In one entry of each version that was not the last of `queue`.
fn unrecorded_last_put(case: &ConcurrentCase) -> Option<i64> {
    let last = *case.r#in.queue.last()?;
    let answer = case.out.mem_offset;
    let is_answered = case.out.tree.is_empty() && answer > case.r#in.mem_offset_before;
    (case.r#in.put.is_none() && is_answered && answer > last + 1).then_some(answer - 1)
}

fn concurrent_window(version: Version, case: &ConcurrentCase) -> ProcessQueue {
    let input = &case.r#in;
    let times = times(&input.batch, input.batch_reconsume_times.as_ref());
    let mut put = input.put.as_ref().unwrap_or(&input.queue).clone();
    put.extend(unrecorded_last_put(case));
    let mut window = window(&put, &times);
    let gone = put.iter().filter(|offset| !input.queue.contains(offset));
    let _offset = window.remove_message(&version.rules, START, gone.map(|of| QueueOffset(*of)));
    if let Some(recorded_gone) = &input.gone {
        let is_gone = |offset: &&i64| !window.contains(QueueOffset(**offset));
        assert_eq!(recorded_gone.iter().filter(is_gone).count(), recorded_gone.len(), "gone");
    }
    assert_eq!(tree(&window), input.queue, "the window before the result");
    if input.dropped == Some(true) {
        window.set_dropped();
    }
    window
}

fn ends_concurrently_as_recorded(version: Version, case: &ConcurrentCase) -> Result<(), String> {
    let input = &case.r#in;
    let mut window = concurrent_window(version, case);
    let mut memory = memory(input.mem_offset_before);
    let status = match input.status.as_str() {
        "CONSUME_SUCCESS" => ConcurrentlyStatus::ConsumeSuccess,
        "RECONSUME_LATER" => ConcurrentlyStatus::ReconsumeLater,
        other => panic!("no status {other}"),
    };
    let model = match input.model.as_str() {
        "CLUSTERING" => MessageModel::Clustering,
        "BROADCASTING" => MessageModel::Broadcasting,
        other => panic!("no model {other}"),
    };

    let times = times(&input.batch, input.batch_reconsume_times.as_ref());
    let batch: Vec<CachedMessage> =
        times.iter().map(|(offset, n)| CachedMessage::new(message_at(*offset, *n))).collect();
    let succeeded = succeeded_count(status, input.ack_index, batch.len() as u32) as usize;
    let mut sent_back = Vec::new();
    let mut back_failed = Vec::new();
    for message in &batch[succeeded..] {
        let offset = message.queue_offset();
        if is_to_be_sent_back(&version.rules, model, &window, offset) {
            if !input.send_back_outcome[sent_back.len()] {
                back_failed.push(offset);
            }
            sent_back.push(offset.0);
        }
    }
    let finished = finish_concurrently(&version.rules, START, &mut window, batch, &back_failed);
    if let Some(offset) = finished.offset {
        memory.update_offset(&queue(), offset, true);
    }

    let counted = |(offset, before): &(i64, i32)| {
        let again = finished.resubmit.iter().find(|message| message.queue_offset().0 == *offset);
        let count = again.map_or(*before, |message| message.reconsume_times);
        let in_window = window.get(QueueOffset(*offset)).map_or(count, |copy| copy.reconsume_times);
        assert_eq!(in_window, count, "the window's copy knows the count");
        count
    };
    let delay = constants::submit_consume_request_later_delay(version.profile).ms();
    let resubmitted = offsets(&finished.resubmit);
    let ours = ConcurrentOut {
        sent_back,
        tree: tree(&window),
        msg_count: window.message_count(),
        reconsume_times: times.iter().map(counted).collect(),
        mem_offset: number(memory.read_from_memory(&queue())),
        resubmit_delay_ms: if resubmitted.is_empty() { vec![] } else { vec![delay] },
        resubmitted: if resubmitted.is_empty() { vec![] } else { vec![resubmitted] },
    };
    compare(&ours, &case.out)
}

#[test]
fn a_concurrent_result_sends_back_removes_and_moves_the_offset_as_recorded() {
    check("consume_result_concurrently", ends_concurrently_as_recorded);
    if is_golden() {
        for profile in Profile::ALL {
            let cases = cases::<ConcurrentCase>(profile, "consume_result_concurrently");
            let count =
                cases.iter().flatten().filter(|case| unrecorded_last_put(case).is_some()).count();
            assert_eq!(count, 1, "entries of {} read with an offset more", profile.release());
        }
    }
}

#[test]
fn a_failed_message_that_was_cleaned_up_before_is_sent_back_again_only_until_5_0() {
    check("consume_result_gone", ends_concurrently_as_recorded);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrderlyCase {
    r#in: OrderlyIn,
    out: OrderlyOut,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OrderlyIn {
    queue: Vec<i64>,
    batch: Vec<i64>,
    batch_reconsume_times: Vec<i32>,
    status: String,
    auto_commit: bool,
    max_reconsume_times: i32,
    suspend_ms: Option<i64>,
    send_back_outcome: Vec<bool>,
    dropped: bool,
    mem_offset_before: i64,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OrderlyOut {
    continue_consume: bool,
    sent_back: Vec<i64>,
    tree: Vec<i64>,
    consuming_tree: Vec<i64>,
    msg_count: i64,
    /// Of the batch.
    reconsume_times: Vec<i32>,
    mem_offset: i64,
    resubmit_delay_ms: Vec<u64>,
}

fn orderly_status(name: &str) -> OrderlyStatus {
    match name {
        "SUCCESS" => OrderlyStatus::Success,
        "COMMIT" => OrderlyStatus::Commit,
        "ROLLBACK" => OrderlyStatus::Rollback,
        "SUSPEND_CURRENT_QUEUE_A_MOMENT" => OrderlyStatus::SuspendCurrentQueueAMoment,
        other => panic!("no status {other}"),
    }
}

fn ends_orderly_as_recorded(version: Version, case: &OrderlyCase) -> Result<(), String> {
    let input = &case.r#in;
    let times = times(&input.batch, Some(&input.batch_reconsume_times));
    let mut window = window(&input.queue, &times);
    let mut memory = memory(input.mem_offset_before);
    let batch = window.take_messages(START, input.batch.len() as u32);
    compare(&offsets(&batch), &input.batch)?;
    if input.dropped {
        window.set_dropped();
    }

    let status = orderly_status(&input.status);
    let max = orderly_max_reconsume_times(version.profile, input.max_reconsume_times);
    let mut sent_back = Vec::new();
    let mut dead_letter_failed = Vec::new();
    if status == OrderlyStatus::SuspendCurrentQueueAMoment {
        for message in batch.iter().filter(|message| is_orderly_dead_letter(message, max)) {
            if !input.send_back_outcome[sent_back.len()] {
                dead_letter_failed.push(message.queue_offset());
            }
            sent_back.push(message.queue_offset().0);
        }
    }
    let context = OrderlyContext {
        auto_commit: input.auto_commit,
        suspend_ms: input.suspend_ms.unwrap_or(OrderlyContext::default().suspend_ms),
    };
    let settings = OrderlySettings {
        max_reconsume_times: max,
        suspend_time: constants::suspend_current_queue_time(version.profile),
    };
    let result = OrderlyResult { status, context, batch, dead_letter_failed };
    let finished = finish_orderly(&version.rules, version.profile, &mut window, settings, result);
    if let Some(offset) = finished.offset {
        memory.update_offset(&queue(), offset, false);
    }

    let counted = |(offset, before): &(i64, i32)| {
        window.get(QueueOffset(*offset)).map_or(*before, |message| message.reconsume_times)
    };
    let ours = OrderlyOut {
        continue_consume: finished.is_continued,
        sent_back,
        tree: tree(&window),
        consuming_tree: consuming_tree(&window),
        msg_count: window.message_count(),
        reconsume_times: times.iter().map(counted).collect(),
        mem_offset: number(memory.read_from_memory(&queue())),
        resubmit_delay_ms: finished.resubmit_after.iter().map(|delay| delay.ms()).collect(),
    };
    compare(&ours, &case.out)
}

#[test]
fn an_orderly_result_commits_suspends_or_rolls_back_as_recorded() {
    check("consume_result_orderly", ends_orderly_as_recorded);
}
