//! The names of events, as scenario files write them.

use super::event::EventKind;

macro_rules! kinds {
    ($($name:ident)*) => {
        /// The name of every kind of event.
        pub const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// The name of an event's kind: `MessageStored`.
        pub const fn name(kind: &EventKind) -> &'static str {
            match kind {
                $(EventKind::$name { .. } => stringify!($name),)*
            }
        }
    };
}

kinds! {
    CommandApplied CommandRefused
    RequestSent ResponseSent ResponseReceived CallTimedOut CallFailed PacketLost
    PacketRepeated PacketHeld PacketPassed ResponseUnmatched
    ConnectionOpened ConnectionClosed
    SendAsked SendSucceeded SendFailed
    BrokerStarted BrokerStopped TopicCreated MessageStored ConsumeQueueAppended
    PullSuspended PullWoken OffsetCommitted ClientRegistered ClientLeft SubscriptionReplaced
    RetryStored DeadLettered RetryDiscarded DelayElapsed
    QueueLocked QueueLockRefused QueueUnlocked
    ConsumerStarting StartStepDone ConsumerStarted StartFailed ShutdownBegan ConsumerStopped
    ProcessCrashed HostLost Frozen Resumed HeartbeatSkipped RouteChanged
    RebalanceBegan Allocated RebalanceEnded QueueAssigned QueueDropped QueueReleased
    PullPostponed PullRequestEnded PullAnswered MessagesCached
    ConsumeRequestQueued ConsumeStarted ConsumeEnded ListenerInterrupted ResultIgnored
    MessagesRemoved SentBack SendBackFailed LocalRetryScheduled FailureDropped ExpiredSentBack
    CleanerDied QueueSuspended OrderlyDeadLetterSent
    OffsetMoved LockBelieved OffsetReset
    LimitReached
}
