//! Members of one group that carry one client id: each finds itself at the first place of the list of
//! members that has the id, and takes that place's share; the other places' shares are nobody's.

use std::collections::BTreeSet;

use super::at_consumer::{Consumer, ProcessState};
use super::scene::Scene;
use crate::model::message_queue::MessageQueue;

/// Two that run under one client id and have taken the same queues.
pub fn namesakes(scene: &Scene) -> Option<(&Consumer, &Consumer)> {
    let running = scene.consumers.iter().filter(|it| it.state == ProcessState::Running);
    running.clone().find_map(|one| {
        let is_other = |it: &&Consumer| it.process > one.process && it.client_id == one.client_id;
        let other = running.clone().find(is_other)?;
        let (mine, others) = (queues_of(one), queues_of(other));
        (!mine.is_empty() && mine == others).then_some((one, other))
    })
}

fn queues_of(consumer: &Consumer) -> BTreeSet<&MessageQueue> {
    let own = consumer.shelves.iter().filter(|shelf| !shelf.is_dropped);
    own.map(|shelf| &shelf.queue).collect()
}
