//! Calls in words: what a request asks, what an answer brings.

use super::Narrator;
use crate::model::ids::BrokerName;
use crate::scene::card::Label;
use crate::sim::event::{Event, EventKind, RequestDetail, ResponseDetail};
use crate::sim::packet::{Machine, RequestCode};
use crate::text::event::{AnswerText, AskText, EventText};

impl Narrator<'_> {
    pub(super) fn call_text(&self, event: &Event) -> (EventText, Option<Label>) {
        match &event.kind {
            EventKind::RequestSent { to, code, detail, .. } => {
                self.request(event, *to, *code, detail)
            }
            EventKind::ResponseSent { code, .. } => {
                (EventText::Answers { code: Self::answer_code(*code) }, None)
            }
            EventKind::ResponseReceived { code, detail, .. } => {
                let code = Self::answer_code(*code);
                (EventText::GotAnswer { code, brought: self.answer(detail) }, None)
            }
            EventKind::CallTimedOut { .. } => (EventText::NoAnswer, None),
            EventKind::CallFailed { .. } => (EventText::CallFailed, None),
            other => unreachable!("{other:?} is no call"),
        }
    }

    fn request(
        &self,
        event: &Event,
        to: Machine,
        code: RequestCode,
        detail: &RequestDetail,
    ) -> (EventText, Option<Label>) {
        let broker_name = match to {
            Machine::Broker(index) => self.broker_name(index),
            _ => BrokerName::new(""),
        };
        let (ask, subject) = match detail {
            RequestDetail::Pull { topic, queue_id, offset, sys_flag, commit_offset, .. } => {
                let commit = (sys_flag & 1 != 0).then_some(commit_offset.0);
                let queue = self.queue_of(topic, &broker_name, *queue_id);
                (AskText::Pull { offset: offset.0, commit }, Some(queue))
            }
            RequestDetail::Commit { topic, queue_id, offset, .. } => {
                let queue = self.queue_of(topic, &broker_name, *queue_id);
                (AskText::ReportOffset { offset: offset.0 }, Some(queue))
            }
            RequestDetail::SendBack { .. } => (AskText::SendBack, self.sent_back(event)),
            RequestDetail::Send { topic, queue_id, key } => {
                let queue = self.queue_of(topic, &broker_name, *queue_id);
                let subject = match key {
                    Some(key) => format!("{key} → {queue}").into(),
                    None => queue,
                };
                (AskText::Send, Some(subject))
            }
            RequestDetail::Queues { queues, .. } => {
                let count = queues.len() as u32;
                let ask = match code {
                    RequestCode::LockBatchMq => AskText::Lock { queues: count },
                    _ => AskText::Unlock { queues: count },
                };
                (ask, Some(self.queues(queues)))
            }
            RequestDetail::HeartBeat { .. } => (AskText::Heartbeat, None),
            RequestDetail::Topic(topic) => (AskText::Route { topic: topic.as_str().into() }, None),
            RequestDetail::Group(group) => {
                let ask = match code {
                    RequestCode::NotifyConsumerIdsChanged => AskText::MembersChanged,
                    _ => AskText::Members,
                };
                (ask, Some(group.as_str().into()))
            }
            RequestDetail::Queue { topic, queue_id } => {
                let queue = self.queue_of(topic, &broker_name, *queue_id);
                let ask = match code {
                    RequestCode::GetMaxOffset => AskText::MaxOffset,
                    RequestCode::SearchOffsetByTimestamp => AskText::OffsetByTime,
                    _ => AskText::StoredOffset,
                };
                (ask, Some(queue))
            }
            RequestDetail::None => (plain(code), None),
        };
        (EventText::Asks(ask), subject)
    }

    /// The message that a send-back is about: the one whose failure caused it.
    fn sent_back(&self, event: &Event) -> Option<Label> {
        match &self.cause(event)?.kind {
            EventKind::ConsumeEnded { message, .. }
            | EventKind::SentBack { message, .. }
            | EventKind::SendBackFailed { message, .. } => Some(self.message(message)),
            _ => None,
        }
    }

    fn answer(&self, detail: &ResponseDetail) -> AnswerText {
        match detail {
            ResponseDetail::None => AnswerText::Plain,
            ResponseDetail::Offset(offset) => AnswerText::Offset { offset: offset.0 },
            ResponseDetail::Members(members) => {
                let names: Vec<Label> = members.iter().map(|it| self.client(it)).collect();
                AnswerText::Members { members: names.join(", ").into() }
            }
            ResponseDetail::Queues(queues) => AnswerText::Granted { queues: queues.len() as u32 },
            ResponseDetail::Pulled { found, next_offset } => {
                AnswerText::Pulled { found: *found, next: next_offset.0 }
            }
        }
    }
}

/// Requests without a queue or a group.
const fn plain(code: RequestCode) -> AskText {
    match code {
        RequestCode::HeartBeat => AskText::Heartbeat,
        RequestCode::UnregisterClient => AskText::SignOff,
        RequestCode::RegisterBroker => AskText::RegisterBroker,
        RequestCode::ResetConsumerClientOffset => AskText::ResetOffset,
        RequestCode::SendMessageV2 => AskText::Send,
        RequestCode::ConsumerSendMsgBack => AskText::SendBack,
        RequestCode::GetMaxOffset => AskText::MaxOffset,
        RequestCode::SearchOffsetByTimestamp => AskText::OffsetByTime,
        RequestCode::GetConsumerListByGroup => AskText::Members,
        RequestCode::NotifyConsumerIdsChanged => AskText::MembersChanged,
        RequestCode::QueryConsumerOffset
        | RequestCode::PullMessage
        | RequestCode::UpdateConsumerOffset => AskText::StoredOffset,
        RequestCode::LockBatchMq => AskText::Lock { queues: 0 },
        RequestCode::UnlockBatchMq => AskText::Unlock { queues: 0 },
        _ => AskText::Copy,
    }
}
