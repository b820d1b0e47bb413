//! Events: the only door out. Each is one fact, in the past tense, with its time, its actor and the
//! earlier events that caused it.

use std::rc::Rc;

use serde::Serialize;

pub use super::causes::Causes;
pub use super::detail::{
    ConsumeOutcome, DropReason, LeaveReason, Limit, LossReason, PullStatus, RequestDetail,
    ResponseDetail,
};
pub use super::timer::{PostponeReason, TimerKind, Trigger};

use super::command::{BrokerStop, CommandError};
use super::packet::{Machine, RequestCode, ResponseCode};
use crate::model::ids::{
    BrokerIndex, CallId, ClientId, ConnectionId, GroupName, ProcessIndex, ProcessQueueId, QueueId,
    TopicName,
};
use crate::model::listener::ListenerResult;
use crate::model::message::StoredMessage;
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::time::Millis;

/// An event's place in the run, from 0.
pub type EventSequence = u32;

/// Who did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Actor {
    /// A person, or the scenario's script, by a command.
    Person,
    Machine(Machine),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    pub sequence: EventSequence,
    pub at: Millis,
    pub actor: Actor,
    pub causes: Causes,
    pub trigger: Trigger,
    /// The task in which it happened: events of one task changed the world together.
    pub task: u64,
    pub kind: EventKind,
}

/// The steps of `DefaultMQPushConsumerImpl.start()` (spec 02.2), by their number there.
pub type StartStep = u8;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum EventKind {
    // --- commands ---
    /// A command was carried out; `index` counts script and interventions in their order.
    CommandApplied {
        index: u32,
    },
    CommandRefused {
        index: u32,
        error: CommandError,
    },

    // --- network ---
    /// A request left its machine. `queue` is the queue that it speaks of.
    RequestSent {
        call: CallId,
        to: Machine,
        code: RequestCode,
        oneway: bool,
        detail: RequestDetail,
    },
    /// An answer left the machine that was asked.
    ResponseSent {
        call: CallId,
        to: Machine,
        of: RequestCode,
        code: ResponseCode,
    },
    /// The answer came to the caller's hand.
    ResponseReceived {
        call: CallId,
        from: Machine,
        of: RequestCode,
        code: ResponseCode,
        detail: ResponseDetail,
    },
    CallTimedOut {
        call: CallId,
        of: RequestCode,
    },
    /// The call failed at once: refused, or its connection closed.
    CallFailed {
        call: CallId,
        of: RequestCode,
    },
    PacketLost {
        call: CallId,
        from: Machine,
        to: Machine,
        code: RequestCode,
        reason: LossReason,
    },
    /// A fault of the network: it arrives a second time.
    PacketRepeated {
        call: CallId,
        from: Machine,
        to: Machine,
        code: RequestCode,
        again_at: Millis,
    },
    /// A fault of the network: it is held back until the next one of its direction has passed it.
    PacketHeld {
        call: CallId,
        from: Machine,
        to: Machine,
        code: RequestCode,
        until: Millis,
    },
    /// ... and the call that has.
    PacketPassed {
        call: CallId,
        from: Machine,
        to: Machine,
        code: RequestCode,
        by: CallId,
    },
    /// An answer came that nobody waits for: it is the second, or the call is over. RocketMQ logs a
    /// warning (`NettyRemotingAbstract.processResponseCommand`) and drops it.
    ResponseUnmatched {
        call: CallId,
        from: Machine,
        of: RequestCode,
        code: ResponseCode,
    },
    ConnectionOpened {
        connection: ConnectionId,
        to: Machine,
    },
    ConnectionClosed {
        connection: ConnectionId,
        with: Machine,
    },

    // --- producer ---
    SendAsked {
        key: Rc<str>,
        topic: TopicName,
    },
    SendSucceeded {
        message: Rc<str>,
        topic: TopicName,
        queue_id: QueueId,
        queue_offset: QueueOffset,
    },
    SendFailed {
        message: Rc<str>,
        topic: TopicName,
    },

    // --- broker ---
    BrokerStarted {
        broker: BrokerIndex,
    },
    BrokerStopped {
        broker: BrokerIndex,
        how: BrokerStop,
    },
    TopicCreated {
        topic: TopicName,
        queues: u32,
    },
    /// A record was appended to the commit log. If it was delayed, its topic is the schedule topic.
    MessageStored {
        message: Rc<StoredMessage>,
    },
    /// The record got its place in a consume queue, and so became visible to pulls.
    ConsumeQueueAppended {
        message: Rc<StoredMessage>,
    },
    PullSuspended {
        call: CallId,
        group: GroupName,
        queue: MessageQueue,
        offset: QueueOffset,
        until: Millis,
    },
    PullWoken {
        call: CallId,
        queue: MessageQueue,
        by_arrival: bool,
    },
    OffsetCommitted {
        group: GroupName,
        queue: MessageQueue,
        from: QueueOffset,
        to: QueueOffset,
        /// Whether a pull carried it, or UPDATE_CONSUMER_OFFSET.
        by_pull: bool,
    },
    ClientRegistered {
        group: GroupName,
        client: ClientId,
        process: ProcessIndex,
    },
    ClientLeft {
        group: GroupName,
        client: ClientId,
        process: ProcessIndex,
        reason: LeaveReason,
    },
    SubscriptionReplaced {
        group: GroupName,
        topic: TopicName,
        sub_version: u64,
    },
    /// CONSUMER_SEND_MSG_BACK decided for another try, at `level`.
    RetryStored {
        group: GroupName,
        origin: Rc<StoredMessage>,
        level: i32,
        reconsume_times: i32,
    },
    /// ... or for the dead letters. `delayed` says that an old DELAY takes it there later.
    DeadLettered {
        group: GroupName,
        origin: Rc<StoredMessage>,
        reconsume_times: i32,
        delayed: bool,
    },
    /// retryQueueNums is 0: answered SUCCESS, and nothing is stored.
    RetryDiscarded {
        group: GroupName,
        origin: Rc<StoredMessage>,
    },
    /// The schedule service took a due message out of its level.
    DelayElapsed {
        level: u32,
        message: Rc<StoredMessage>,
        due: Millis,
    },
    QueueLocked {
        group: GroupName,
        queue: MessageQueue,
        client: ClientId,
        renewed: bool,
    },
    QueueLockRefused {
        group: GroupName,
        queue: MessageQueue,
        client: ClientId,
        owner: ClientId,
    },
    QueueUnlocked {
        group: GroupName,
        queue: MessageQueue,
        client: ClientId,
    },

    // --- client: life ---
    ConsumerStarting {
        group: GroupName,
    },
    StartStepDone {
        group: GroupName,
        step: StartStep,
    },
    ConsumerStarted {
        group: GroupName,
    },
    StartFailed {
        group: GroupName,
        error: CommandError,
    },
    ShutdownBegan {
        group: GroupName,
    },
    ConsumerStopped {
        group: GroupName,
    },
    ProcessCrashed,
    HostLost,
    Frozen {
        until: Option<Millis>,
    },
    Resumed,
    HeartbeatSkipped,
    RouteChanged {
        topic: TopicName,
        queues: u32,
    },

    // --- client: rebalance ---
    RebalanceBegan,
    /// What one client computed for one topic, from its views.
    Allocated {
        group: GroupName,
        topic: TopicName,
        queues: Rc<[MessageQueue]>,
        members: Rc<[ClientId]>,
        mine: Rc<[MessageQueue]>,
    },
    RebalanceEnded {
        balanced: bool,
    },
    QueueAssigned {
        group: GroupName,
        queue: MessageQueue,
        process_queue: ProcessQueueId,
        next_offset: QueueOffset,
    },
    QueueDropped {
        group: GroupName,
        queue: MessageQueue,
        process_queue: ProcessQueueId,
        reason: DropReason,
    },
    QueueReleased {
        group: GroupName,
        queue: MessageQueue,
        process_queue: ProcessQueueId,
    },

    // --- client: pull ---
    PullPostponed {
        group: GroupName,
        queue: MessageQueue,
        reason: PostponeReason,
        until: Millis,
    },
    PullRequestEnded {
        group: GroupName,
        queue: MessageQueue,
    },
    PullAnswered {
        group: GroupName,
        queue: MessageQueue,
        status: PullStatus,
        found: u32,
        /// Left after the client's own tag filter.
        kept: u32,
        next_offset: QueueOffset,
    },
    MessagesCached {
        group: GroupName,
        process_queue: ProcessQueueId,
        queue: MessageQueue,
        first: QueueOffset,
        count: u32,
    },

    // --- client: consume ---
    ConsumeRequestQueued {
        group: GroupName,
        queue: MessageQueue,
        first: QueueOffset,
        count: u32,
    },
    ConsumeStarted {
        group: GroupName,
        client_thread: u32,
        message: Rc<StoredMessage>,
        /// The client's local count; equals the stored one unless a local retry raised it.
        reconsume_times: i32,
        batch: u32,
    },
    ConsumeEnded {
        group: GroupName,
        client_thread: u32,
        message: Rc<StoredMessage>,
        reconsume_times: i32,
        result: ListenerResult,
        outcome: ConsumeOutcome,
        batch: u32,
    },
    ListenerInterrupted {
        group: GroupName,
        client_thread: u32,
    },
    /// A result came after its `ProcessQueue` was dropped; it counts for nothing.
    ResultIgnored {
        group: GroupName,
        queue: MessageQueue,
        first: QueueOffset,
    },
    /// The message left the `ProcessQueue`.
    MessagesRemoved {
        group: GroupName,
        queue: MessageQueue,
        first: QueueOffset,
        count: u32,
    },
    SentBack {
        group: GroupName,
        message: Rc<StoredMessage>,
        by_fallback: bool,
    },
    SendBackFailed {
        group: GroupName,
        message: Rc<StoredMessage>,
    },
    /// Kept locally; tried again after 5 s.
    LocalRetryScheduled {
        group: GroupName,
        message: Rc<StoredMessage>,
        reconsume_times: i32,
        until: Millis,
    },
    /// Broadcasting drops failures (spec 05.4).
    FailureDropped {
        group: GroupName,
        message: Rc<StoredMessage>,
    },
    ExpiredSentBack {
        group: GroupName,
        message: Rc<StoredMessage>,
    },
    CleanerDied {
        group: GroupName,
    },
    /// Orderly: the queue waits before it tries the same message again.
    QueueSuspended {
        group: GroupName,
        queue: MessageQueue,
        until: Millis,
    },
    OrderlyDeadLetterSent {
        group: GroupName,
        message: Rc<StoredMessage>,
    },

    // --- client: offsets and locks ---
    /// The offset in the client's memory moved.
    OffsetMoved {
        group: GroupName,
        queue: MessageQueue,
        from: QueueOffset,
        to: QueueOffset,
    },
    LockBelieved {
        group: GroupName,
        queue: MessageQueue,
        held: bool,
    },
    OffsetReset {
        group: GroupName,
        topic: TopicName,
    },

    LimitReached {
        limit: Limit,
    },
}
