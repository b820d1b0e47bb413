//! What crosses the network: remote calls in RocketMQ's request codes, and their answers.

use std::rc::Rc;

use serde::Serialize;

use crate::model::config::MessageModel;
use crate::model::ids::{
    BrokerIndex, BrokerName, CallId, ClientId, ConnectionId, GroupName, ProcessIndex, QueueId,
    SubVersion, TopicName,
};
use crate::model::message::{NewMessage, StoredMessage};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::{PhysicalOffset, QueueOffset};
use crate::model::profile::Profile;
use crate::model::subscription::SubscriptionData;
use crate::model::time::Millis;
use crate::model::topic::TopicConfig;

/// A process that can send and receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Machine {
    /// Name servers are numbered from 0.
    NameServer(u8),
    Broker(BrokerIndex),
    Client(ProcessIndex),
}

/// `RequestCode` (spec 09.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, serde::Deserialize)]
pub enum RequestCode {
    SendMessageV2,
    PullMessage,
    QueryConsumerOffset,
    UpdateConsumerOffset,
    SearchOffsetByTimestamp,
    GetMaxOffset,
    HeartBeat,
    UnregisterClient,
    ConsumerSendMsgBack,
    GetConsumerListByGroup,
    NotifyConsumerIdsChanged,
    LockBatchMq,
    UnlockBatchMq,
    RegisterBroker,
    GetRouteInfoByTopic,
    ResetConsumerClientOffset,
    GetAllConsumerOffset,
    /// Replication: not RocketMQ's remoting but a protocol of its own, without codes.
    HaReportOffset,
    HaTransfer,
}

impl RequestCode {
    /// Those that have a number.
    pub const ALL: [RequestCode; 17] = [
        RequestCode::SendMessageV2,
        RequestCode::PullMessage,
        RequestCode::QueryConsumerOffset,
        RequestCode::UpdateConsumerOffset,
        RequestCode::SearchOffsetByTimestamp,
        RequestCode::GetMaxOffset,
        RequestCode::HeartBeat,
        RequestCode::UnregisterClient,
        RequestCode::ConsumerSendMsgBack,
        RequestCode::GetConsumerListByGroup,
        RequestCode::NotifyConsumerIdsChanged,
        RequestCode::LockBatchMq,
        RequestCode::UnlockBatchMq,
        RequestCode::RegisterBroker,
        RequestCode::GetRouteInfoByTopic,
        RequestCode::ResetConsumerClientOffset,
        RequestCode::GetAllConsumerOffset,
    ];

    /// The number on the wire.
    pub const fn number(self) -> u16 {
        match self {
            RequestCode::SendMessageV2 => 310,
            RequestCode::PullMessage => 11,
            RequestCode::QueryConsumerOffset => 14,
            RequestCode::UpdateConsumerOffset => 15,
            RequestCode::SearchOffsetByTimestamp => 29,
            RequestCode::GetMaxOffset => 30,
            RequestCode::HeartBeat => 34,
            RequestCode::UnregisterClient => 35,
            RequestCode::ConsumerSendMsgBack => 36,
            RequestCode::GetConsumerListByGroup => 38,
            RequestCode::NotifyConsumerIdsChanged => 40,
            RequestCode::LockBatchMq => 41,
            RequestCode::UnlockBatchMq => 42,
            RequestCode::RegisterBroker => 103,
            RequestCode::GetRouteInfoByTopic => 105,
            RequestCode::ResetConsumerClientOffset => 220,
            RequestCode::GetAllConsumerOffset => 43,
            RequestCode::HaReportOffset | RequestCode::HaTransfer => 0,
        }
    }

    /// The constant's name in `RequestCode.java`; 105 was misspelled in 4.2.0.
    pub const fn name(self, profile: Profile) -> &'static str {
        match self {
            RequestCode::SendMessageV2 => "SEND_MESSAGE_V2",
            RequestCode::PullMessage => "PULL_MESSAGE",
            RequestCode::QueryConsumerOffset => "QUERY_CONSUMER_OFFSET",
            RequestCode::UpdateConsumerOffset => "UPDATE_CONSUMER_OFFSET",
            RequestCode::SearchOffsetByTimestamp => "SEARCH_OFFSET_BY_TIMESTAMP",
            RequestCode::GetMaxOffset => "GET_MAX_OFFSET",
            RequestCode::HeartBeat => "HEART_BEAT",
            RequestCode::UnregisterClient => "UNREGISTER_CLIENT",
            RequestCode::ConsumerSendMsgBack => "CONSUMER_SEND_MSG_BACK",
            RequestCode::GetConsumerListByGroup => "GET_CONSUMER_LIST_BY_GROUP",
            RequestCode::NotifyConsumerIdsChanged => "NOTIFY_CONSUMER_IDS_CHANGED",
            RequestCode::LockBatchMq => "LOCK_BATCH_MQ",
            RequestCode::UnlockBatchMq => "UNLOCK_BATCH_MQ",
            RequestCode::RegisterBroker => "REGISTER_BROKER",
            RequestCode::GetRouteInfoByTopic => match profile {
                Profile::V42 => "GET_ROUTEINTO_BY_TOPIC",
                Profile::V49 | Profile::V53 => "GET_ROUTEINFO_BY_TOPIC",
            },
            RequestCode::ResetConsumerClientOffset => "RESET_CONSUMER_CLIENT_OFFSET",
            RequestCode::GetAllConsumerOffset => "GET_ALL_CONSUMER_OFFSET",
            RequestCode::HaReportOffset => "HA report",
            RequestCode::HaTransfer => "HA transfer",
        }
    }
}

/// `ResponseCode` (spec 09.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ResponseCode {
    Success,
    SystemError,
    SystemBusy,
    FlushDiskTimeout,
    NoPermission,
    TopicNotExist,
    PullNotFound,
    PullRetryImmediately,
    PullOffsetMoved,
    QueryNotFound,
    SubscriptionNotExist,
    SubscriptionNotLatest,
    SubscriptionGroupNotExist,
    InvalidParameter,
}

impl ResponseCode {
    pub const fn number(self) -> u16 {
        match self {
            ResponseCode::Success => 0,
            ResponseCode::SystemError => 1,
            ResponseCode::SystemBusy => 2,
            ResponseCode::FlushDiskTimeout => 10,
            ResponseCode::NoPermission => 16,
            ResponseCode::TopicNotExist => 17,
            ResponseCode::PullNotFound => 19,
            ResponseCode::PullRetryImmediately => 20,
            ResponseCode::PullOffsetMoved => 21,
            ResponseCode::QueryNotFound => 22,
            ResponseCode::SubscriptionNotExist => 24,
            ResponseCode::SubscriptionNotLatest => 25,
            ResponseCode::SubscriptionGroupNotExist => 26,
            ResponseCode::InvalidParameter => 29,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            ResponseCode::Success => "SUCCESS",
            ResponseCode::SystemError => "SYSTEM_ERROR",
            ResponseCode::SystemBusy => "SYSTEM_BUSY",
            ResponseCode::FlushDiskTimeout => "FLUSH_DISK_TIMEOUT",
            ResponseCode::NoPermission => "NO_PERMISSION",
            ResponseCode::TopicNotExist => "TOPIC_NOT_EXIST",
            ResponseCode::PullNotFound => "PULL_NOT_FOUND",
            ResponseCode::PullRetryImmediately => "PULL_RETRY_IMMEDIATELY",
            ResponseCode::PullOffsetMoved => "PULL_OFFSET_MOVED",
            ResponseCode::QueryNotFound => "QUERY_NOT_FOUND",
            ResponseCode::SubscriptionNotExist => "SUBSCRIPTION_NOT_EXIST",
            ResponseCode::SubscriptionNotLatest => "SUBSCRIPTION_NOT_LATEST",
            ResponseCode::SubscriptionGroupNotExist => "SUBSCRIPTION_GROUP_NOT_EXIST",
            ResponseCode::InvalidParameter => "INVALID_PARAMETER",
        }
    }
}

/// One group of a heartbeat (`ConsumerData`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ConsumerData {
    pub group: GroupName,
    pub message_model: MessageModel,
    pub subscriptions: Vec<(TopicName, SubscriptionData)>,
}

/// PULL_MESSAGE's fields (spec 01.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PullRequestHeader {
    pub group: GroupName,
    pub topic: TopicName,
    pub queue_id: QueueId,
    pub queue_offset: QueueOffset,
    pub max_msg_nums: u32,
    /// FLAG_COMMIT_OFFSET.
    pub commits_offset: bool,
    /// FLAG_SUSPEND.
    pub may_suspend: bool,
    /// FLAG_SUBSCRIPTION: the request carries its own subscription (`postSubscriptionWhenPull`).
    pub subscription: Option<SubscriptionData>,
    pub commit_offset: QueueOffset,
    pub suspend_timeout: Millis,
    pub sub_version: SubVersion,
}

impl PullRequestHeader {
    /// The bits as on the wire: 1 commit, 2 suspend, 4 subscription.
    pub fn sys_flag(&self) -> u32 {
        u32::from(self.commits_offset)
            | u32::from(self.may_suspend) << 1
            | u32::from(self.subscription.is_some()) << 2
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Request {
    SendMessage {
        producer_group: GroupName,
        message: NewMessage,
        /// Header fields of a plain send to a retry topic (spec 05.5).
        reconsume_times: Option<i32>,
        max_reconsume_times: Option<i32>,
        /// `defaultTopicQueueNums` for an auto-created topic.
        default_topic_queue_nums: u32,
    },
    PullMessage(PullRequestHeader),
    QueryConsumerOffset {
        group: GroupName,
        topic: TopicName,
        queue_id: QueueId,
    },
    UpdateConsumerOffset {
        group: GroupName,
        topic: TopicName,
        queue_id: QueueId,
        commit_offset: QueueOffset,
    },
    SearchOffsetByTimestamp {
        topic: TopicName,
        queue_id: QueueId,
        timestamp: Millis,
    },
    GetMaxOffset {
        topic: TopicName,
        queue_id: QueueId,
    },
    HeartBeat {
        client_id: ClientId,
        consumers: Vec<ConsumerData>,
        producers: Vec<GroupName>,
    },
    UnregisterClient {
        client_id: ClientId,
        consumer_group: Option<GroupName>,
        producer_group: Option<GroupName>,
    },
    ConsumerSendMsgBack {
        group: GroupName,
        origin_topic: TopicName,
        physical_offset: PhysicalOffset,
        delay_level: i32,
        max_reconsume_times: i32,
    },
    GetConsumerListByGroup {
        group: GroupName,
    },
    NotifyConsumerIdsChanged {
        group: GroupName,
    },
    LockBatchMq {
        group: GroupName,
        client_id: ClientId,
        queues: Vec<MessageQueue>,
    },
    UnlockBatchMq {
        group: GroupName,
        client_id: ClientId,
        queues: Vec<MessageQueue>,
    },
    RegisterBroker(BrokerRegistration),
    GetRouteInfoByTopic {
        topic: TopicName,
    },
    ResetConsumerClientOffset {
        group: GroupName,
        topic: TopicName,
        offsets: Vec<(MessageQueue, QueueOffset)>,
    },
    /// A slave asks its master for topic configs, offsets and delay progress (spec 01.8).
    GetAllConsumerOffset,
    /// A slave tells its master how many records its commit log has.
    HaReportOffset {
        records: u64,
    },
    /// A master sends records on.
    HaTransfer {
        records: Vec<Rc<StoredMessage>>,
    },
}

impl Request {
    pub const fn code(&self) -> RequestCode {
        match self {
            Request::SendMessage { .. } => RequestCode::SendMessageV2,
            Request::PullMessage(_) => RequestCode::PullMessage,
            Request::QueryConsumerOffset { .. } => RequestCode::QueryConsumerOffset,
            Request::UpdateConsumerOffset { .. } => RequestCode::UpdateConsumerOffset,
            Request::SearchOffsetByTimestamp { .. } => RequestCode::SearchOffsetByTimestamp,
            Request::GetMaxOffset { .. } => RequestCode::GetMaxOffset,
            Request::HeartBeat { .. } => RequestCode::HeartBeat,
            Request::UnregisterClient { .. } => RequestCode::UnregisterClient,
            Request::ConsumerSendMsgBack { .. } => RequestCode::ConsumerSendMsgBack,
            Request::GetConsumerListByGroup { .. } => RequestCode::GetConsumerListByGroup,
            Request::NotifyConsumerIdsChanged { .. } => RequestCode::NotifyConsumerIdsChanged,
            Request::LockBatchMq { .. } => RequestCode::LockBatchMq,
            Request::UnlockBatchMq { .. } => RequestCode::UnlockBatchMq,
            Request::RegisterBroker(_) => RequestCode::RegisterBroker,
            Request::GetRouteInfoByTopic { .. } => RequestCode::GetRouteInfoByTopic,
            Request::ResetConsumerClientOffset { .. } => RequestCode::ResetConsumerClientOffset,
            Request::GetAllConsumerOffset => RequestCode::GetAllConsumerOffset,
            Request::HaReportOffset { .. } => RequestCode::HaReportOffset,
            Request::HaTransfer { .. } => RequestCode::HaTransfer,
        }
    }

    /// The one queue that the request speaks of, if it speaks of one: topic and queue id.
    pub fn queue(&self) -> Option<(&TopicName, QueueId)> {
        match self {
            Request::PullMessage(header) => Some((&header.topic, header.queue_id)),
            Request::QueryConsumerOffset { topic, queue_id, .. }
            | Request::UpdateConsumerOffset { topic, queue_id, .. }
            | Request::SearchOffsetByTimestamp { topic, queue_id, .. }
            | Request::GetMaxOffset { topic, queue_id } => Some((topic, *queue_id)),
            Request::SendMessage { message, .. } => Some((&message.topic, message.queue_id)),
            _ => None,
        }
    }
}

/// REGISTER_BROKER: what a broker tells each name server (spec 01.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrokerRegistration {
    pub broker_name: BrokerName,
    /// 0 is the master.
    pub broker_id: u32,
    pub address: BrokerIndex,
    pub topics: Vec<(TopicName, TopicConfig)>,
}

/// `TopicRouteData` (spec 01.1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TopicRoute {
    /// By broker name, ascending.
    pub queue_datas: Vec<(BrokerName, TopicConfig)>,
    /// By broker name: broker id (0 = master) and address.
    pub broker_datas: Vec<(BrokerName, Vec<(u32, BrokerIndex)>)>,
}

/// PULL_MESSAGE's answer, for all codes that a `PullResult` can have (spec 01.5.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PullAnswer {
    pub next_begin_offset: QueueOffset,
    pub min_offset: QueueOffset,
    pub max_offset: QueueOffset,
    pub suggest_which_broker_id: u32,
    pub found: Vec<Rc<StoredMessage>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum ResponseBody {
    Empty,
    Pulled(PullAnswer),
    /// SEND_MESSAGE: where it was stored.
    Sent {
        queue_id: QueueId,
        queue_offset: QueueOffset,
        physical_offset: PhysicalOffset,
    },
    Offset(QueueOffset),
    Members(Vec<ClientId>),
    Locked(Vec<MessageQueue>),
    Route {
        topic: TopicName,
        route: TopicRoute,
    },
    /// For a slave: every stored offset and the topic configs of its master.
    AllOffsets {
        offsets: Vec<(GroupName, TopicName, QueueId, QueueOffset)>,
        topics: Vec<(TopicName, TopicConfig)>,
        delay_offsets: Vec<(u32, QueueOffset)>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Response {
    pub code: ResponseCode,
    /// The code of the request that is answered.
    pub of: RequestCode,
    pub body: ResponseBody,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Payload {
    Request {
        request: Request,
        oneway: bool,
    },
    Response(Response),
    /// The other side closed the connection (FIN), or refused to open one.
    ConnectionClosed,
}

/// One thing on the wire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Packet {
    pub call: CallId,
    pub connection: ConnectionId,
    pub from: Machine,
    pub to: Machine,
    pub payload: Payload,
    /// The second of two that a fault of the network made of one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_copy: bool,
}

impl Packet {
    pub const fn new(
        call: CallId,
        connection: ConnectionId,
        from: Machine,
        to: Machine,
        payload: Payload,
    ) -> Packet {
        Packet { call, connection, from, to, payload, is_copy: false }
    }
}
