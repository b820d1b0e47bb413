//! The details of events: reasons, outcomes, and the fields of requests and answers that the log, the
//! trace and the inspector tell.

use std::rc::Rc;

use serde::Serialize;

use crate::model::config::MessageModel;
use crate::model::ids::{ClientId, GroupName, QueueId, TopicName};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::{PhysicalOffset, QueueOffset};

/// GetMessageStatus and the errors of PULL_MESSAGE, as told in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum PullStatus {
    Found,
    NoNewMessage,
    NoMatchedMessage,
    OffsetIllegal,
}

/// How the result of one listener call was dealt with, for one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ConsumeOutcome {
    Succeeded,
    Failed,
}

/// Why a `ProcessQueue` was dropped (spec 04.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum DropReason {
    Rebalance,
    PullExpired,
    NotSubscribed,
    OffsetIllegal,
    OffsetReset,
    Shutdown,
}

/// Why a packet or a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum LossReason {
    Partition,
    Dropped,
    ReceiverGone,
    ConnectionClosed,
}

/// How a client left a broker's tables (spec 01.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum LeaveReason {
    Unregistered,
    ConnectionClosed,
    Idle,
    HeartbeatScan,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Limit {
    Events,
    VirtualTime,
    Messages,
}

/// The fields of a request that the log, the trace and the inspector tell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum RequestDetail {
    None,
    Topic(TopicName),
    Group(GroupName),
    Queue {
        topic: TopicName,
        queue_id: QueueId,
    },
    Pull {
        group: GroupName,
        topic: TopicName,
        queue_id: QueueId,
        offset: QueueOffset,
        max_msg_nums: u32,
        sys_flag: u32,
        commit_offset: QueueOffset,
    },
    Commit {
        group: GroupName,
        topic: TopicName,
        queue_id: QueueId,
        offset: QueueOffset,
    },
    SendBack {
        group: GroupName,
        origin_topic: TopicName,
        physical_offset: PhysicalOffset,
        delay_level: i32,
        max_reconsume_times: i32,
    },
    Send {
        topic: TopicName,
        queue_id: QueueId,
        key: Option<Rc<str>>,
    },
    Queues {
        group: GroupName,
        queues: Rc<[MessageQueue]>,
    },
    HeartBeat {
        groups: Rc<[(GroupName, MessageModel)]>,
    },
}

/// What an answer brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum ResponseDetail {
    None,
    Offset(QueueOffset),
    Members(Rc<[ClientId]>),
    Queues(Rc<[MessageQueue]>),
    Pulled { found: u32, next_offset: QueueOffset },
}
