//! A slave's side: it copies its master's settings and offsets from time to time (spec 01.8).
//!
//! Follows `SlaveSynchronize`.

use super::Broker;
use super::channels::Caller;
use crate::model::constants;
use crate::sim::engine::Context;
use crate::sim::event::{EventKind, RequestDetail, TimerKind};
use crate::sim::packet::{Machine, Request, RequestCode, ResponseBody, ResponseCode};
use crate::sim::task::BrokerTask;

impl Broker {
    pub(crate) fn start_slave_sync(&self, cx: &mut Context<'_>) {
        if self.is_master() || self.master.is_none() {
            return;
        }
        let profile = cx.profile();
        let grid = self.grid(
            constants::slave_sync_initial_delay(profile),
            constants::slave_sync_interval(profile),
        );
        let at = grid.after(cx.now());
        let (index, life) = (self.index, self.life);
        cx.schedule_broker(index, life, at, TimerKind::SlaveSync, BrokerTask::SlaveSync);
    }

    /// Asks the master for its offsets and settings.
    ///
    /// Follows `SlaveSynchronize.syncAll`.
    pub(crate) fn slave_sync(&mut self, cx: &mut Context<'_>) {
        if let Some(master) = self.master {
            let to = Machine::Broker(master);
            let causes = cx.causes();
            let connection = match self.channels.master {
                Some(connection) => connection,
                None => {
                    let connection = cx.next_connection();
                    cx.emit(EventKind::ConnectionOpened { connection, to });
                    self.channels.master = Some(connection);
                    connection
                }
            };
            let (call, code) = (cx.next_call(), RequestCode::GetAllConsumerOffset);
            let detail = RequestDetail::None;
            cx.emit(EventKind::RequestSent { call, to, code, oneway: false, detail });
            cx.send_request(call, connection, to, Request::GetAllConsumerOffset, false);
            cx.set_causes(causes);
        }
        self.start_slave_sync(cx);
    }

    /// The master's answer: its values overwrite the slave's own, newer or not.
    pub(crate) fn sync_from_master(&mut self, body: ResponseBody, cx: &mut Context<'_>) {
        let ResponseBody::AllOffsets { offsets, topics, delay_offsets } = body else { return };
        self.topic_config.extend(topics);
        let causes = cx.causes();
        for (group, topic, queue_id, offset) in offsets {
            cx.set_causes(causes);
            self.commit_offset(&group, &topic, queue_id, offset, false, cx);
        }
        cx.set_causes(causes);
        for (level, offset) in delay_offsets {
            self.schedule_message.set_progress(level, offset);
        }
    }

    /// GET_ALL_CONSUMER_OFFSET, with what a slave asks for along with it.
    pub(crate) fn get_all_consumer_offset(&mut self, caller: Caller, cx: &mut Context<'_>) {
        let offsets = self
            .consumer_offset
            .iter()
            .map(|(topic, group, queue_id, offset)| {
                (group.clone(), topic.clone(), queue_id, offset)
            })
            .collect();
        let topics =
            self.topic_config.iter().map(|(t, config)| (t.clone(), config.clone())).collect();
        let delay_offsets = self.schedule_message.progress();
        let body = ResponseBody::AllOffsets { offsets, topics, delay_offsets };
        let of = RequestCode::GetAllConsumerOffset;
        self.answer(caller, of, ResponseCode::Success, body, cx);
    }
}
