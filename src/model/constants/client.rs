//! Numbers of a client process: its timers, rebalance, connections, and the producer.

use super::super::profile::Profile;
use super::super::time::Millis;
use super::{Constant, ConstantValue, constants, ms};

constants! {
    /// Longest pause between two rebalance passes.
    ///
    /// Source: `RebalanceService.waitInterval` (`rocketmq.client.rebalance.waitInterval`).
    rebalance_wait_interval -> Millis { ms(20_000) }

    /// Shortest pause between two rebalance passes, and the pause after one that left a topic
    /// unbalanced. Since 5.2.0.
    ///
    /// Source: `RebalanceService.minInterval` (`rocketmq.client.rebalance.minInterval`).
    rebalance_min_interval -> Option<Millis> { V42: None, V49: None, V53: Some(ms(1_000)) }

    /// A pass that was refused a lock wakes the next one after this. Since 5.0.0; since 5.2.0 the
    /// wake-up falls inside `rebalance_min_interval`, so in effect 1 000 (spec 02.3).
    ///
    /// Source: `RebalanceImpl.updateProcessQueueTableInRebalance`, `MQClientInstance.rebalanceLater(500)`.
    rebalance_later_delay -> Option<Millis> { V42: None, V49: None, V53: Some(ms(500)) }

    /// A topic without known route or member list is looked at again after this: it waits for the
    /// next ordinary pass; since 5.2.0 because it counts as balanced (spec 02.3).
    ///
    /// Source: `RebalanceImpl.rebalanceByTopic`.
    rebalance_unknown_route_interval -> Millis { ms(20_000) }

    /// How long a shutdown waits for running listeners before it interrupts them; then it waits the
    /// same once more. None until 4.7.0: no waiting, listeners run on.
    ///
    /// Source: `DefaultMQPushConsumer.awaitTerminationMillisWhenShutdown`.
    await_termination_when_shutdown -> Option<Millis> {
        V42: None, V49: Some(ms(0)), V53: Some(ms(0))
    }

    /// A newly assigned queue's first pull request waits this long. Since 5.0.0.
    ///
    /// Source: `RebalanceImpl.updateProcessQueueTableInRebalance`, `dispatchPullRequest(…, 500)`.
    first_pull_dispatch_delay -> Millis { V42: ms(0), V49: ms(0), V53: ms(500) }

    /// Source: `MQClientInstance.startScheduledTask`, `ClientConfig.pollNameServerInterval`.
    poll_name_server_initial_delay -> Millis { ms(10) }

    /// Source: `ClientConfig.pollNameServerInterval`.
    poll_name_server_interval -> Millis { ms(30_000) }

    /// Source: `MQClientInstance.startScheduledTask`.
    heartbeat_broker_initial_delay -> Millis { ms(1_000) }

    /// Source: `ClientConfig.heartbeatBrokerInterval`.
    heartbeat_broker_interval -> Millis { ms(30_000) }

    /// Since 5.1.4 a timed-out synchronous request closes the connection only if, when it was sent,
    /// more than this or more than a quarter of its time-out was left (spec 09.6).
    ///
    /// Source: `NettyRemotingClient.invokeSync`, `MIN_CLOSE_TIMEOUT_MILLIS`.
    close_socket_min_time_left -> Option<Millis> { V42: None, V49: None, V53: Some(ms(100)) }

    /// The other half of that condition: time left > time-out / this.
    ///
    /// Source: `NettyRemotingClient.invokeSync`.
    close_socket_time_left_divisor -> Option<u32> { V42: None, V49: None, V53: Some(4) }

    /// First scan for requests whose answer is overdue.
    ///
    /// Source: `NettyRemotingClient.start`.
    scan_response_table_initial_delay -> Millis { ms(3_000) }

    /// Source: `NettyRemotingClient.start`.
    scan_response_table_interval -> Millis { ms(1_000) }

    /// A request is overdue this long after its time-out. Only asynchronous ones are found this way.
    ///
    /// Source: `NettyRemotingAbstract.scanResponseTable`.
    scan_response_table_grace -> Millis { ms(1_000) }

    /// Source: `MQClientInstance.startScheduledTask`.
    persist_consumer_offset_initial_delay -> Millis { ms(10_000) }

    /// Source: `ClientConfig.persistConsumerOffsetInterval`.
    persist_consumer_offset_interval -> Millis { ms(5_000) }

    /// Only where no NameServer address is configured.
    ///
    /// Source: `MQClientInstance.startScheduledTask`.
    fetch_name_server_address_initial_delay -> Millis { ms(10_000) }

    /// Source: `MQClientInstance.startScheduledTask`.
    fetch_name_server_address_interval -> Millis { ms(120_000) }

    /// Initial delay and period of a task without effect (spec 02.1).
    ///
    /// Source: `MQClientInstance.startScheduledTask`, `adjustThreadPool`.
    adjust_thread_pool_interval -> Millis { ms(60_000) }

    /// Time-out of a send: of each attempt until 4.2.0, of all attempts together since 4.3.0
    /// (`Rules::send_timeout_is_total`).
    ///
    /// Source: `DefaultMQProducer.sendMsgTimeout`.
    send_msg_timeout -> Millis { ms(3_000) }

    /// Attempts of a synchronous send after the first.
    ///
    /// Source: `DefaultMQProducer.retryTimesWhenSendFailed`.
    retry_times_when_send_failed -> u32 { 2 }

    /// Attempts of an asynchronous send after the first.
    ///
    /// Source: `DefaultMQProducer.retryTimesWhenSendAsyncFailed`.
    retry_times_when_send_async_failed -> u32 { 2 }

    /// Queues that a producer asks for when its first send creates a topic.
    ///
    /// Source: `DefaultMQProducer.defaultTopicQueueNums`.
    default_topic_queue_nums -> u32 { 4 }
}
