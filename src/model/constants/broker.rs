//! Numbers of brokers and name servers.

use super::super::profile::Profile;
use super::super::time::Millis;
use super::{Constant, ConstantValue, constants, ms};

constants! {
    /// Length of a queue lock's lease; expired when older.
    ///
    /// Source: `RebalanceLockManager.REBALANCE_LOCK_MAX_LIVE_TIME` (`rocketmq.broker.rebalance.lockMaxLiveTime`).
    broker_lock_max_live_time -> Millis { ms(60_000) }

    /// Age of the last heartbeat beyond which a client is taken off its group.
    ///
    /// Source: `ConsumerManager.CHANNEL_EXPIRED_TIMEOUT`.
    channel_expired_timeout -> Millis { ms(120_000) }

    /// Initial delay of the scan for such clients.
    ///
    /// Source: `ClientHousekeepingService.start`.
    channel_scan_initial_delay -> Millis { ms(10_000) }

    /// Source: `ClientHousekeepingService.start`.
    channel_scan_interval -> Millis { ms(10_000) }

    /// A connection without any traffic is closed after this. 120 s.
    ///
    /// Source: `NettyServerConfig.serverChannelMaxIdleTimeSeconds`.
    server_channel_max_idle_time -> Millis { ms(120_000) }

    /// Pause between two looks at the held pulls.
    ///
    /// Source: `PullRequestHoldService.run`, long polling.
    hold_check_interval -> Millis { ms(5_000) }

    /// The same without long polling.
    ///
    /// Source: `BrokerConfig.shortPollingTimeMills`.
    short_polling_time -> Millis { ms(1_000) }

    /// Pause between two looks for commit log records without consume queue entry.
    ///
    /// Source: `DefaultMessageStore.ReputMessageService.run`.
    reput_interval -> Millis { ms(1) }

    /// Source: `BrokerController.initialize`.
    flush_consumer_offset_initial_delay -> Millis { ms(10_000) }

    /// Source: `BrokerConfig.flushConsumerOffsetInterval`.
    flush_consumer_offset_interval -> Millis { ms(5_000) }

    /// Source: `ScheduleMessageService.start`.
    flush_delay_offset_initial_delay -> Millis { ms(10_000) }

    /// Source: `MessageStoreConfig.flushDelayOffsetInterval`.
    flush_delay_offset_interval -> Millis { ms(10_000) }

    /// First look at each delay level after start.
    ///
    /// Source: `ScheduleMessageService.FIRST_DELAY_TIME`.
    schedule_first_delay -> Millis { ms(1_000) }

    /// Pause between two looks at a level with nothing due.
    ///
    /// Source: `ScheduleMessageService.DELAY_FOR_A_WHILE`.
    schedule_delay_for_a_while -> Millis { ms(100) }

    /// Pause after a due message could not be stored. 100 since 4.9.3.
    ///
    /// Source: `ScheduleMessageService.DELAY_FOR_A_PERIOD`; `DELAY_FOR_A_WHILE`.
    schedule_delay_after_put_failure -> Millis { V42: ms(10_000), V49: ms(100), V53: ms(100) }

    /// Pause after an exception.
    ///
    /// Source: `ScheduleMessageService.DELAY_FOR_A_PERIOD`.
    schedule_delay_after_exception -> Millis { ms(10_000) }

    /// Source: `BrokerController.start`.
    register_broker_initial_delay -> Millis { ms(10_000) }

    /// Source: `BrokerController.start`; `BrokerConfig.registerNameServerPeriod`.
    register_broker_interval -> Millis { ms(30_000) }

    /// First time that a slave copies topics, offsets and groups of its master; 3 000 since 4.5.1.
    ///
    /// Source: `BrokerController.initialize`; `handleSlaveSynchronize`.
    slave_sync_initial_delay -> Millis { V42: ms(10_000), V49: ms(3_000), V53: ms(3_000) }

    /// How often; V53 looks every 10 s but copies at most once in this time.
    ///
    /// Source: `BrokerController.initialize`; `handleSlaveSynchronize`.
    slave_sync_interval -> Millis { V42: ms(60_000), V49: ms(10_000), V53: ms(60_000) }

    /// Age of a broker's registration beyond which a name server forgets it.
    ///
    /// Source: `RouteInfoManager.BROKER_CHANNEL_EXPIRED_TIME`.
    broker_channel_expired_time -> Millis { ms(120_000) }

    /// First scan for such brokers. Since 4.9 in milliseconds, not seconds.
    ///
    /// Source: `NamesrvController.initialize`.
    scan_not_active_broker_initial_delay -> Millis { V42: ms(5_000), V49: ms(5), V53: ms(5) }

    /// Source: `NamesrvController.initialize`; `NamesrvConfig.scanNotActiveBrokerInterval`.
    scan_not_active_broker_interval -> Millis { V42: ms(10_000), V49: ms(5_000), V53: ms(5_000) }

    /// Queues of %RETRY%group on each broker.
    ///
    /// Source: `SubscriptionGroupConfig.retryQueueNums`.
    retry_queue_nums -> u32 { 1 }

    /// The group's own maximum of retries; a client of today sends its own (spec 05.6.1).
    ///
    /// Source: `SubscriptionGroupConfig.retryMaxTimes`.
    retry_max_times -> i32 { 16 }

    /// Queues of %DLQ%group on each broker.
    ///
    /// Source: `AbstractSendMessageProcessor.DLQ_NUMS_PER_GROUP`.
    dlq_nums_per_group -> u32 { 1 }

    /// Messages in one answer while they are in memory.
    ///
    /// Source: `MessageStoreConfig.maxTransferCountOnMessageInMemory`.
    max_transfer_count_in_memory -> u32 { 32 }

    /// Source: `MessageStoreConfig.maxTransferBytesOnMessageInMemory`.
    max_transfer_bytes_in_memory -> u32 { 262_144 }

    /// Messages in one answer while they are on disk.
    ///
    /// Source: `MessageStoreConfig.maxTransferCountOnMessageInDisk`.
    max_transfer_count_on_disk -> u32 { 8 }

    /// Source: `MessageStoreConfig.maxTransferBytesOnMessageInDisk`.
    max_transfer_bytes_on_disk -> u32 { 65_536 }

    /// Consume queue bytes that one pull scans at least; more if it asks for more than 800 messages
    /// ([`filter_scan_entries_max`]).
    ///
    /// Source: `DefaultMessageStore.getMessage`, `maxFilterMessageCount`; `MessageStoreConfig.maxFilterMessageSize`.
    max_filter_message_bytes -> u32 { 16_000 }

    /// Bytes of one consume queue entry.
    ///
    /// Source: `ConsumeQueue.CQ_STORE_UNIT_SIZE`.
    consume_queue_entry_bytes -> u32 { 20 }

    /// Share of the physical memory, in percent, that the newest messages may take and count as "in
    /// memory".
    ///
    /// Source: `MessageStoreConfig.accessMessageInMemoryMaxRatio`.
    access_message_in_memory_max_ratio -> u32 { 40 }

    /// Queues of `TBW102`, the template of topics made by a send.
    ///
    /// Source: `BrokerConfig.defaultTopicQueueNums`.
    auto_create_topic_queue_nums -> u32 { 8 }
}

/// Consume queue entries that one pull scans at most: `max(16000, 20 n) / 20`.
///
/// Source: `DefaultMessageStore.getMessage`.
pub const fn filter_scan_entries_max(profile: Profile, max_message_nums: u32) -> u32 {
    let least = max_filter_message_bytes(profile) / consume_queue_entry_bytes(profile);
    if max_message_nums > least { max_message_nums } else { least }
}
