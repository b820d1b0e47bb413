//! Where each packet and each task goes: the one match on requests, and the one on tasks.
//!
//! Follows `BrokerController.registerProcessor`.

use super::Broker;
use super::channels::Caller;
use crate::sim::engine::Context;
use crate::sim::event::{EventKind, ResponseDetail};
use crate::sim::packet::{Packet, Payload, Request, RequestCode};
use crate::sim::task::BrokerTask;

impl Broker {
    /// A packet has arrived.
    pub fn receive(&mut self, packet: Packet, cx: &mut Context<'_>) {
        if !self.is_up {
            return;
        }
        let Packet { call, connection, from, payload, .. } = packet;
        match payload {
            Payload::ConnectionClosed => self.connection_closed(connection, cx),
            Payload::Response(response) => {
                let (of, code) = (response.of, response.code);
                let detail = ResponseDetail::None;
                cx.emit(EventKind::ResponseReceived { call, from, of, code, detail });
                if of == RequestCode::GetAllConsumerOffset {
                    self.sync_from_master(response.body, cx);
                }
            }
            Payload::Request { request: Request::HaTransfer { records }, .. } => {
                self.ha_received(connection, records, cx);
            }
            Payload::Request { request, oneway } => {
                if !self.channel_read(connection, from, cx) {
                    cx.send_closed(connection, from);
                    return;
                }
                let caller = Caller { call, connection, machine: from, is_oneway: oneway };
                self.process_request(caller, request, cx);
            }
        }
    }

    fn process_request(&mut self, caller: Caller, request: Request, cx: &mut Context<'_>) {
        match request {
            Request::PullMessage(header) => self.pull_message(caller, header, cx),
            Request::SendMessage {
                message,
                reconsume_times,
                max_reconsume_times,
                default_topic_queue_nums,
                ..
            } => {
                let header =
                    crate::model::send_back::RetryHeader { reconsume_times, max_reconsume_times };
                self.send_message(caller, message, header, default_topic_queue_nums, cx);
            }
            Request::ConsumerSendMsgBack { .. } => self.consumer_send_msg_back(caller, request, cx),
            Request::QueryConsumerOffset { group, topic, queue_id } => {
                self.query_consumer_offset(caller, &group, &topic, queue_id, cx);
            }
            Request::UpdateConsumerOffset { group, topic, queue_id, commit_offset } => {
                self.update_consumer_offset(caller, &group, &topic, queue_id, commit_offset, cx);
            }
            Request::SearchOffsetByTimestamp { topic, queue_id, timestamp } => {
                self.search_offset_by_timestamp(caller, topic, queue_id, timestamp, cx);
            }
            Request::GetMaxOffset { topic, queue_id } => {
                self.get_max_offset(caller, topic, queue_id, cx);
            }
            Request::HeartBeat { client_id, consumers, .. } => {
                self.heart_beat(caller, &client_id, consumers, cx);
            }
            Request::UnregisterClient { consumer_group, .. } => {
                self.unregister_client(caller, consumer_group.as_ref(), cx);
            }
            Request::GetConsumerListByGroup { group } => {
                self.get_consumer_list_by_group(caller, &group, cx);
            }
            Request::LockBatchMq { group, client_id, queues } => {
                self.lock_batch_mq(caller, &group, &client_id, queues, cx);
            }
            Request::UnlockBatchMq { group, client_id, queues } => {
                self.unlock_batch_mq(caller, &group, &client_id, &queues, cx);
            }
            Request::GetAllConsumerOffset => self.get_all_consumer_offset(caller, cx),
            Request::HaReportOffset { records } => self.ha_report_offset(caller, records, cx),
            // A master sends these over the slave's own connection; nobody sends the others to a broker.
            Request::HaTransfer { .. }
            | Request::NotifyConsumerIdsChanged { .. }
            | Request::RegisterBroker(_)
            | Request::GetRouteInfoByTopic { .. }
            | Request::ResetConsumerClientOffset { .. } => {}
        }
    }

    /// A task's time has come. The caller has dropped tasks of earlier lives.
    pub fn run(&mut self, task: BrokerTask, cx: &mut Context<'_>) {
        if !self.is_up {
            return;
        }
        match task {
            BrokerTask::Reput => self.reput_message(cx),
            BrokerTask::ExecuteWoken { token, .. } => self.execute_request_when_wakeup(token, cx),
            BrokerTask::CheckHoldRequest => self.check_hold_request(cx),
            BrokerTask::DeliverDelayed { level } => self.deliver_delayed(level, cx),
            BrokerTask::FinishAppend { token } => self.finish_append(token, cx),
            BrokerTask::PersistConsumerOffset => self.persist_consumer_offset(cx),
            BrokerTask::PersistDelayOffset => self.persist_delay_offset(cx),
            BrokerTask::ScanInactiveClients => self.scan_not_active_channel(cx),
            BrokerTask::RegisterToNameServer => self.register_periodically(cx),
            BrokerTask::ChannelIdle { connection } => self.channel_idle(connection, cx),
            BrokerTask::SlaveSync => self.slave_sync(cx),
            BrokerTask::HaConnect => self.ha_connect(cx),
        }
    }
}
