//! `DefaultMQProducer`'s properties.

use super::{DAY, Property, flag, millis, number};
use crate::model::config::ProducerConfig;

pub const PRODUCER: &[Property<ProducerConfig>] = &[
    millis!("sendMsgTimeout", 1..=DAY, send_msg_timeout),
    number!("retryTimesWhenSendFailed", "", 0..=100, retry_times_when_send_failed: u32),
    number!("retryTimesWhenSendAsyncFailed", "", 0..=100, retry_times_when_send_async_failed: u32),
    number!("defaultTopicQueueNums", "", 1..=1_024, default_topic_queue_nums: u32),
    flag!("sendLatencyFaultEnable", send_latency_fault_enable),
];
