//! RebalanceService: one thread for all groups of a client, one topic after another, blocking on each
//! remote call (spec 02.3, 02.4). What it is in the middle of is a value, [`RebalancePass`].

use std::collections::VecDeque;
use std::rc::Rc;

use serde::Serialize;

use super::ClientInstance;
use super::call::{CallResult, Waiter};
use super::heartbeat::HeartbeatOwner;
use super::rebalance_queues::QueuesPass;
use super::route::MASTER_ID;
use super::task::ClientTask;
use crate::model::config::MessageModel;
use crate::model::constants;
use crate::model::ids::{BrokerIndex, ClientId, GroupName, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::model::time::Millis;
use crate::model::topic::is_retry_topic;
use crate::sim::agenda::AgendaKey;
use crate::sim::dice::Purpose;
use crate::sim::engine::Context;
use crate::sim::event::{Causes, EventKind, TimerKind};
use crate::sim::packet::{Machine, Request, ResponseBody};
use crate::sim::task::Task;

/// The thread and its `waitForRunning` (spec 00.3).
#[derive(Clone, Debug, Default, Serialize)]
pub struct RebalanceService {
    /// hasNotified: several wake-ups during one pass collapse into one extra pass.
    pub is_notified: bool,
    pub is_started: bool,
    /// The wait under way.
    pub wait: Option<AgendaKey>,
    pub wait_until: Option<Millis>,
    /// Counts the waits.
    pub waits: u64,
    pub pass: Option<Box<RebalancePass>>,
    /// lastRebalanceTimestamp; starts with the creation of the service.
    pub last_rebalance_at: Millis,
    /// The event of that moment.
    #[serde(skip)]
    last_rebalance: Causes,
    #[serde(skip)]
    pub notified_by: Causes,
}

/// One run over all topics of all groups.
#[derive(Clone, Debug, Serialize)]
pub struct RebalancePass {
    pub topics_left: VecDeque<(GroupName, TopicName)>,
    pub is_balanced: bool,
    pub current: Option<TopicPass>,
    #[serde(skip)]
    pub causes: Causes,
}

/// rebalanceByTopic of one topic.
#[derive(Clone, Debug, Serialize)]
pub struct TopicPass {
    pub group: GroupName,
    pub topic: TopicName,
    /// mqSet, read before the members are asked for (spec 02.4.1).
    pub known_queues: Option<Vec<MessageQueue>>,
    pub has_refreshed_route: bool,
    /// The queues to take and to give up, once they are known.
    pub queues: Option<QueuesPass>,
}

impl ClientInstance {
    pub(crate) fn start_rebalance_service(&mut self, cx: &mut Context<'_>) {
        self.rebalance_service.is_started = true;
        self.rebalance_service.last_rebalance_at = cx.now();
        self.rebalance_service.last_rebalance = cx.causes();
        let wait = self.rebalance_wait_interval(cx);
        self.rebalance_wait(wait, cx);
    }

    fn rebalance_wait_interval(&self, cx: &Context<'_>) -> Millis {
        self.consumers.values().next().map_or_else(
            || constants::rebalance_wait_interval(cx.profile()),
            |consumer| consumer.config.rebalance_wait_interval,
        )
    }

    /// `wakeup()`.
    pub(crate) fn wake_rebalance(&mut self, cx: &mut Context<'_>) {
        let causes = cx.causes();
        let service = &mut self.rebalance_service;
        if !service.is_started {
            return;
        }
        service.notified_by =
            if service.is_notified { service.notified_by.or(causes) } else { causes };
        service.is_notified = true;
        // The thread begins its pass before anything else happens in this process; a wake-up that
        // comes after that makes one more pass.
        if let Some(wait) = service.wait.take() {
            let waited = cx.cancel(wait);
            self.rebalance_wake(waited, cx);
            cx.set_causes(causes);
        }
    }

    /// `waitForRunning(interval)`: returns at once if it has been notified.
    fn rebalance_wait(&mut self, interval: Millis, cx: &mut Context<'_>) {
        let service = &mut self.rebalance_service;
        service.waits += 1;
        let task = ClientTask::RebalanceWake { wait: service.waits };
        let task = Task::Client { process: self.process, task };
        if service.is_notified {
            cx.set_causes(service.notified_by);
            cx.schedule_now(task);
        } else {
            service.wait_until = Some(cx.now() + interval);
            service.wait = Some(cx.schedule(interval, TimerKind::Rebalance, task));
        }
    }

    pub(crate) fn rebalance_wait_over(&mut self, wait: u64, cx: &mut Context<'_>) {
        if self.rebalance_service.waits == wait {
            self.rebalance_wake(None, cx);
        }
    }

    /// The wait is over, or was `cut` short: then it says when it would have been over, and why.
    fn rebalance_wake(&mut self, cut: Option<(Millis, Causes)>, cx: &mut Context<'_>) {
        let service = &mut self.rebalance_service;
        service.waits += 1;
        service.wait = None;
        service.wait_until = None;
        service.is_notified = false;
        if let Some(min) = constants::rebalance_min_interval(cx.profile()) {
            let gap = cx.now().since(service.last_rebalance_at);
            if gap < min {
                // Whoever asks for a pass does not decide when it comes, and needs not ask twice.
                let until = cx.now() + (min - gap);
                let causes = match cut.filter(|(at, _)| *at <= until) {
                    Some((_, asked_before)) => asked_before,
                    None => service.last_rebalance.leading(cx.causes()),
                };
                cx.set_causes(causes);
                self.rebalance_wait(min - gap, cx);
                return;
            }
        }
        if let Some((_, causes)) = cut.filter(|(at, _)| *at <= cx.now()) {
            // It would have been over now in any case.
            let either = causes.or(cx.causes());
            cx.set_causes(either);
        }
        cx.emit(EventKind::RebalanceBegan);
        let topics_left = self
            .consumers
            .values()
            .filter(|consumer| consumer.is_registered() && !consumer.is_paused)
            .flat_map(|consumer| {
                let topics = consumer.topics_in_order().into_iter();
                topics.map(|topic| (consumer.group.clone(), topic))
            })
            .collect();
        let pass =
            RebalancePass { topics_left, is_balanced: true, current: None, causes: cx.causes() };
        self.rebalance_service.pass = Some(Box::new(pass));
        self.rebalance_next(cx);
    }

    fn pass(&mut self) -> &mut RebalancePass {
        self.rebalance_service.pass.as_mut().expect("a pass is under way")
    }

    pub(crate) fn topic_pass(&mut self) -> Option<&mut TopicPass> {
        self.rebalance_service.pass.as_mut()?.current.as_mut()
    }

    /// The next topic of the pass, or its end.
    pub(crate) fn rebalance_next(&mut self, cx: &mut Context<'_>) {
        let Some(pass) = self.rebalance_service.pass.as_mut() else { return };
        cx.set_causes(pass.causes);
        match pass.topics_left.pop_front() {
            Some((group, topic)) => self.rebalance_by_topic(group, topic, cx),
            None => self.rebalance_end(cx),
        }
    }

    fn rebalance_end(&mut self, cx: &mut Context<'_>) {
        self.truncate_message_queue_not_my_topic(cx);
        let is_balanced = self.pass().is_balanced;
        let causes = self.pass().causes;
        self.rebalance_service.pass = None;
        cx.set_causes(causes);
        cx.emit(EventKind::RebalanceEnded { balanced: is_balanced });
        self.rebalance_service.last_rebalance_at = cx.now();
        self.rebalance_service.last_rebalance = cx.causes();
        let profile = cx.profile();
        let wait = match constants::rebalance_min_interval(profile) {
            Some(min) if !is_balanced => min,
            _ => self.rebalance_wait_interval(cx),
        };
        self.rebalance_wait(wait, cx);
    }

    fn rebalance_by_topic(&mut self, group: GroupName, topic: TopicName, cx: &mut Context<'_>) {
        let Some(consumer) = self.consumers.get(&group).filter(|it| it.is_running()) else {
            return self.rebalance_later(cx);
        };
        let known_queues = consumer.subscribe_info.get(&topic).cloned();
        let model = consumer.config.message_model;
        let current = TopicPass {
            group: group.clone(),
            topic: topic.clone(),
            known_queues,
            has_refreshed_route: false,
            queues: None,
        };
        self.pass().current = Some(current);
        match model {
            MessageModel::Broadcasting => self.rebalance_broadcasting(cx),
            MessageModel::Clustering => self.ask_members(cx),
        }
    }

    /// All queues are mine.
    fn rebalance_broadcasting(&mut self, cx: &mut Context<'_>) {
        let Some(current) = self.topic_pass() else { return };
        match current.known_queues.clone() {
            Some(queues) => self.update_process_queue_table(queues, cx),
            None => self.topic_done(cx),
        }
    }

    /// findConsumerIdList: asks a broker of the topic, chosen by chance; without a known broker the
    /// route is refreshed once (spec 02.4.1).
    fn ask_members(&mut self, cx: &mut Context<'_>) {
        let Some(current) = self.topic_pass() else { return };
        let (group, topic) = (current.group.clone(), current.topic.clone());
        let has_refreshed = current.has_refreshed_route;
        match self.find_broker_by_topic(&topic, cx) {
            Some(broker) => {
                let timeout = constants::get_consumer_list_timeout(cx.profile());
                let request = Request::GetConsumerListByGroup { group };
                let to = Machine::Broker(broker);
                self.call_sync(to, request, timeout, Waiter::RebalanceMembers, cx);
            }
            None if !has_refreshed => {
                if let Some(current) = self.topic_pass() {
                    current.has_refreshed_route = true;
                }
                self.ask_route(topic, Waiter::RebalanceRoute, cx);
            }
            None => self.members_unknown(cx),
        }
    }

    fn find_broker_by_topic(
        &mut self,
        topic: &TopicName,
        cx: &mut Context<'_>,
    ) -> Option<BrokerIndex> {
        let brokers = &self.topic_route_table.get(topic)?.broker_datas;
        let pick = cx.below(Purpose::BrokerPick, brokers.len() as u32);
        let (_, addresses) = brokers.get(pick as usize)?;
        let master = addresses.iter().find(|(id, _)| *id == MASTER_ID);
        match master {
            Some((_, index)) => Some(*index),
            None => {
                let pick = cx.below(Purpose::BrokerPick, addresses.len() as u32);
                addresses.get(pick as usize).map(|(_, index)| *index)
            }
        }
    }

    pub(crate) fn rebalance_on_route(&mut self, result: CallResult, cx: &mut Context<'_>) {
        self.route_answered(result, cx);
        self.ask_members(cx);
    }

    pub(crate) fn rebalance_on_members(&mut self, result: CallResult, cx: &mut Context<'_>) {
        let Some(ResponseBody::Members(members)) = result.success() else {
            return self.members_unknown(cx);
        };
        let Some(current) = self.topic_pass() else { return };
        match current.known_queues.clone() {
            Some(queues) => self.allocate(queues, members, cx),
            None => self.queues_unknown(cx),
        }
    }

    /// Without a member list the topic is left as it is and counts as balanced (spec 02.3).
    fn members_unknown(&mut self, cx: &mut Context<'_>) {
        self.queues_unknown(cx);
    }

    /// Since 5.0.0 a topic without queues (not %RETRY%) counts as changed: a new subVersion and a
    /// heartbeat in each pass (spec 02.4.1).
    fn queues_unknown(&mut self, cx: &mut Context<'_>) {
        let Some(current) = self.topic_pass() else { return };
        let counts_as_changed = current.known_queues.is_none() && !is_retry_topic(&current.topic);
        if counts_as_changed && cx.rules().unknown_route_counts_as_changed {
            self.message_queue_changed(cx);
        } else {
            self.topic_done(cx);
        }
    }

    /// Sorts queues and members and computes my share; equal views give equal answers.
    fn allocate(
        &mut self,
        mut queues: Vec<MessageQueue>,
        mut members: Vec<ClientId>,
        cx: &mut Context<'_>,
    ) {
        queues.sort_unstable();
        members.sort_unstable();
        let Some(current) = self.topic_pass() else { return };
        let (group, topic) = (current.group.clone(), current.topic.clone());
        let Some(consumer) = self.consumers.get(&group) else { return self.rebalance_later(cx) };
        let strategy = &consumer.config.allocate_strategy;
        let share = strategy.allocate(&cx.rules(), &self.client_id, &queues, &members);
        let Ok(mine) = share else {
            // The topic is skipped; a %RETRY% topic stays balanced (spec 02.3).
            if !is_retry_topic(&topic) {
                self.pass().is_balanced = false;
            }
            return self.topic_done(cx);
        };
        cx.emit(EventKind::Allocated {
            group,
            topic,
            queues: queues.into(),
            members: members.into(),
            mine: Rc::from(mine.as_slice()),
        });
        self.update_process_queue_table(mine, cx);
    }

    /// `messageQueueChanged`: a new subVersion, thresholds shared out, a heartbeat (spec 02.4.6).
    pub(crate) fn message_queue_changed(&mut self, cx: &mut Context<'_>) {
        let Some(current) = self.topic_pass() else { return };
        let (group, topic) = (current.group.clone(), current.topic.clone());
        let now = cx.local_now();
        if let Some(consumer) = self.consumers.get_mut(&group) {
            if let Some(data) = consumer.subscriptions.get_mut(&topic) {
                data.sub_version = now.ms();
            }
            consumer.share_out_topic_thresholds();
        }
        self.send_heartbeat(HeartbeatOwner::Rebalance, cx);
    }

    pub(crate) fn rebalance_on_heartbeat(&mut self, cx: &mut Context<'_>) {
        self.topic_done(cx);
    }

    pub(crate) fn topic_done(&mut self, cx: &mut Context<'_>) {
        if let Some(pass) = self.rebalance_service.pass.as_mut() {
            pass.current = None;
        }
        self.rebalance_later(cx);
    }

    fn rebalance_later(&mut self, cx: &mut Context<'_>) {
        let task = Task::Client { process: self.process, task: ClientTask::RebalanceNext };
        cx.schedule_now(task);
    }
}

impl super::consumer::PushConsumer {
    /// pullThresholdForTopic is shared by the queues of *all* topics of the consumer.
    fn share_out_topic_thresholds(&mut self) {
        let queues = self.process_queue_table.len() as i32;
        if queues == 0 {
            return;
        }
        let share = |threshold: i32| (threshold / queues).max(1) as u32;
        if self.config.pull_threshold_for_topic != -1 {
            self.config.pull_threshold_for_queue = share(self.config.pull_threshold_for_topic);
        }
        if self.config.pull_threshold_size_for_topic != -1 {
            self.config.pull_threshold_size_for_queue =
                share(self.config.pull_threshold_size_for_topic);
        }
    }
}
