//! Remote calls of a client: what waits for an answer, and what happens when none comes.
//!
//! Follows `NettyRemotingClient` and `MQClientAPIImpl`. A synchronous call ends exactly at its
//! time-out; an asynchronous one (PULL_MESSAGE) is given up by the scan of each second (spec 13).

use serde::Serialize;

use super::ClientInstance;
use super::task::ClientTask;
use crate::model::constants;
use crate::model::ids::{BrokerName, CallId, ConnectionId, GroupName, MessageKey};
use crate::model::message_queue::MessageQueue;
use crate::model::pull::PullRequest;
use crate::model::time::Millis;
use crate::sim::agenda::AgendaKey;
use crate::sim::engine::Context;
use crate::sim::event::{Causes, EventKind, RequestDetail, ResponseDetail, TimerKind};
use crate::sim::packet::{Machine, Request, RequestCode, Response, ResponseBody};
use crate::sim::task::Task;

/// Who waits for the answer, and where it goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Waiter {
    Nobody,
    /// start() fetches the routes of its topics.
    StartRoute(GroupName),
    /// The factory's thread refreshes routes.
    FactoryRoute,
    /// The rebalance thread looks for a broker to ask.
    RebalanceRoute,
    RebalanceMembers,
    RebalanceLock(MessageQueue),
    RebalanceOffset,
    RebalanceMaxOffset,
    /// The one heartbeat under way.
    Heartbeat,
    Pull(Box<PullRequest>),
    /// The pull thread reads the offset of an orderly queue again.
    LockedFirstOffset(Box<PullRequest>),
    LockedFirstMaxOffset(Box<PullRequest>),
    /// A thread of the consume pool sends a failed message back.
    SendBack {
        group: GroupName,
        thread: u32,
    },
    /// The cleaner does.
    CleanerSendBack {
        group: GroupName,
    },
    /// An attempt of the (inner) producer.
    Send {
        send: u64,
    },
    /// A producer looks for its topic's route.
    SendRoute {
        send: u64,
    },
    LockAll {
        group: GroupName,
        broker_name: BrokerName,
    },
    LockLater {
        group: GroupName,
        queue: MessageQueue,
    },
    ShutdownUnlock {
        group: GroupName,
    },
    ShutdownUnregister {
        group: GroupName,
    },
}

impl Waiter {
    /// The group of whose consumer a thread waits; none for the threads of the instance and for pulls,
    /// whose windows know better whether they are still wanted.
    pub fn group(&self) -> Option<&GroupName> {
        match self {
            Waiter::SendBack { group, .. }
            | Waiter::CleanerSendBack { group }
            | Waiter::LockAll { group, .. }
            | Waiter::LockLater { group, .. }
            | Waiter::ShutdownUnlock { group }
            | Waiter::ShutdownUnregister { group }
            | Waiter::StartRoute(group) => Some(group),
            _ => None,
        }
    }
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallResult {
    Answered(Response),
    TimedOut,
    /// Refused, or its connection was closed, or there is no address.
    Failed,
}

impl CallResult {
    /// The body of a SUCCESS answer.
    pub fn success(self) -> Option<ResponseBody> {
        match self {
            CallResult::Answered(response)
                if response.code == crate::sim::packet::ResponseCode::Success =>
            {
                Some(response.body)
            }
            _ => None,
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct PendingCall {
    pub code: RequestCode,
    pub to: Machine,
    pub connection: ConnectionId,
    pub sent_at: Millis,
    pub timeout: Millis,
    pub is_sync: bool,
    pub timer: Option<AgendaKey>,
    pub waiter: Waiter,
    #[serde(skip)]
    pub causes: Causes,
}

impl ClientInstance {
    /// Calls and waits; the answer, the time-out or the failure goes on at `waiter`.
    pub fn call_sync(
        &mut self,
        to: Machine,
        request: Request,
        timeout: Millis,
        waiter: Waiter,
        cx: &mut Context<'_>,
    ) -> CallId {
        self.call(to, request, timeout, true, waiter, cx)
    }

    /// Calls without a waiting thread (PULL_MESSAGE).
    pub fn call_async(
        &mut self,
        to: Machine,
        request: Request,
        timeout: Millis,
        waiter: Waiter,
        cx: &mut Context<'_>,
    ) -> CallId {
        self.call(to, request, timeout, false, waiter, cx)
    }

    fn call(
        &mut self,
        to: Machine,
        request: Request,
        timeout: Millis,
        is_sync: bool,
        waiter: Waiter,
        cx: &mut Context<'_>,
    ) -> CallId {
        let connection = self.connection_to(to, cx);
        let call = cx.next_call();
        let code = request.code();
        let detail = request_detail(&request);
        cx.emit(EventKind::RequestSent { call, to, code, oneway: false, detail });
        let timer = if is_sync {
            let process = self.process;
            let task = Task::Client { process, task: ClientTask::CallTimeout { call } };
            Some(cx.schedule(timeout, TimerKind::CallTimeout(code), task))
        } else {
            let grace = constants::scan_response_table_grace(cx.profile());
            self.async_deadlines.insert((cx.now() + timeout + grace, call), ());
            None
        };
        let pending = PendingCall {
            code,
            to,
            connection,
            sent_at: cx.now(),
            timeout,
            is_sync,
            timer,
            waiter,
            causes: cx.causes(),
        };
        self.pending_calls.insert(call, pending);
        cx.send_request(call, connection, to, request, false);
        if !is_sync {
            self.schedule_scan(cx);
        }
        call
    }

    /// Sends and forgets.
    pub fn call_oneway(&mut self, to: Machine, request: Request, cx: &mut Context<'_>) {
        let connection = self.connection_to(to, cx);
        let call = cx.next_call();
        let code = request.code();
        let detail = request_detail(&request);
        cx.emit(EventKind::RequestSent { call, to, code, oneway: true, detail });
        cx.send_request(call, connection, to, request, true);
    }

    /// The scan looks each second; only the look that finds something is put on the agenda. Where a
    /// call with a shorter time-out comes after one with a longer one, there are two of them.
    fn schedule_scan(&mut self, cx: &mut Context<'_>) {
        let Some((&(deadline, _), ())) = self.async_deadlines.first_key_value() else { return };
        let profile = cx.profile();
        let first = self.started_at + constants::scan_response_table_initial_delay(profile);
        let period = constants::scan_response_table_interval(profile);
        let at = next_on_grid(first, period, deadline);
        if self.scan_at.is_some_and(|scan_at| scan_at <= at) {
            return;
        }
        let task = Task::Client { process: self.process, task: ClientTask::ScanCalls };
        cx.schedule_at(at, TimerKind::CallTimeout(RequestCode::PullMessage), task);
        self.scan_at = Some(at);
    }

    pub(crate) fn scan_calls(&mut self, cx: &mut Context<'_>) {
        self.scan_at = None;
        while let Some((&(deadline, call), ())) = self.async_deadlines.first_key_value() {
            if deadline > cx.now() {
                break;
            }
            self.async_deadlines.remove(&(deadline, call));
            self.end_timed_out(call, cx);
        }
        self.schedule_scan(cx);
    }

    pub(crate) fn call_timed_out(&mut self, call: CallId, cx: &mut Context<'_>) {
        self.end_timed_out(call, cx);
    }

    fn end_timed_out(&mut self, call: CallId, cx: &mut Context<'_>) {
        let Some(pending) = self.pending_calls.remove(&call) else { return };
        cx.set_causes(pending.causes);
        cx.emit(EventKind::CallTimedOut { call, of: pending.code });
        let causes = cx.causes();
        self.close_after_timeout(&pending, cx);
        cx.set_causes(causes);
        self.resume(pending.waiter, CallResult::TimedOut, cx);
    }

    /// An answer has arrived.
    pub fn on_response(
        &mut self,
        call: CallId,
        from: Machine,
        response: Response,
        cx: &mut Context<'_>,
    ) {
        let Some(pending) = self.pending_calls.remove(&call) else {
            let (of, code) = (response.of, response.code);
            cx.emit(EventKind::ResponseUnmatched { call, from, of, code });
            return;
        };
        self.stop_timer(call, &pending, cx);
        cx.emit(EventKind::ResponseReceived {
            call,
            from: pending.to,
            of: pending.code,
            code: response.code,
            detail: response_detail(&response.body),
        });
        self.resume(pending.waiter, CallResult::Answered(response), cx);
    }

    /// The call ends at once: refused, or its connection is closed.
    pub(crate) fn fail_call(&mut self, call: CallId, cx: &mut Context<'_>) {
        let Some(pending) = self.pending_calls.remove(&call) else { return };
        self.stop_timer(call, &pending, cx);
        let causes = cx.causes();
        cx.set_causes(causes.with(pending.causes));
        cx.emit(EventKind::CallFailed { call, of: pending.code });
        self.resume(pending.waiter, CallResult::Failed, cx);
    }

    /// Nobody waits for the call any more.
    pub(crate) fn abandon_call(&mut self, call: CallId, cx: &mut Context<'_>) {
        if let Some(pending) = self.pending_calls.remove(&call) {
            self.stop_timer(call, &pending, cx);
        }
    }

    fn stop_timer(&mut self, call: CallId, pending: &PendingCall, cx: &mut Context<'_>) {
        match pending.timer {
            Some(timer) => {
                cx.cancel(timer);
            }
            None => {
                let grace = constants::scan_response_table_grace(cx.profile());
                let deadline = pending.sent_at + pending.timeout + grace;
                self.async_deadlines.remove(&(deadline, call));
            }
        }
    }

    /// The thread that waited goes on.
    fn resume(&mut self, waiter: Waiter, result: CallResult, cx: &mut Context<'_>) {
        match waiter {
            Waiter::Nobody => {}
            Waiter::StartRoute(group) => self.start_on_route(&group, result, cx),
            Waiter::FactoryRoute => self.factory_on_route(result, cx),
            Waiter::RebalanceRoute => self.rebalance_on_route(result, cx),
            Waiter::RebalanceMembers => self.rebalance_on_members(result, cx),
            Waiter::RebalanceLock(queue) => self.rebalance_on_lock(queue, result, cx),
            Waiter::RebalanceOffset => self.rebalance_on_offset(result, cx),
            Waiter::RebalanceMaxOffset => self.rebalance_on_max_offset(result, cx),
            Waiter::Heartbeat => self.heartbeat_on_answer(result, cx),
            Waiter::Pull(request) => self.on_pull_answer(*request, result, cx),
            Waiter::LockedFirstOffset(request) => self.on_locked_first_offset(*request, result, cx),
            Waiter::LockedFirstMaxOffset(request) => {
                self.on_locked_first_max_offset(*request, result, cx);
            }
            Waiter::SendBack { group, thread } => self.on_send_back(&group, thread, result, cx),
            Waiter::CleanerSendBack { group } => self.on_cleaner_send_back(&group, result, cx),
            Waiter::Send { send } => self.on_send_answer(send, result, cx),
            Waiter::SendRoute { send } => self.on_send_route(send, result, cx),
            Waiter::LockAll { group, broker_name } => {
                self.on_lock_all(&group, &broker_name, result, cx);
            }
            Waiter::LockLater { group, queue } => self.on_lock_later(&group, queue, result, cx),
            Waiter::ShutdownUnlock { group } => self.shutdown_on_unlock(&group, result, cx),
            Waiter::ShutdownUnregister { group } => self.shutdown_on_unregister(&group, cx),
        }
    }
}

/// The first moment of the grid `first + k * period` that is not before `at`.
pub fn next_on_grid(first: Millis, period: Millis, at: Millis) -> Millis {
    if at <= first || period == Millis::ZERO {
        return first.max(at.min(first));
    }
    let steps = (at - first).ms().div_ceil(period.ms());
    first + period * steps
}

pub(crate) fn request_detail(request: &Request) -> RequestDetail {
    match request {
        Request::PullMessage(header) => RequestDetail::Pull {
            group: header.group.clone(),
            topic: header.topic.clone(),
            queue_id: header.queue_id,
            offset: header.queue_offset,
            max_msg_nums: header.max_msg_nums,
            sys_flag: header.sys_flag(),
            commit_offset: header.commit_offset,
        },
        Request::UpdateConsumerOffset { group, topic, queue_id, commit_offset } => {
            RequestDetail::Commit {
                group: group.clone(),
                topic: topic.clone(),
                queue_id: *queue_id,
                offset: *commit_offset,
            }
        }
        Request::ConsumerSendMsgBack {
            group,
            origin_topic,
            physical_offset,
            delay_level,
            max_reconsume_times,
        } => RequestDetail::SendBack {
            group: group.clone(),
            origin_topic: origin_topic.clone(),
            physical_offset: *physical_offset,
            delay_level: *delay_level,
            max_reconsume_times: *max_reconsume_times,
        },
        Request::SendMessage { message, .. } => RequestDetail::Send {
            topic: message.topic.clone(),
            queue_id: message.queue_id,
            key: message.body.key.as_ref().map(MessageKey::text),
        },
        Request::LockBatchMq { group, queues, .. }
        | Request::UnlockBatchMq { group, queues, .. } => {
            RequestDetail::Queues { group: group.clone(), queues: queues.as_slice().into() }
        }
        Request::HeartBeat { consumers, .. } => RequestDetail::HeartBeat {
            groups: consumers.iter().map(|data| (data.group.clone(), data.message_model)).collect(),
        },
        Request::GetRouteInfoByTopic { topic } => RequestDetail::Topic(topic.clone()),
        Request::GetConsumerListByGroup { group } | Request::NotifyConsumerIdsChanged { group } => {
            RequestDetail::Group(group.clone())
        }
        _ => match request.queue() {
            Some((topic, queue_id)) => RequestDetail::Queue { topic: topic.clone(), queue_id },
            None => RequestDetail::None,
        },
    }
}

fn response_detail(body: &ResponseBody) -> ResponseDetail {
    match body {
        ResponseBody::Offset(offset) => ResponseDetail::Offset(*offset),
        ResponseBody::Members(members) => ResponseDetail::Members(members.as_slice().into()),
        ResponseBody::Locked(queues) => ResponseDetail::Queues(queues.as_slice().into()),
        ResponseBody::Pulled(answer) => ResponseDetail::Pulled {
            found: answer.found.len() as u32,
            next_offset: answer.next_begin_offset,
        },
        _ => ResponseDetail::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_of_a_request_about_a_group_names_the_group() {
        let group = GroupName::from("G");
        for request in [
            Request::GetConsumerListByGroup { group: group.clone() },
            Request::NotifyConsumerIdsChanged { group: group.clone() },
        ] {
            assert_eq!(request_detail(&request), RequestDetail::Group(group.clone()));
        }
    }

    #[test]
    fn the_grid_begins_with_its_first_moment_and_goes_on_by_periods() {
        let grid = |at| next_on_grid(Millis(3_000), Millis(1_000), Millis(at)).ms();
        assert_eq!([grid(0), grid(3_000), grid(3_001), grid(4_000)], [3_000, 3_000, 4_000, 4_000]);
    }
}
