//! Long polling: pulls that found nothing are held until a message arrives or their time is over.
//!
//! Follows `PullRequestHoldService`, `ManyPullRequest` and `NotifyMessageArrivingListener`.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;

use super::Broker;
use super::channels::Caller;
use super::poll_grid::PollGrid;
use crate::model::constants;
use crate::model::ids::{QueueId, TopicName};
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::subscription::SubscriptionData;
use crate::model::time::Millis;
use crate::sim::agenda::AgendaKey;
use crate::sim::engine::Context;
use crate::sim::event::{Causes, EventKind, EventSequence, TimerKind};
use crate::sim::packet::PullRequestHeader;
use crate::sim::task::{BrokerTask, Task};

/// One held pull (`longpolling.PullRequest`).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeldPull {
    pub caller: Caller,
    pub header: PullRequestHeader,
    /// The group's subscription when the pull was held; it decides which arrivals wake it.
    pub subscription: Rc<SubscriptionData>,
    pub suspended_at: Millis,
    /// From here on a look ends the wait.
    pub times_out_at: Millis,
    /// The event of its suspension, and of the first arrival that did not wake it.
    pub suspended_event: EventSequence,
    pub arrived_event: Option<EventSequence>,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct PullRequestHold {
    pub held: BTreeMap<(TopicName, QueueId), Vec<HeldPull>>,
    /// Woken ones that wait for a thread of the pull executor.
    pub woken: BTreeMap<u64, HeldPull>,
    /// The next look at all held pulls.
    pub scan: Option<(Millis, AgendaKey)>,
}

impl PullRequestHold {
    /// How many pulls are held.
    pub fn len(&self) -> usize {
        self.held.values().map(Vec::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Broker {
    pub(crate) fn start_pull_request_hold(&mut self, cx: &mut Context<'_>) {
        if self.literal_polling {
            let at = self.hold_grid(cx).after(cx.now());
            self.schedule_hold_scan(at, cx);
        }
    }

    /// `waitForRunning(5000)` between two looks, counted from the broker's start.
    fn hold_grid(&self, cx: &Context<'_>) -> PollGrid {
        let period = if self.config.long_polling_enable {
            constants::hold_check_interval(cx.profile())
        } else {
            constants::short_polling_time(cx.profile())
        };
        self.grid(period, period)
    }

    /// Holds a pull instead of answering it.
    ///
    /// Emits `PullSuspended`. Follows `PullRequestHoldService.suspendPullRequest`.
    pub(crate) fn suspend_pull_request(
        &mut self,
        caller: Caller,
        header: PullRequestHeader,
        subscription: Rc<SubscriptionData>,
        cx: &mut Context<'_>,
    ) {
        let now = cx.now();
        let polling_time = if self.config.long_polling_enable {
            header.suspend_timeout
        } else {
            constants::short_polling_time(cx.profile())
        };
        let times_out_at = now + polling_time;
        let until = self.hold_grid(cx).at_or_after(times_out_at);
        let key = (header.topic.clone(), header.queue_id);
        let queue = MessageQueue::new(key.0.clone(), self.name.clone(), key.1);
        let suspended_event = cx.emit(EventKind::PullSuspended {
            call: caller.call,
            group: header.group.clone(),
            queue,
            offset: header.queue_offset,
            until,
        });
        self.pull_request_hold.held.entry(key).or_default().push(HeldPull {
            caller,
            header,
            subscription,
            suspended_at: now,
            times_out_at,
            suspended_event,
            arrived_event: None,
        });
        self.schedule_hold_scan(until, cx);
    }

    /// A record became visible. On a master with long polling the held pulls of its queue hear of it;
    /// elsewhere only the next look finds it.
    pub(crate) fn message_arriving(
        &mut self,
        record: &StoredMessage,
        max_offset: QueueOffset,
        tags_code: i64,
        cx: &mut Context<'_>,
    ) {
        let key = (record.topic.clone(), record.queue_id);
        if !self.pull_request_hold.held.contains_key(&key) {
            return;
        }
        if self.is_master() && self.config.long_polling_enable {
            self.notify_message_arriving(&key, max_offset, Some(tags_code), cx);
        } else {
            self.expect_hold_scan(&key, cx);
        }
    }

    /// Wakes those held pulls of a queue for which there is something now, or whose time is over.
    /// Without a tags code every arrival counts.
    ///
    /// Follows `PullRequestHoldService.notifyMessageArriving`.
    fn notify_message_arriving(
        &mut self,
        key: &(TopicName, QueueId),
        max_offset: QueueOffset,
        tags_code: Option<i64>,
        cx: &mut Context<'_>,
    ) {
        let Some(waiting) = self.pull_request_hold.held.remove(key) else { return };
        let causes = cx.causes();
        let now = cx.now();
        let mut stay = Vec::new();
        for mut pull in waiting {
            let has_more = max_offset > pull.header.queue_offset;
            let matches = tags_code.is_none_or(|code| pull.subscription.matches_code(code));
            if (has_more && matches) || now >= pull.times_out_at {
                let by_arrival = has_more && matches && tags_code.is_some();
                let why = self.why_woken(&pull, tags_code.is_some(), causes, cx);
                cx.set_causes(why);
                self.wake_up(key, pull, by_arrival, cx);
            } else {
                if has_more && pull.arrived_event.is_none() {
                    pull.arrived_event = causes.as_slice().first().copied();
                }
                stay.push(pull);
            }
        }
        cx.set_causes(causes);
        if stay.is_empty() {
            return;
        }
        let has_unseen = stay.iter().any(|pull| max_offset > pull.header.queue_offset);
        self.pull_request_hold.held.insert(key.clone(), stay);
        if has_unseen {
            let at = self.hold_grid(cx).after(now);
            self.schedule_hold_scan(at, cx);
        }
    }

    /// The next look at the held pulls will find this queue's new message.
    fn expect_hold_scan(&mut self, key: &(TopicName, QueueId), cx: &mut Context<'_>) {
        let event = cx.causes().as_slice().first().copied();
        for pull in self.pull_request_hold.held.get_mut(key).into_iter().flatten() {
            pull.arrived_event = pull.arrived_event.or(event);
        }
        let at = self.hold_grid(cx).after(cx.now());
        self.schedule_hold_scan(at, cx);
    }

    /// Why a held pull is woken: its suspension, and with it the arrival that woke it; or the look, which
    /// would have come without anybody, at a pull whose time is over or for which something has come.
    fn why_woken(
        &self,
        pull: &HeldPull,
        is_by_record: bool,
        record: Causes,
        cx: &Context<'_>,
    ) -> Causes {
        let suspended = Causes::of(pull.suspended_event);
        if is_by_record {
            return record.with(suspended);
        }
        let is_over = cx.now() >= pull.times_out_at;
        let arrived = pull.arrived_event.filter(|_| !is_over).map_or(Causes::NONE, Causes::of);
        cx.causes_of_timer(self.started).leading(suspended).leading(arrived)
    }

    /// Hands a pull to the pull executor.
    ///
    /// Emits `PullWoken`. Follows `PullMessageProcessor.executeRequestWhenWakeup`.
    fn wake_up(
        &mut self,
        key: &(TopicName, QueueId),
        pull: HeldPull,
        by_arrival: bool,
        cx: &mut Context<'_>,
    ) {
        let queue = MessageQueue::new(key.0.clone(), self.name.clone(), key.1);
        cx.emit(EventKind::PullWoken { call: pull.caller.call, queue, by_arrival });
        let token = cx.next_token();
        self.pull_request_hold.woken.insert(token, pull);
        let task = BrokerTask::ExecuteWoken { topic: key.0.clone(), queue_id: key.1, token };
        let (broker, life) = (self.index, self.life);
        cx.schedule_now(Task::Broker { broker, life, task });
    }

    /// The pull executor works on a woken pull, which is answered in any case.
    pub(crate) fn execute_request_when_wakeup(&mut self, token: u64, cx: &mut Context<'_>) {
        let Some(pull) = self.pull_request_hold.woken.remove(&token) else { return };
        self.process_pull_request(pull.caller, pull.header, false, pull.arrived_event, cx);
    }

    /// The look at all held pulls, every 5 s.
    ///
    /// Follows `PullRequestHoldService.checkHoldRequest`.
    pub(crate) fn check_hold_request(&mut self, cx: &mut Context<'_>) {
        self.pull_request_hold.scan = None;
        let keys: Vec<_> = self.pull_request_hold.held.keys().cloned().collect();
        for key in keys {
            let max_offset = self.max_offset_in_queue(&key.0, key.1);
            self.notify_message_arriving(&key, max_offset, None, cx);
        }
        cx.set_causes(Causes::NONE);
        let grid = self.hold_grid(cx);
        if self.literal_polling {
            self.schedule_hold_scan(grid.after(cx.now()), cx);
            return;
        }
        let held = self.pull_request_hold.held.values().flatten();
        if let Some(first) = held.map(|pull| pull.times_out_at).min() {
            self.schedule_hold_scan(grid.at_or_after(first), cx);
        }
    }

    /// Puts a look on the agenda, unless an earlier one is there. A look may find nothing, if the
    /// pull for which it was meant has been woken by then.
    fn schedule_hold_scan(&mut self, at: Millis, cx: &mut Context<'_>) {
        if let Some((scheduled_at, key)) = self.pull_request_hold.scan {
            if scheduled_at <= at {
                return;
            }
            cx.cancel(key);
        }
        let task = BrokerTask::CheckHoldRequest;
        let key = cx.schedule_look(self.index, self.life, at, TimerKind::HoldScan, task);
        self.pull_request_hold.scan = Some((at, key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::CallId;
    use crate::model::profile::Profile;
    use crate::sim::broker::bench::{Bench, message, pull, setup};
    use crate::sim::packet::ResponseCode;

    fn bench(profile: Profile, expression: &str) -> Bench {
        let mut bench = Bench::new(profile);
        bench.heartbeat(1, expression, 1);
        bench
    }

    /// When the answer arrived, and its code.
    fn answered(bench: &Bench, call: CallId) -> Option<(u64, ResponseCode)> {
        bench.sent.iter().find(|(_, packet)| packet.call == call).map(|(at, packet)| match &packet
            .payload
        {
            crate::sim::packet::Payload::Response(response) => (at.ms(), response.code),
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn an_idle_pull_is_held_for_15_to_20_seconds() {
        for (pulled_at, answered_at) in
            [(1, 20_000), (5_000, 20_000), (5_001, 25_000), (9_999, 25_000), (10_000, 25_000)]
        {
            let mut bench = bench(Profile::V49, "*");
            bench.run_until(pulled_at);
            let call = bench.pull(1, pull(0));
            bench.run_until(60_000);
            let expected = Some((answered_at, ResponseCode::PullNotFound));
            assert_eq!(answered(&bench, call), expected, "pulled at {pulled_at}");
        }
    }

    #[test]
    fn an_idle_pull_is_answered_because_the_scan_looks_not_because_of_when_it_was_asked() {
        let mut bench = bench(Profile::V49, "*");
        bench.run_until(300);
        bench.pull(1, pull(0));
        bench.run_until(60_000);
        let woken = bench.events(|kind| matches!(kind, EventKind::PullWoken { .. }));
        let causes = bench.causes_of(woken[0]);
        assert!(matches!(causes[0], EventKind::BrokerStarted { .. }), "{causes:?}");
        assert!(matches!(causes[1], EventKind::PullSuspended { .. }), "{causes:?}");
        assert_eq!(woken[0].causes.main(), Some(woken[0].causes.as_slice()[0]));
    }

    #[test]
    fn a_matching_arrival_wakes_at_once_and_is_one_cause_with_the_suspension() {
        let mut bench = bench(Profile::V49, "TagA");
        let call = bench.pull(1, pull(0));
        bench.run_until(300);
        bench.send(Some("TagA"));
        bench.run_until(400);
        assert_eq!(answered(&bench, call), Some((301, ResponseCode::Success)));
        let woken = bench.events(|kind| matches!(kind, EventKind::PullWoken { .. }));
        assert!(matches!(woken[0].kind, EventKind::PullWoken { by_arrival: true, .. }));
        let causes = bench.causes_of(woken[0]);
        assert!(matches!(causes[0], EventKind::ConsumeQueueAppended { .. }), "{causes:?}");
        assert!(matches!(causes[1], EventKind::PullSuspended { .. }), "{causes:?}");
    }

    #[test]
    fn an_arrival_of_another_tag_waits_for_the_scan_which_asks_for_no_tag() {
        let mut bench = bench(Profile::V49, "TagA");
        let call = bench.pull(1, pull(0));
        bench.run_until(7_000);
        bench.send(Some("TagB"));
        bench.run_until(60_000);
        assert_eq!(answered(&bench, call), Some((10_000, ResponseCode::PullRetryImmediately)));
        let woken = bench.events(|kind| matches!(kind, EventKind::PullWoken { .. }));
        let causes = bench.causes_of(woken[0]);
        assert!(matches!(causes[0], EventKind::BrokerStarted { .. }), "{causes:?}");
        assert!(matches!(causes[1], EventKind::PullSuspended { .. }), "{causes:?}");
        assert!(matches!(causes[2], EventKind::ConsumeQueueAppended { .. }), "{causes:?}");
        let (_, answer) = bench.pulled(call).expect("answered");
        assert_eq!(answer.next_begin_offset, QueueOffset(1), "moved past it");
    }

    #[test]
    fn only_pulls_of_the_queue_are_woken() {
        let mut bench = bench(Profile::V49, "*");
        let zero = bench.pull(1, pull(0));
        let one = bench.pull(1, PullRequestHeader { queue_id: QueueId(1), ..pull(0) });
        bench.send_now(message("T", 1, None));
        bench.run_until(100);
        assert_eq!(answered(&bench, zero), None);
        assert_eq!(answered(&bench, one), Some((1, ResponseCode::Success)));
        assert_eq!(bench.broker.pull_request_hold.len(), 1);
    }

    #[test]
    fn without_the_suspend_bit_the_answer_comes_at_once() {
        let mut bench = bench(Profile::V49, "*");
        let call = bench.pull(1, PullRequestHeader { may_suspend: false, ..pull(0) });
        assert_eq!(bench.code(call), Some(ResponseCode::PullNotFound));
        assert!(bench.broker.pull_request_hold.is_empty());
    }

    #[test]
    fn short_polling_looks_each_second_and_hears_of_no_arrival() {
        let mut with_short = setup(Profile::V49);
        with_short.brokers[0].config.long_polling_enable = false;
        let mut bench = Bench::of(&with_short);
        bench.heartbeat(1, "*", 1);
        bench.run_until(100);
        let call = bench.pull(1, pull(0));
        bench.send(None);
        bench.run_until(5_000);
        assert_eq!(answered(&bench, call), Some((1_000, ResponseCode::Success)));
    }

    #[test]
    fn a_woken_pull_whose_connection_is_gone_is_not_answered() {
        let mut bench = bench(Profile::V49, "*");
        let call = bench.pull(1, pull(0));
        bench.close(1);
        bench.send(None);
        bench.run_until(100);
        assert_eq!(answered(&bench, call), None);
        assert!(bench.broker.pull_request_hold.is_empty(), "it does not stay either");
    }

    #[test]
    fn looking_every_5_s_or_only_when_it_matters_is_the_same() {
        let run = |literal_polling| {
            let mut bench = Bench::of(&{
                let mut setup = setup(Profile::V49);
                setup.literal_polling = literal_polling;
                setup
            });
            bench.heartbeat(1, "TagA", 1);
            for step in 0_u64..40 {
                bench.run_until(step * 1_733);
                bench.pull(1, pull(step.div_ceil(3) as i64));
                if step % 3 == 0 {
                    bench.send(Some(if step % 2 == 0 { "TagA" } else { "TagB" }));
                }
            }
            bench.run_until(200_000);
            let events = bench.events(|kind| {
                matches!(kind, EventKind::PullWoken { .. } | EventKind::ResponseSent { .. })
            });
            events.iter().map(|event| (event.at, event.kind.clone())).collect::<Vec<_>>()
        };
        assert_eq!(run(true), run(false));
    }
}
