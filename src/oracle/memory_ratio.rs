//! Another run on the shared broker switched its `accessMessageInMemoryMaxRatio` to 0, or back.
//!
//! With 0 nothing counts as in memory: a pull brings no more than `maxTransferCountOnMessageInDisk`, and a
//! 4.x broker answers "not found" for a queue that holds messages and has no offset yet.

use super::inputs::BROKER;
use super::races::LostRace;
use super::report::Race;
use super::trace::{Place, RpcAnswer, Word};
use super::view::{Life, Queue, View};
use crate::model::config::BrokerConfig;
use crate::model::constants;
use crate::model::ids::BrokerName;
use crate::model::offset::QueueOffset;
use crate::model::profile::Profile;
use crate::model::time::Millis;
use crate::sim::command::Command;

pub fn find(real: &View<'_>, model: &View<'_>) -> Vec<LostRace> {
    let mut found = left_over(real, model).into_iter().collect::<Vec<_>>();
    let known = switches(model);
    let is_known = |switch: &Switch| known.iter().any(|it| it.to_zero == switch.to_zero);
    let new = switches(real).into_iter().filter(|switch| !is_known(switch));
    found.extend(new.map(|switch| race(real, switch)));
    found
}

/// Another run left the ratio at 0.
///
/// Signature: a 4.x broker answers "not found" for a queue that holds messages and has no offset yet.
fn left_over(real: &View<'_>, model: &View<'_>) -> Option<LostRace> {
    let header = &real.trace.header;
    if header.profile == Profile::V53 || !header.first_message_in_memory {
        return None;
    }
    let not_found = |view: &View<'_>| {
        let calls = view.lives.iter().flat_map(|life| life.calls.iter());
        let mut calls = calls.filter(|call| {
            *call.code == *"QUERY_CONSUMER_OFFSET"
                && call.fields.topic.as_ref() == Some(&header.topic)
        });
        let refused = |answer: &(Place, RpcAnswer)| answer.1.response == 22;
        calls.find(|call| call.answer.as_ref().is_some_and(refused)).map(|call| call.place)
    };
    let place = not_found(real).filter(|_| not_found(model).is_none())?;
    Some(LostRace {
        race: Race::SharedBroker,
        place,
        text: "another run left accessMessageInMemoryMaxRatio at 0".to_owned(),
        commands: Vec::new(),
        memory_ratio_is_zero: true,
    })
}

/// From a pull on, batches were of the other size.
struct Switch {
    /// The last pull that was answered in the old way.
    after: Option<Place>,
    /// The first that was answered in the new one.
    place: Place,
    to_zero: bool,
}

/// A pull whose batch was full, although more waited.
struct FullBatch {
    place: Place,
    on_disk: bool,
}

/// Signature: of the pulls for which a whole batch waited, two in a row brought as many as come from disk,
/// while those before brought as many as come from memory; or the other way round.
fn switches(view: &View<'_>) -> Vec<Switch> {
    let mut batches = Vec::new();
    for life in view.lives.iter().filter(|life| life.records("PULL_MESSAGE")) {
        for queue in view.queues() {
            full_batches(view, life, &queue, &mut batches);
        }
    }
    batches.sort_by_key(|batch: &FullBatch| batch.place);
    let mut is_zero = !view.trace.header.first_message_in_memory;
    let mut switches = Vec::new();
    for (index, pair) in batches.windows(2).enumerate() {
        if pair[0].on_disk == pair[1].on_disk && pair[0].on_disk != is_zero {
            is_zero = pair[0].on_disk;
            let before = batches[..index].iter().rev().find(|batch| batch.on_disk != is_zero);
            let after = before.map(|batch| batch.place);
            switches.push(Switch { after, place: pair[0].place, to_zero: is_zero });
        }
    }
    switches
}

/// When nothing counted as in memory, as the batches of a run show.
pub struct MemoryRatio {
    /// Moments at which it was switched, to 0 and back, from how it was at first.
    switches: Vec<(Millis, bool)>,
    is_zero_at_first: bool,
}

impl MemoryRatio {
    pub fn of(view: &View<'_>) -> MemoryRatio {
        let switches = switches(view).into_iter().map(|it| (it.place.at, it.to_zero)).collect();
        MemoryRatio { switches, is_zero_at_first: !view.trace.header.first_message_in_memory }
    }

    /// What it was in two runs. That a batch was smaller counts only where both were switched.
    pub fn of_both(real: &View<'_>, model: &View<'_>) -> [MemoryRatio; 2] {
        let (real_ratio, our_ratio) = (MemoryRatio::of(real), MemoryRatio::of(model));
        let to_zero = |ratio: &MemoryRatio| {
            ratio.switches.iter().map(|(_, to_zero)| *to_zero).collect::<Vec<_>>()
        };
        match to_zero(&real_ratio) == to_zero(&our_ratio) {
            true => [real_ratio, our_ratio],
            false => [MemoryRatio::of(model), our_ratio],
        }
    }

    /// How many messages a pull of a life brings at most, at a moment.
    pub fn full_batch(&self, view: &View<'_>, life: &Life, at: Millis) -> i64 {
        let before = self.switches.iter().rev().find(|(since, _)| *since <= at);
        let is_zero = before.map_or(self.is_zero_at_first, |(_, to_zero)| *to_zero);
        let (in_memory, on_disk) = full_batch_sizes(view, life);
        if is_zero { on_disk.min(in_memory) } else { in_memory }
    }
}

/// What a pull of a life brings at most from memory, and from disk.
fn full_batch_sizes(view: &View<'_>, life: &Life) -> (i64, i64) {
    let profile = view.trace.header.profile;
    let in_memory = BrokerConfig::defaults(profile).max_transfer_count_on_message_in_memory;
    let asked = life.starting.pull_batch.unwrap_or_else(|| constants::pull_batch_size(profile));
    let on_disk = constants::max_transfer_count_on_disk(profile);
    (i64::from(asked.min(in_memory)), i64::from(on_disk))
}

fn full_batches(view: &View<'_>, life: &Life, queue: &Queue, batches: &mut Vec<FullBatch>) {
    let (whole, on_disk) = full_batch_sizes(view, life);
    if whole <= on_disk {
        return;
    }
    let pulls = life
        .calls
        .iter()
        .filter(|call| *call.code == *"PULL_MESSAGE" && call.queue().as_ref() == Some(queue));
    let pulls = pulls.filter_map(|call| Some((call.place, call.fields.queue_offset?)));
    let pulls = pulls.collect::<Vec<_>>();
    for pair in pulls.windows(2) {
        let ((place, from), (_, next)) = (pair[0], pair[1]);
        let brought = next.0 - from.0;
        let waits = || held(view, queue, place.at).is_some_and(|held| held.0 >= from.0 + whole);
        if (brought == whole || brought == on_disk) && waits() {
            batches.push(FullBatch { place, on_disk: brought == on_disk });
        }
    }
}

/// How far a queue reached at a moment, as last sampled.
fn held(view: &View<'_>, queue: &Queue, at: Millis) -> Option<QueueOffset> {
    let lines = view.trace.lines.iter().take_while(|line| line.at <= at);
    let held = lines.filter_map(|line| match &line.word {
        Word::Sample(sample) if queue.0 == view.trace.header.topic => sample.max.get(&queue.1),
        _ => None,
    });
    held.last().copied()
}

fn race(view: &View<'_>, switch: Switch) -> LostRace {
    let profile = view.trace.header.profile;
    let usual = BrokerConfig::defaults(profile);
    let (count, bytes) = match switch.to_zero {
        true => (
            constants::max_transfer_count_on_disk(profile),
            constants::max_transfer_bytes_on_disk(profile),
        ),
        false => (
            usual.max_transfer_count_on_message_in_memory,
            usual.max_transfer_bytes_on_message_in_memory,
        ),
    };
    let broker_name = BrokerName::new(BROKER);
    let set = |name: &str, value: u32| Command::SetBrokerProperty {
        broker_name: broker_name.clone(),
        name: name.to_owned(),
        value: i64::from(value),
    };
    let in_memory = Command::SetFirstMessageInMemory {
        broker_name: broker_name.clone(),
        in_memory: !switch.to_zero,
    };
    let mut commands = vec![
        set("maxTransferCountOnMessageInMemory", count),
        set("maxTransferBytesOnMessageInMemory", bytes),
    ];
    // Since 5.1 the first message has to be in the page cache, whatever the ratio.
    if profile != Profile::V53 {
        commands.push(in_memory);
    }
    // It was at some time between two pulls. Our run may be ahead of the recorded one, or behind: the
    // middle leaves it the most room.
    let after = switch.after.map_or(switch.place.at, |after| after.at);
    let at = Millis::new((after.ms() + switch.place.at.ms()) / 2);
    let to = if switch.to_zero { "to 0" } else { "back" };
    LostRace {
        race: Race::SharedBroker,
        place: switch.place,
        text: format!("another run switched accessMessageInMemoryMaxRatio {to}"),
        commands: commands.into_iter().map(|command| (at, command)).collect(),
        memory_ratio_is_zero: false,
    }
}
