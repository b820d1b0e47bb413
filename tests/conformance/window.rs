//! The window: `ProcessQueue`, its clocks, and its clean-up.

use rocketmq_playground::model::clean_expired::{CleanExpired, CleanStep};
use rocketmq_playground::model::constants;
use rocketmq_playground::model::offset::QueueOffset;
use rocketmq_playground::model::process_queue::{CachedMessage, ProcessQueue};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::rules::Rules;
use rocketmq_playground::model::time::Millis;
use serde::Deserialize;
use serde_json::Value;

use crate::messages::{START, body, consuming_tree, message_at, number, tree, window};
use crate::vectors::{Version, check, compare};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(rename = "flavour")]
    _flavour: String,
    #[serde(rename = "seq")]
    _seq: u32,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    op: String,
    offsets: Option<Vec<i64>>,
    #[serde(rename = "maxOffset")]
    max_offset: Option<i64>,
    n: Option<u32>,
    ret: Option<Value>,
    exception: Option<String>,
    state: State,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct State {
    msg_count: i64,
    msg_size: i64,
    tree: Vec<i64>,
    consuming_tree: Vec<i64>,
    queue_offset_max: i64,
    consuming: bool,
    msg_acc_cnt: i64,
    max_span: i64,
    has_temp: bool,
}

fn state(window: &ProcessQueue) -> State {
    State {
        msg_count: window.message_count(),
        msg_size: window.message_bytes(),
        tree: tree(window),
        consuming_tree: consuming_tree(window),
        queue_offset_max: window.queue_offset_max().0,
        consuming: window.is_consuming(),
        msg_acc_cnt: window.backlog,
        max_span: window.max_span(),
        has_temp: window.has_temp_message(),
    }
}

/// Does one step; returns what the Java returned or threw.
fn act(
    version: Version,
    window: &mut ProcessQueue,
    step: &Step,
) -> (Option<Value>, Option<String>) {
    let offsets = || step.offsets.as_ref().expect("the step has offsets").iter().copied();
    let returned: Value = match step.op.as_str() {
        "put" => {
            let messages = offsets().map(|offset| message_at(offset, 0));
            window.put_message(messages, step.max_offset.map(QueueOffset)).into()
        }
        "remove" => {
            let consumed = offsets().map(QueueOffset);
            number(window.remove_message(&version.rules, START, consumed)).into()
        }
        "take" => {
            let taken = window.take_messages(START, step.n.expect("the step has n"));
            taken.iter().map(|message| message.queue_offset().0).collect::<Vec<i64>>().into()
        }
        "commit" => match window.commit(&version.rules) {
            Some(offset) => offset.0.into(),
            None => return (None, Some("java.util.NoSuchElementException".to_owned())),
        },
        "rollback" => {
            window.rollback();
            return (None, None);
        }
        "again" => {
            let messages = offsets().map(|offset| CachedMessage::new(message_at(offset, 0)));
            window.make_message_to_consume_again(messages);
            return (None, None);
        }
        "clear" => {
            window.clear();
            return (None, None);
        }
        other => panic!("no operation {other}"),
    };
    (Some(returned), None)
}

#[test]
fn the_window_changes_with_every_operation_as_the_process_queue_does() {
    check("process_queue", |version, case: &Case| {
        let mut window = ProcessQueue::new(START, true);
        for (index, step) in case.steps.iter().enumerate() {
            let at = |error| format!("step {index} ({}): {error}", step.op);
            let outcome = act(version, &mut window, step);
            compare(&outcome, &(step.ret.clone(), step.exception.clone())).map_err(at)?;
            compare(&state(&window), &step.state).map_err(at)?;
        }
        Ok(())
    });
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ClockCase {
    age_ms: u64,
    is_lock_expired: bool,
    is_pull_expired: bool,
}

#[test]
fn a_lock_is_believed_for_30_s_and_a_pull_for_120_s() {
    check("process_queue_clock", |version, case: &ClockCase| {
        let window = ProcessQueue::new(START, true);
        let now = START + Millis::new(case.age_ms);
        compare(&window.is_lock_expired(version.profile, now), &case.is_lock_expired)?;
        compare(&window.is_pull_expired(version.profile, now), &case.is_pull_expired)
    });
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CleanCase {
    /// Offset, and for how long its listener has run.
    msgs: Vec<(i64, Option<u64>)>,
    send_back_outcome: Vec<bool>,
    out: CleanOut,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CleanOut {
    /// Offset and delay level.
    sent_back: Vec<(i64, i32)>,
    tree: Vec<i64>,
    msg_count: i64,
    exception: Option<String>,
}

#[test]
fn the_clean_up_sends_back_what_has_run_too_long() {
    check("clean_expired", |version, case: &CleanCase| {
        let offsets: Vec<i64> = case.msgs.iter().map(|(offset, _)| *offset).collect();
        let mut window = window(&offsets, &[]);
        for (offset, age) in &case.msgs {
            if let Some(age) = age {
                window.note_consume_start(START - Millis::new(*age), [QueueOffset(*offset)]);
            }
        }
        let ours = clean(version, &mut window, &case.send_back_outcome);
        compare(&ours, &case.out)
    });
}

fn clean(version: Version, window: &mut ProcessQueue, outcomes: &[bool]) -> CleanOut {
    let minutes = constants::consume_timeout_minutes(version.profile);
    let timeout = Millis::from_minutes(u64::from(minutes));
    let level = constants::clean_expired_delay_level(version.profile);
    let mut clean_up = CleanExpired::begin(version.profile, window);
    let mut sent_back = Vec::new();
    let exception = loop {
        match clean_up.next(&version.rules, window, START, timeout) {
            CleanStep::SendBack(message) => {
                let succeeds = outcomes[sent_back.len()];
                sent_back.push((message.queue_offset().0, level));
                if succeeds {
                    let offset = message.queue_offset();
                    CleanExpired::sent_back(&version.rules, window, START, offset);
                }
            }
            CleanStep::Done => break None,
            CleanStep::Died => break Some("java.lang.NumberFormatException".to_owned()),
        }
    };
    CleanOut { sent_back, tree: tree(window), msg_count: window.message_count(), exception }
}

/// A message that comes again with another length leaves a rest of bytes behind, until the counter is
/// set to 0 with the last message (in 4.9.8 and since 5.2.0).
#[test]
fn an_empty_window_keeps_a_rest_of_bytes_in_4_2_only() {
    for (profile, rest) in [(Profile::V42, 90), (Profile::V49, 0), (Profile::V53, 0)] {
        let mut window = ProcessQueue::new(START, false);
        let mut longer = (*message_at(0, 0)).clone();
        longer.body = std::rc::Rc::new(body(100));
        window.put_message([std::rc::Rc::new(longer)], None);
        window.put_message([message_at(0, 0)], None);
        window.remove_message(&Rules::of(profile), START, [QueueOffset(0)]);
        assert_eq!((window.message_count(), window.message_bytes()), (0, rest), "{profile:?}");
    }
}
