//! Where and when a race of the day disturbed the recorded run (or ours), and with what.
//!
//! Gaps and deliveries ask the race itself; calls, commits and assignments ask whether they lie in a
//! disturbed stretch of their queue.

use super::super::report::Race;
use super::super::view::{Queue, View};
use super::hand_over::HandOvers;
use super::silence::Silences;
use crate::model::time::Millis;

/// One disturbed stretch.
#[derive(Clone, Debug)]
pub struct Disturbance {
    pub race: Race,
    /// Whose; `None`: everybody's who has to do with the queue.
    pub client: Option<String>,
    pub queue: Queue,
    pub from: Millis,
    pub until: Millis,
}

/// A pass and its answers may end so much after what disturbed them.
const SLACK: Millis = Millis::new(1_000);
/// A retry queue that is assigned in the first passes of a start comes no later (rule R).
const FIRST_PASSES: Millis = Millis::new(1_000);
/// ... and in the next pass of the timer no later than this.
const NEXT_PASS: Millis = Millis::new(23_000);

pub fn find(
    real: &View<'_>,
    model: &View<'_>,
    hand_overs: [&HandOvers; 2],
    silences: &Silences,
) -> Vec<Disturbance> {
    let mut found = Vec::new();
    let mut queues = real.queues();
    queues.extend(model.queues());
    queues.sort();
    queues.dedup();
    for queue in queues {
        for (view, hand_overs) in [real, model].into_iter().zip(hand_overs) {
            for change in hand_overs.of_queue(&queue) {
                let members = change.from.into_iter().chain([change.to]);
                found.extend(members.map(|life| Disturbance {
                    race: Race::HandOver,
                    client: Some(view.lives[life].client.to_string()),
                    queue: queue.clone(),
                    from: change.since,
                    until: change.until + SLACK,
                }));
            }
        }
        let spans = silences.silent_spans(real, &queue);
        found.extend(spans.into_iter().map(|span| Disturbance {
            race: span.race,
            client: Some(real.lives[span.life].client.to_string()),
            queue: queue.clone(),
            from: span.from,
            until: span.until + SLACK,
        }));
        if real.is_retry(&queue.0) {
            found.extend(late_retry_queue(real, model, &queue));
        }
    }
    found
}

/// Rule R: in one of the two runs the retry queue came with the first passes of a start, in the other with
/// a later pass, or not before the end.
fn late_retry_queue(real: &View<'_>, model: &View<'_>, queue: &Queue) -> Vec<Disturbance> {
    let mut found = Vec::new();
    for life in &real.lives {
        let (Some(ours), Some(started)) = (model.life(&life.client, life.nth), life.started) else {
            continue;
        };
        let first = |life: &super::super::view::Life| {
            life.ownerships(queue).first().map_or(Millis::MAX, |(from, _)| *from)
        };
        let (real_first, our_first) = (first(life), first(ours));
        let (early, late) = (real_first.min(our_first), real_first.max(our_first));
        let next_pass = started.at + NEXT_PASS;
        let end = life.end_at().min(real.over());
        if early <= next_pass && late > early + FIRST_PASSES && late.min(end) <= next_pass {
            found.push(Disturbance {
                race: Race::TimersMet,
                client: None,
                queue: queue.clone(),
                from: started.at - SLACK.min(started.at),
                until: late.min(end) + SLACK,
            });
        }
    }
    found
}
