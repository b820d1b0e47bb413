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
                self.wake_up(key, pull, by_arrival, causes, cx);
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

    /// Hands a pull to the pull executor, caused by its suspension and by what woke it.
    ///
    /// Emits `PullWoken`. Follows `PullMessageProcessor.executeRequestWhenWakeup`.
    fn wake_up(
        &mut self,
        key: &(TopicName, QueueId),
        pull: HeldPull,
        by_arrival: bool,
        causes: Causes,
        cx: &mut Context<'_>,
    ) {
        let mut both = Causes::of(pull.suspended_event);
        if by_arrival {
            both = causes.with(both);
        } else if let Some(arrived) = pull.arrived_event {
            both.add(arrived);
        }
        cx.set_causes(both);
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
        self.process_pull_request(pull.caller, pull.header, false, cx);
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
        let key = cx.schedule_broker(self.index, self.life, at, TimerKind::HoldScan, task);
        self.pull_request_hold.scan = Some((at, key));
    }
}
