//! What a client puts on the agenda: its timers and its threads.
//!
//! A task of `scheduleAtFixedRate` says when it was `due`: a late execution (the process was frozen)
//! does not shift those after it (spec 00.3). Where a consumer may have been replaced by a new one of
//! its group, `chain` names the consumer whose timer it is.

use serde::Serialize;

use crate::model::consume::ConsumeRequest;
use crate::model::ids::{CallId, GroupName, ProcessQueueId};
use crate::model::message_queue::MessageQueue;
use crate::model::offset::QueueOffset;
use crate::model::pull::PullRequest;
use crate::model::time::Millis;
use crate::sim::packet::Machine;

use super::factory::FactoryJob;
use super::shutdown::ShutdownStage;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum ClientTask {
    /// The next step of a consumer's start().
    StartStep { group: GroupName },
    /// The next step of a consumer's shutdown().
    ShutdownStep { group: GroupName, stage: ShutdownStage },
    /// One of the fixed-rate tasks of MQClientFactoryScheduledThread comes due.
    FactoryTick { job: FactoryJob, due: Millis },
    /// That thread takes up its next job.
    FactoryRun,
    /// The rebalance service wakes: by its timer, or because it was notified. A wait that ended
    /// otherwise leaves its wake-up behind if the process was frozen; `wait` tells them apart.
    RebalanceWake { wait: u64 },
    /// `rebalanceLater(500)`: a wake-up after a refused lock (since 5.0.0).
    RebalanceLater,
    /// The rebalance thread goes on with the next topic of its pass.
    RebalanceNext,
    /// The pull service takes the next request from its queue.
    PullNext,
    /// A pull request comes back after a delay.
    PullLater(Box<PullRequest>),
    /// The repair after OFFSET_ILLEGAL (spec 03.5).
    RepairOffset {
        group: GroupName,
        queue: MessageQueue,
        process_queue: ProcessQueueId,
        offset: QueueOffset,
    },
    /// The second half of a client-side offset reset (spec 03.7).
    FinishReset { group: GroupName, offsets: Vec<(MessageQueue, QueueOffset)> },
    /// A thread of the consume pool takes up its request.
    RunConsumeRequest { group: GroupName, thread: u32 },
    /// A listener call returns.
    ListenerEnds { group: GroupName, thread: u32, token: u64 },
    /// Failed send-backs are submitted again (5 s), or a refused submission is.
    SubmitLater { group: GroupName, request: Box<ConsumeRequest> },
    /// cleanExpireMsg's turn (spec 04.3).
    CleanExpired { group: GroupName, chain: u64, due: Millis },
    /// lockMQPeriodically's turn (spec 06.4).
    LockPeriodically { group: GroupName, chain: u64, due: Millis },
    /// tryLockLaterAndReconsume's turn (spec 06.5).
    TryLockLater { group: GroupName, queue: MessageQueue, process_queue: ProcessQueueId },
    /// The scheduled thread of the consume service takes up its next job.
    ConsumeScheduledRun { group: GroupName },
    /// UNLOCK_BATCH_MQ, 20 s after a queue with cached messages was given up (spec 02.4.3).
    UnlockLater { group: GroupName, queue: MessageQueue },
    /// The rebalance thread waited long enough for the consume lock.
    ConsumeLockTimedOut { token: u64 },
    /// A synchronous call has waited its time.
    CallTimeout { call: CallId },
    /// The scan for asynchronous calls that have waited their time (each second).
    ScanCalls,
    /// A connection to a broker became active (since 5.2.0 that sends a heartbeat).
    ChannelActive { machine: Machine },
    /// The next message of a SendMessages command.
    SendNext { batch: u64 },
}
