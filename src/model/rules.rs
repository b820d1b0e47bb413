//! The rules that changed between versions, as switches.
//!
//! A [`Rules`] is what the simulation asks instead of comparing profiles: each field is one change
//! that the specs mark with "since", named so that `true` says what happens. Numbers that changed
//! are in [`super::constants`]. A scenario may later turn a single switch to show what one change
//! does, hence a plain struct.
//!
//! Left out, because the model has nothing that could tell the difference: tasks that survive an
//! exception (4.9.3), `setZeroIfNotFound` (5.0.0; the push consumer does not send it), majority
//! locks (`lockInStrictMode`, off by default), `pid#nanoTime` as a default client id (4.9.0; a scenario
//! names its clients), a start that fails in its last steps (5.x; nothing fails there), requests that fail
//! when the client itself closes their connection (4.3.0; 4.2.0 never closes one), the freeze of a
//! repaired offset (5.x; it is repaired and removed in one task), a thread for each delay level and its
//! progress after each message (4.9.3; a delivery takes no time, and a kill comes between tasks).

use serde::Serialize;

use super::profile::Profile;

/// When QUERY_CONSUMER_OFFSET answers SUCCESS(0) for a queue without a stored offset (spec 01.6).
///
/// Source: `ConsumerManageProcessor.queryConsumerOffset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SuccessZeroRule {
    /// minOffset <= 0, and message 0 not farther behind the log's end than
    /// `accessMessageInMemoryMaxRatio`; an empty or absent queue counts as near.
    WithinMemoryRatio,
    /// minOffset <= 0, and message 0 exists and is in the page cache; an empty or absent queue
    /// answers QUERY_NOT_FOUND. Since 5.1.0.
    InPageCache,
}

/// The switches of one version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rules {
    // Client start, heartbeat, connections.
    /// A new connection to a broker sends a heartbeat and, if that succeeded, wakes the rebalance.
    /// Since 5.2.0. Source: `MQClientInstance` (`enableHeartbeatChannelEventListener`). Spec 02.1.
    pub heartbeat_on_reconnect: bool,
    /// The rebalance at the end of `start()` is woken only if the heartbeat before it was sent.
    /// Since 5.2.0. Source: `DefaultMQPushConsumerImpl.start`. Spec 02.2.
    pub start_rebalance_needs_heartbeat: bool,
    /// `shutdown()` throws waiting requests away and interrupts running listeners. Since 4.7.1.
    /// Source: `ThreadUtils.shutdownGracefully`. Spec 02.2.
    pub shutdown_interrupts_listeners: bool,
    /// A synchronous request that times out closes the connection. Since 4.9.1. Source:
    /// `NettyRemotingClient.invokeSync` (`clientCloseSocketIfTimeout`). Spec 09.6.
    pub close_socket_on_timeout: bool,
    /// … only if enough of the time-out was left when it was sent: `close_socket_min_time_left`,
    /// `close_socket_time_left_divisor`. Since 5.1.4. Spec 09.6.
    pub close_socket_needs_time_left: bool,
    /// Requests waiting on a connection that the broker closes fail at once. Since 5.1.3. Source:
    /// `NettyRemotingClient` (`channelInactive`). Spec 09.6.
    pub broker_close_fails_waiting_requests: bool,

    // Rebalance.
    /// Two passes are at least `rebalance_min_interval` apart, the first one counted from the
    /// service's creation; a pass that left a topic unbalanced is repeated after it. Since 5.2.0.
    /// Source: `RebalanceService.run`. Spec 02.3.
    pub rebalance_has_min_interval: bool,
    /// A refused lock wakes the rebalance after `rebalance_later_delay`. Since 5.0.0. Source:
    /// `RebalanceImpl.updateProcessQueueTableInRebalance`. Spec 02.3.
    pub refused_lock_asks_again_soon: bool,
    /// A topic without known queues runs `messageQueueChanged` with empty sets in each pass (not a
    /// %RETRY% topic). Since 5.0.0. Source: `RebalanceImpl.rebalanceByTopic`. Spec 02.4.1.
    pub unknown_route_counts_as_changed: bool,
    /// The first pull of a new queue waits `first_pull_dispatch_delay`. Since 5.0.0. Source:
    /// `RebalancePushImpl.dispatchPullRequest`. Spec 02.4.2.
    pub first_dispatch_is_delayed: bool,
    /// A `ProcessQueue` made by rebalance starts with locked = true. Since 4.9.5 / 5.0.0. Source:
    /// `RebalanceImpl.updateProcessQueueTableInRebalance`. Spec 06.3.
    pub new_process_queue_is_locked: bool,
    /// An orderly BROADCASTING consumer asks for queue locks. Not in V53. Source:
    /// `RebalanceImpl.rebalanceByTopic`. Spec 06.1.
    pub broadcasting_asks_for_locks: bool,
    /// An orderly queue is given up when no listener runs (or its lock is too old) and unlocked at
    /// once; before, the unlock of a queue with cached messages came 20 s later, and the offset was
    /// persisted only before waiting for the listener. Since 5.2.0. Source:
    /// `RebalancePushImpl.tryRemoveOrderMessageQueue`. Spec 02.4.3.
    pub release_waits_for_listener_only: bool,
    /// `lockAll` and `unlockAll` leave dropped queues out. Since 5.0.0. Source:
    /// `RebalanceImpl.buildProcessQueueTableByBrokerName`. Spec 02.4.3.
    pub lock_all_skips_dropped: bool,
    /// The periodic `lockAll` is sent twice. Since 5.0.0. Source:
    /// `ConsumeMessagePopOrderlyService.start`. Spec 06.4.
    pub lock_all_sent_twice: bool,
    /// MACHINE_ROOM takes the block part of its share from all queues, not only from those of its
    /// rooms. Until 4.7.1. Source: `AllocateMessageQueueByMachineRoom.allocate`. Spec 02.6.
    pub machine_room_indexes_all_queues: bool,
    /// MACHINE_ROOM checks its arguments as the other strategies do. Not in V42. Spec 02.6.
    pub machine_room_checks_arguments: bool,

    // Pull.
    /// The first pull under a lock uses whatever `computePullFromWhere` gave, -1 included. Not in
    /// V53. Source: `DefaultMQPushConsumerImpl.pullMessage`. Spec 03.2.
    pub locked_pull_accepts_failed_offset: bool,
    /// After OFFSET_ILLEGAL the repair runs at once and wakes the rebalance. Since 5.2.0. Source:
    /// `DefaultMQPushConsumerImpl.pullMessage`. Spec 03.5.
    pub offset_illegal_repairs_at_once: bool,
    /// OFFSET_OVERFLOW_BADLY with minOffset 0 corrects to 0, not to maxOffset. Until 4.9.3. Source:
    /// `DefaultMessageStore.getMessage`. Spec 01.5.2.
    pub overflow_badly_goes_to_zero: bool,
    /// A pull of a queue that does not exist is answered INVALID_PARAMETER, not SYSTEM_ERROR. V53.
    /// Spec 01.5.1.
    pub bad_queue_id_is_invalid_parameter: bool,
    /// A slave with slaveReadEnable = false answers pulls. Not in V53. Source:
    /// `PullMessageProcessor.processRequest`. Spec 01.5.6.
    pub slave_serves_pulls: bool,

    // Offsets.
    /// Source: `ConsumerManageProcessor.queryConsumerOffset`. Spec 01.6.
    pub success_zero: SuccessZeroRule,
    /// Any error code of QUERY_CONSUMER_OFFSET reads as "no offset"; since 5.0.0 only
    /// QUERY_NOT_FOUND does. Source: `RemoteBrokerOffsetStore.readOffset`. Spec 07.2.
    pub query_offset_error_means_none: bool,
    /// UPDATE_CONSUMER_OFFSET of an unknown group or topic is refused. V53. Spec 01.6.
    pub unknown_offset_update_is_refused: bool,
    /// A client queries and updates offsets at the master only; before, at a slave while there is no
    /// master. Since 4.9.3. Source: `RemoteBrokerOffsetStore`. Spec 01.8.
    pub offsets_at_master_only: bool,
    /// A broadcasting client's store writes one queue's offset to its file at once (after a repair);
    /// before, only the timer wrote. Since 4.9.8. Source: `LocalFileOffsetStore.persist`. Spec 07.2.
    pub local_store_persists_one: bool,
    /// An offset reset is an entry at the broker, consumed by the next pull of the queue; before,
    /// the clients stop for 10 s. Since 5.1.0, on by default since 5.2.0. Source:
    /// `BrokerConfig.useServerSideResetOffset`. Spec 03.7.
    pub server_side_offset_reset: bool,

    // The window, consuming, sending back.
    /// msgSize becomes 0 when msgCount does. In 4.9.8 and since 5.2.0. Source:
    /// `ProcessQueue.removeMessage`, `commit`. Spec 04.2.
    pub message_size_reset: bool,
    /// A clean-up that meets a message not yet started ends the clean-up for ever. Until 4.9.2.
    /// Source: `ProcessQueue.cleanExpiredMsg`. Spec 04.3.
    pub clean_expired_defect: bool,
    /// A failed message that the clean-up already sent back is sent back again. Until 5.0.0. Source:
    /// `ConsumeMessageConcurrentlyService.processConsumeResult`. Spec 05.4.
    pub expired_then_failed_is_sent_back_again: bool,
    /// An orderly dead letter is sent with RECONSUME_TIME = reconsumeTimes + 1. V53. Source:
    /// `ConsumeMessageOrderlyService.sendMessageBack`. Spec 06.6.
    pub orderly_dead_letter_counts_one_more: bool,

    // The broker's side of a failure.
    /// A plain send to %RETRY% that does not say its maxReconsumeTimes ends in an exception, and nothing is
    /// stored. That is what every attempt after the first is like: the first one has moved the property
    /// into its header. In V42. Source: `SendMessageProcessor.handleRetryAndDLQ`,
    /// `DefaultMQProducerImpl.sendKernelImpl`. [MEASURED: of three timed-out fallback sends to a frozen
    /// broker only the first was stored.]
    pub retry_send_without_max_fails: bool,
    /// A plain send to %RETRY% is a dead letter if its times are > max; before, >= max. Since 5.0.0.
    /// Source: `SendMessageProcessor.handleRetryAndDLQ`. Spec 05.6.2.
    pub fallback_dlq_above_max: bool,
    /// A plain send to %RETRY% of a group with an unexpired queue lock is always a dead letter. Since
    /// 5.1.1. Source: `SendMessageProcessor.handleRetryAndDLQ`. Spec 05.6.2.
    pub locked_group_dead_letters_plain_sends: bool,
    /// A dead letter of CONSUMER_SEND_MSG_BACK gets DELAY 0, so it is not delayed once more. Since
    /// 4.9.2. Source: `AbstractSendMessageProcessor.consumerSendMsgBack`. Spec 05.6.3.
    pub dlq_clears_delay_on_rpc_path: bool,
    /// A dead letter of a plain send gets DELAY -1, so it is not delayed. Since 5.0.0. Source:
    /// `SendMessageProcessor.handleRetryAndDLQ`. Spec 05.6.2.
    pub dlq_clears_delay_on_plain_path: bool,
    /// Every copy that CONSUMER_SEND_MSG_BACK stores carries ORIGIN_MESSAGE_ID; before, not one
    /// stored without delay. Since 4.9.0. Spec 05.6.1.
    pub origin_id_in_every_copy: bool,
    /// %DLQ% topics can be read by consumers. Since 4.9.2. Spec 01.2.
    pub dlq_topic_is_readable: bool,

    // Delay levels.
    /// A level whose head is not due is looked at every 100 ms; before, exactly when due. Since
    /// 4.9.3. Source: `ScheduleMessageService.DeliverDelayedMessageTimerTask.executeOnTimeUp`.
    /// Spec 01.7.
    pub schedule_polls: bool,
    /// A level's progress that lies outside its queue is moved to the queue's end when the broker
    /// starts; before, the level waits until the queue has caught up. Since 4.9.2. Source:
    /// `ScheduleMessageService.correctDelayOffset`.
    pub schedule_progress_is_corrected: bool,

    // Producer.
    /// `sendMsgTimeout` is for all attempts together; before, for each. Since 4.3.0. Source:
    /// `DefaultMQProducerImpl.sendDefaultImpl`. Spec 08.1.
    pub send_timeout_is_total: bool,
    /// With `sendLatencyFaultEnable`, a retry prefers the broker that just failed while it counts as
    /// available. Not in V53. Source: `MQFaultStrategy.selectOneMessageQueue`. Spec 08.4.
    pub latency_retry_prefers_same_broker: bool,
}

impl Rules {
    pub const fn of(profile: Profile) -> Rules {
        // Every change lies between two profiles: after 4.2.0 up to 4.9.8, or after that up to 5.3.3.
        let since_4 = !matches!(profile, Profile::V42);
        let since_5 = matches!(profile, Profile::V53);
        Rules {
            heartbeat_on_reconnect: since_5,
            start_rebalance_needs_heartbeat: since_5,
            shutdown_interrupts_listeners: since_4,
            close_socket_on_timeout: since_4,
            close_socket_needs_time_left: since_5,
            broker_close_fails_waiting_requests: since_5,

            rebalance_has_min_interval: since_5,
            refused_lock_asks_again_soon: since_5,
            unknown_route_counts_as_changed: since_5,
            first_dispatch_is_delayed: since_5,
            new_process_queue_is_locked: since_4,
            broadcasting_asks_for_locks: !since_5,
            release_waits_for_listener_only: since_5,
            lock_all_skips_dropped: since_5,
            lock_all_sent_twice: since_5,
            machine_room_indexes_all_queues: !since_4,
            machine_room_checks_arguments: since_4,

            locked_pull_accepts_failed_offset: !since_5,
            offset_illegal_repairs_at_once: since_5,
            overflow_badly_goes_to_zero: !since_4,
            bad_queue_id_is_invalid_parameter: since_5,
            slave_serves_pulls: !since_5,

            success_zero: if since_5 {
                SuccessZeroRule::InPageCache
            } else {
                SuccessZeroRule::WithinMemoryRatio
            },
            query_offset_error_means_none: !since_5,
            unknown_offset_update_is_refused: since_5,
            offsets_at_master_only: since_4,
            local_store_persists_one: since_4,
            server_side_offset_reset: since_5,

            message_size_reset: since_4,
            clean_expired_defect: !since_4,
            expired_then_failed_is_sent_back_again: !since_5,
            orderly_dead_letter_counts_one_more: since_5,

            retry_send_without_max_fails: !since_4,
            fallback_dlq_above_max: since_5,
            locked_group_dead_letters_plain_sends: since_5,
            dlq_clears_delay_on_rpc_path: since_4,
            dlq_clears_delay_on_plain_path: since_5,
            origin_id_in_every_copy: since_4,
            dlq_topic_is_readable: since_4,

            schedule_polls: since_4,
            schedule_progress_is_corrected: since_4,

            send_timeout_is_total: since_4,
            latency_retry_prefers_same_broker: !since_5,
        }
    }
}
