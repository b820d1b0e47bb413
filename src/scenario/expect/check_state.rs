//! The words that look at a state: offsets, owners, windows, topics.

use std::collections::BTreeSet;

use super::check::{Found, delivery_counts, in_listener, number};
use super::expectation::{Check, Committed, OwnedQueues, Times, When};
use super::observe::Observed;
use super::sample::Sample;
use crate::model::ids::{GroupName, QueueId, TopicName};
use crate::model::time::Millis;
use crate::scenario::duration;

#[expect(clippy::too_many_lines, reason = "a table with one entry for each word")]
pub fn check(check: &Check, observed: &Observed) -> Found {
    match check {
        Check::Committed { value, group, topic, queues, broker, when } => {
            let what = Offset { group: group.as_ref(), topic, broker: broker.as_deref() };
            committed(observed, *value, &what, queues, *when)
        }
        Check::LocalOffset { consumer, topic, queue, value, when } => {
            let about = format!("offset of {topic}/{queue} in {consumer}'s own file");
            each_sample(observed, *when, &about, &value.to_string(), |sample, _| {
                let is_it = |(client, of, id): &(_, TopicName, QueueId)| {
                    is_client(client, consumer) && of == topic && *id == QueueId(*queue)
                };
                let mut found = sample.local.iter().filter(|(key, _)| is_it(key));
                let found = found.next().map(|(_, offset)| *offset);
                let text = found.map_or("none".to_owned(), |found| found.to_string());
                (text, found.is_some_and(|found| value.contains(found)))
            })
        }
        Check::MaxOffset { queues, broker, value, when } => {
            let about = format!("length of {}", queues.join(" + "));
            each_sample(observed, *when, &about, &value.to_string(), |sample, _| {
                let lengths = queues.iter().map(|queue| length(sample, queue, broker.as_deref()));
                let found = lengths.sum::<i64>();
                (found.to_string(), value.contains(found))
            })
        }
        Check::Owner { topic, owners, when } => owner(observed, topic, owners, *when),
        Check::Orphan { topic, queues, when } => {
            let about = format!("holders of {topic} {queues:?}");
            each_sample(observed, *when, &about, "nobody", |sample, _| {
                let found = queues.iter().flat_map(|queue| sample.holders(topic, *queue));
                let found = found.map(|who| who.client_id.to_string()).collect::<Vec<_>>();
                let text = if found.is_empty() { "nobody".to_owned() } else { found.join(", ") };
                (text, found.is_empty())
            })
        }
        Check::OwnerCount { consumer, times, retry, when } => {
            let about = format!("queues of {consumer}");
            each_sample(observed, *when, &about, &times.to_string(), |sample, _| {
                let held = sample.held.iter().filter(|held| held.who.is(consumer));
                let found = held.filter(|held| *retry || held.is_users).count() as i64;
                (found.to_string(), times.contains(found))
            })
        }
        Check::Cached { consumer, topic, queue, times, when } => {
            let about = format!("messages of {topic}/{queue} in {consumer}'s window");
            each_sample(observed, *when, &about, &times.to_string(), |sample, _| {
                let is_it = |queue_held: &&super::sample::Held| {
                    queue_held.who.is(consumer)
                        && queue_held.queue.topic == *topic
                        && queue_held.queue.queue_id == QueueId(*queue)
                };
                let found = sample.held.iter().find(is_it).map_or(-1, |held| held.cached);
                (found.to_string(), times.contains(found))
            })
        }
        Check::InListener { consumer, times, when } => {
            each_sample(observed, *when, "calls under way", &times.to_string(), |_, at| {
                let found = in_listener(observed, consumer.as_deref(), at);
                (found.to_string(), times.contains(found))
            })
        }
        Check::NextPullOffset { consumer, topic, queue, offset, when } => {
            let about = format!("where {consumer}'s next pull of {topic}/{queue} begins");
            each_sample(observed, *when, &about, &offset.to_string(), |_, at| {
                let is_it = |(then, who, of, id, _): &&(Millis, super::sample::Who, _, _, i64)| {
                    *then <= at && who.is(consumer) && of == topic && *id == QueueId(*queue)
                };
                let found = observed.next_offsets.iter().rev().find(is_it).map(|it| it.4);
                (format!("{found:?}"), found == Some(*offset))
            })
        }
        Check::TopicOn { topic, brokers, queues } => topic_on(observed, topic, *brokers, *queues),
        Check::Winner { topic, deliveries, at } => winner(observed, topic, *deliveries, *at),
        Check::DeliveredTwice { queue } => delivered_twice(observed, queue),
        _ => unreachable!("the other words are checked by their deliveries"),
    }
}

fn is_client(client: &crate::model::ids::ClientId, text: &str) -> bool {
    client.as_str() == text.split('#').next().unwrap_or_default()
}

/// Looks at the state whenever the expectation says; the first look that is wrong is what was found.
fn each_sample(
    observed: &Observed,
    when: When,
    about: &str,
    wanted: &str,
    look: impl Fn(&Sample, Millis) -> (String, bool),
) -> Found {
    let (from, to, words) = match when {
        When::At(at) => (at, at, format!(" at {}", duration::write(at))),
        When::From(from) => (from, observed.until, format!(" from {} on", duration::write(from))),
        When::End => (observed.until, observed.until, " at the end".to_owned()),
    };
    let mut last = "no look: it is after the end of the run".to_owned();
    let mut holds = false;
    for (at, sample) in observed.samples.range(from..=to) {
        let (found, is_right) = look(sample, *at);
        holds = is_right;
        last = if is_right { found } else { format!("{found} at {}", duration::write(*at)) };
        if !is_right {
            break;
        }
    }
    Found { about: format!("{about}{words}"), wanted: wanted.to_owned(), found: last, holds }
}

/// Whose offset of which topic is asked for.
struct Offset<'a> {
    group: Option<&'a GroupName>,
    topic: &'a TopicName,
    broker: Option<&'a str>,
}

fn committed(
    observed: &Observed,
    value: Committed,
    what: &Offset<'_>,
    queues: &[u32],
    when: When,
) -> Found {
    let wanted = match value {
        Committed::Offset(times) => times.to_string(),
        Committed::Absent => "absent".to_owned(),
        Committed::ZeroOrAbsent => "0 or absent".to_owned(),
    };
    let about = match what.broker {
        Some(broker) => format!("committed of {} {queues:?} at {broker}", what.topic),
        None => format!("committed of {} {queues:?}", what.topic),
    };
    each_sample(observed, when, &about, &wanted, |sample, _| {
        let mut texts = Vec::new();
        let mut holds = true;
        for queue in queues {
            let found = offset(sample, what, *queue);
            holds &= match (value, found) {
                (Committed::Offset(times), Some(found)) => times.contains(found),
                (Committed::Absent, None) | (Committed::ZeroOrAbsent, None | Some(0)) => true,
                _ => false,
            };
            texts.push(found.map_or("absent".to_owned(), |found| found.to_string()));
        }
        texts.dedup();
        (texts.join(", "), holds)
    })
}

fn offset(sample: &Sample, what: &Offset<'_>, queue: u32) -> Option<i64> {
    let is_it = |(broker, group, topic, id): &(String, GroupName, TopicName, QueueId)| {
        // Without a broker the masters are meant.
        what.broker.map_or(!broker.contains(':'), |named| broker == named)
            && what.group.is_none_or(|named| group == named)
            && topic == what.topic
            && *id == QueueId(queue)
    };
    sample.committed.iter().find(|(key, _)| is_it(key)).map(|(_, offset)| *offset)
}

/// The length of `topic/id`, on one broker or on all masters.
fn length(sample: &Sample, queue: &str, broker: Option<&str>) -> i64 {
    let (topic, id) = queue.rsplit_once('/').unwrap_or((queue, "0"));
    let is_it = |(at, of, queue_id): &(String, TopicName, QueueId)| {
        broker.map_or(!at.contains(':'), |named| at == named)
            && of.as_str() == topic
            && Ok(queue_id.0) == id.parse()
    };
    sample.max_offset.iter().filter(|(key, _)| is_it(key)).map(|(_, length)| *length).sum()
}

fn owner(observed: &Observed, topic: &TopicName, owners: &[OwnedQueues], when: When) -> Found {
    let text = |who: &str, queues: &[u32]| format!("{who} {queues:?}");
    let wanted = owners.iter().map(|owner| text(&owner.consumer, &owner.queues));
    let wanted = wanted.collect::<Vec<_>>().join(", ");
    each_sample(observed, when, &format!("owners of {topic}"), &wanted, |sample, _| {
        let of_topic = || sample.held.iter().filter(|held| held.queue.topic == *topic);
        let mut texts = Vec::new();
        let mut holds = true;
        for owner in owners {
            let held = of_topic().filter(|held| held.who.is(&owner.consumer));
            let held = held.map(|held| held.queue.queue_id.0).collect::<BTreeSet<_>>();
            holds &= held == owner.queues.iter().copied().collect();
            texts.push(text(&owner.consumer, &held.into_iter().collect::<Vec<_>>()));
        }
        for held in of_topic() {
            if !owners.iter().any(|owner| held.who.is(&owner.consumer)) {
                holds = false;
                texts.push(text(held.who.client_id.as_str(), &[held.queue.queue_id.0]));
            }
        }
        (texts.join(", "), holds)
    })
}

fn topic_on(observed: &Observed, topic: &TopicName, brokers: Times, queues: Option<u32>) -> Found {
    let with = queues.map_or(String::new(), |queues| format!(" with {queues} queues"));
    let about = format!("brokers that have {topic}{with}");
    each_sample(observed, When::End, &about, &brokers.to_string(), |sample, _| {
        let has = sample.topics.iter().filter(|((_, of), _)| of == topic);
        let has = has.map(|((broker, _), found)| (broker, *found)).collect::<Vec<_>>();
        let is_right = queues.is_none_or(|queues| has.iter().all(|(_, found)| *found == queues));
        let texts = has.iter().map(|(broker, found)| format!("{broker} with {found}"));
        let text = format!("{}: {}", has.len(), texts.collect::<Vec<_>>().join(", "));
        (text, is_right && brokers.contains(has.len() as i64))
    })
}

/// See [`Check::Winner`].
fn winner(observed: &Observed, topic: &TopicName, wanted: Times, at: Millis) -> Found {
    let empty = Sample::default();
    let sample = observed.samples.get(&at).unwrap_or(&empty);
    let stored = sample.subscribed.iter().find(|stored| stored.topic == *topic);
    let of_topic = observed.deliveries.iter().filter(|it| it.message.topic == *topic);
    let (mut right, mut wrong) = (0, 0);
    for delivery in of_topic {
        let is_right = stored.is_some_and(|stored| {
            let tag = delivery.message.body.tag.as_ref();
            let queue = delivery.message.queue_id.0;
            delivery.who == stored.by
                && tag.is_some_and(|tag| tag.as_str() == stored.expression)
                && sample.holders(topic, queue).contains(&stored.by)
        });
        if is_right { right += 1 } else { wrong += 1 }
    }
    let name = stored.map_or("nobody".to_owned(), |stored| {
        format!("{} ({})", stored.by.client_id, stored.expression)
    });
    Found {
        about: format!("deliveries of {topic} to the one whose subscription stands"),
        wanted: format!("{wanted}, and no others"),
        found: format!("{right} to {name}, {wrong} others"),
        holds: wrong == 0 && stored.is_some() && wanted.contains(right),
    }
}

fn delivered_twice(observed: &Observed, queue: &str) -> Found {
    let length = observed.samples.get(&observed.until).map_or(0, |it| length(it, queue, None));
    let counts = delivery_counts(observed);
    let twice = counts.values().filter(|count| **count == 2).count() as i64;
    let others = counts.values().filter(|count| !(1..=2).contains(*count)).count();
    let all = counts.len() == observed.sent.len();
    let found = number(
        &format!("messages delivered twice, as long as {queue}"),
        Times::exactly(length),
        twice,
    );
    Found {
        wanted: format!("{length}, all others once"),
        found: format!("{twice}, {others} neither once nor twice"),
        holds: found.holds && others == 0 && all,
        ..found
    }
}
