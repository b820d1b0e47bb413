//! Numbers of a push consumer: pulling, consuming, sending back, and the queue lock's client side.

use super::super::profile::Profile;
use super::super::time::Millis;
use super::{Constant, ConstantValue, constants, ms};

constants! {
    /// Pause before a pull is tried again after an exception, an error code or a time-out.
    ///
    /// Source: `DefaultMQPushConsumerImpl.PULL_TIME_DELAY_MILLS_WHEN_EXCEPTION`;
    /// `pullTimeDelayMillsWhenException` since 4.6.0.
    pull_delay_when_exception -> Millis { V42: ms(3_000), V49: ms(1_000), V53: ms(1_000) }

    /// Pause before a pull is tried again when the local window is full.
    ///
    /// Source: `DefaultMQPushConsumerImpl.PULL_TIME_DELAY_MILLS_WHEN_CACHE_FLOW_CONTROL`.
    pull_delay_when_flow_control -> Millis { ms(50) }

    /// Pause after the broker answered FLOW_CONTROL (215). Since 4.9.5 and 5.1.0.
    ///
    /// Source: `DefaultMQPushConsumerImpl.PULL_TIME_DELAY_MILLS_WHEN_BROKER_FLOW_CONTROL`.
    pull_delay_when_broker_flow_control -> Option<Millis> {
        V42: None, V49: Some(ms(20)), V53: Some(ms(20))
    }

    /// Pause before a pull is tried again while the consumer is suspended.
    ///
    /// Source: `DefaultMQPushConsumerImpl.PULL_TIME_DELAY_MILLS_WHEN_SUSPEND`.
    pull_delay_when_suspend -> Millis { ms(1_000) }

    /// How long a broker may hold a push consumer's pull.
    ///
    /// Source: `DefaultMQPushConsumerImpl.BROKER_SUSPEND_MAX_TIME_MILLIS`.
    broker_suspend_max_time -> Millis { ms(15_000) }

    /// The same of `DefaultMQPullConsumer`, which we don't model; articles often quote it.
    ///
    /// Source: `DefaultMQPullConsumer.brokerSuspendMaxTimeMillis`.
    pull_consumer_broker_suspend_max_time -> Millis { ms(20_000) }

    /// Time-out of a pull.
    ///
    /// Source: `DefaultMQPushConsumerImpl.CONSUMER_TIMEOUT_MILLIS_WHEN_SUSPEND`.
    consumer_timeout_when_suspend -> Millis { ms(30_000) }

    /// Messages of one queue in the window beyond which pulling waits.
    ///
    /// Source: `DefaultMQPushConsumer.pullThresholdForQueue`.
    pull_threshold_for_queue -> u32 { 1_000 }

    /// Body bytes of one queue in the window beyond which pulling waits, in MiB.
    ///
    /// Source: `DefaultMQPushConsumer.pullThresholdSizeForQueue`.
    pull_threshold_size_for_queue -> u32 { 100 }

    /// The same for all queues of a topic together; -1: not used.
    ///
    /// Source: `DefaultMQPushConsumer.pullThresholdForTopic`.
    pull_threshold_for_topic -> i32 { -1 }

    /// In MiB; -1: not used.
    ///
    /// Source: `DefaultMQPushConsumer.pullThresholdSizeForTopic`.
    pull_threshold_size_for_topic -> i32 { -1 }

    /// Distance of the largest and smallest offset in the window beyond which a concurrent
    /// consumer's pulling waits.
    ///
    /// Source: `DefaultMQPushConsumer.consumeConcurrentlyMaxSpan`.
    consume_concurrently_max_span -> u32 { 2_000 }

    /// Messages asked for by one pull.
    ///
    /// Source: `DefaultMQPushConsumer.pullBatchSize`.
    pull_batch_size -> u32 { 32 }

    /// Source: `DefaultMQPushConsumer.pullBatchSizeInBytes`, 5.x only.
    pull_batch_size_bytes -> Option<u32> { V42: None, V49: None, V53: Some(262_144) }

    /// Pause between an answer with messages and the next pull.
    ///
    /// Source: `DefaultMQPushConsumer.pullInterval`.
    pull_interval -> Millis { ms(0) }

    /// After OFFSET_ILLEGAL the offset is repaired and the queue given up after this. At once since
    /// 5.2.0.
    ///
    /// Source: `DefaultMQPushConsumerImpl.pullMessage`, `executeTaskLater(…, 10000)`; `executeTask`.
    offset_illegal_repair_delay -> Millis { V42: ms(10_000), V49: ms(10_000), V53: ms(0) }

    /// Pause of the whole consumer in a client-side offset reset.
    ///
    /// Source: `MQClientInstance.resetOffset`.
    reset_offset_pause -> Millis { ms(10_000) }

    /// Threads of a consumer; more are never made (spec 05.1).
    ///
    /// Source: `DefaultMQPushConsumer.consumeThreadMin`.
    consume_thread_min -> u32 { 20 }

    /// Source: `DefaultMQPushConsumer.consumeThreadMax`; 20 since 4.5.1.
    consume_thread_max -> u32 { V42: 64, V49: 20, V53: 20 }

    /// Messages handed to the listener in one call.
    ///
    /// Source: `DefaultMQPushConsumer.consumeMessageBatchMaxSize`.
    consume_message_batch_max_size -> u32 { 1 }

    /// Age at which a running call counts as expired, in minutes; also the pause between two
    /// clean-ups.
    ///
    /// Source: `DefaultMQPushConsumer.consumeTimeout`.
    consume_timeout_minutes -> u32 { 15 }

    /// Entries that one clean-up of a window sends back at most.
    ///
    /// Source: `ProcessQueue.cleanExpiredMsg`.
    clean_expired_batch -> u32 { 16 }

    /// Delay level of an expired message's copy.
    ///
    /// Source: `ProcessQueue.cleanExpiredMsg`.
    clean_expired_delay_level -> i32 { 3 }

    /// What maxReconsumeTimes = -1 means to a concurrent consumer.
    ///
    /// Source: `DefaultMQPushConsumerImpl.getMaxReconsumeTimes`.
    max_reconsume_times_concurrently -> i32 { 16 }

    /// What maxReconsumeTimes = -1 means to an orderly consumer: for ever.
    ///
    /// Source: `ConsumeMessageOrderlyService.getMaxReconsumeTimes`.
    max_reconsume_times_orderly -> i32 { i32::MAX }

    /// Pause before a message that could not be sent back is tried again locally.
    ///
    /// Source: `ConsumeMessageConcurrentlyService.submitConsumeRequestLater`.
    submit_consume_request_later_delay -> Millis { ms(5_000) }

    /// Time between two attempts to get rid of one failed message while every request of it times
    /// out: send-back, fallback sends, local pause (spec 05.5). An upper bound since 4.9.1.
    ///
    /// Source: derived; `DefaultMQPushConsumerImpl.sendMessageBack`.
    send_back_attempt_cycle -> Millis { V42: ms(19_000), V49: ms(13_000), V53: ms(13_000) }

    /// Pause of an orderly queue whose listener suspended it.
    ///
    /// Source: `DefaultMQPushConsumer.suspendCurrentQueueTimeMillis`.
    suspend_current_queue_time -> Millis { ms(1_000) }

    /// Source: `ConsumeMessageOrderlyService.submitConsumeRequestLater`.
    suspend_current_queue_time_min -> Millis { ms(10) }

    /// Source: `ConsumeMessageOrderlyService.submitConsumeRequestLater`.
    suspend_current_queue_time_max -> Millis { ms(30_000) }

    /// An orderly queue gives its thread back after this.
    ///
    /// Source: `ConsumeMessageOrderlyService.MAX_TIME_CONSUME_CONTINUOUSLY`.
    max_time_consume_continuously -> Millis { ms(60_000) }

    /// Source: `ConsumeMessageOrderlyService.start`.
    lock_periodically_initial_delay -> Millis { ms(1_000) }

    /// Source: `ProcessQueue.REBALANCE_LOCK_INTERVAL` (`rocketmq.client.rebalance.lockInterval`).
    rebalance_lock_interval -> Millis { ms(20_000) }

    /// LOCK_BATCH_MQ requests to each broker in that interval. Two since 5.0.0, when the POP orderly
    /// service is started as well (spec 06.4).
    ///
    /// Source: `DefaultMQPushConsumerImpl.start`, `ConsumeMessagePopOrderlyService.start`.
    lock_periodically_requests -> u32 { V42: 1, V49: 1, V53: 2 }

    /// Pause before the lock is asked for again, when it was lost between two messages.
    ///
    /// Source: `ConsumeMessageOrderlyService.ConsumeRequest.run`.
    try_lock_later_in_loop -> Millis { ms(10) }

    /// The same when it was not held at the start.
    ///
    /// Source: `ConsumeMessageOrderlyService.ConsumeRequest.run`.
    try_lock_later_at_start -> Millis { ms(100) }

    /// Pause after that attempt was refused.
    ///
    /// Source: `ConsumeMessageOrderlyService.tryLockLaterAndReconsume`.
    reconsume_later_when_lock_refused -> Millis { ms(3_000) }

    /// Pause after that attempt was granted.
    ///
    /// Source: `ConsumeMessageOrderlyService.tryLockLaterAndReconsume`.
    reconsume_later_when_locked -> Millis { ms(10) }

    /// Age of the last renewal up to which a client believes in its queue lock.
    ///
    /// Source: `ProcessQueue.REBALANCE_LOCK_MAX_LIVE_TIME` (`rocketmq.client.rebalance.lockMaxLiveTime`).
    client_lock_max_live_time -> Millis { ms(30_000) }

    /// How long a rebalance waits for the running listener when it gives an orderly queue up.
    ///
    /// Source: `RebalancePushImpl.removeUnnecessaryMessageQueue`, `tryRemoveOrderMessageQueue`.
    consume_lock_try_time -> Millis { V42: ms(1_000), V49: ms(1_000), V53: ms(500) }

    /// Until 5.1.4: the unlock of a queue with cached messages comes this much later. Since 5.2.0: a
    /// queue whose last renewal is older is given up even while a listener runs.
    ///
    /// Source: `RebalancePushImpl.UNLOCK_DELAY_TIME_MILLS` (`rocketmq.client.unlockDelayTimeMills`).
    unlock_delay_time -> Millis { ms(20_000) }

    /// Age of the last pull beyond which a queue is given up and taken anew.
    ///
    /// Source: `ProcessQueue.PULL_MAX_IDLE_TIME` (`rocketmq.client.pull.pullMaxIdleTime`).
    pull_max_idle_time -> Millis { ms(120_000) }
}
