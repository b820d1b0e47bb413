//! Where a thing stands in RocketMQ's source: classes, codes, properties.

use super::{Desk, SourceRow};
use crate::model::ids::ProcessIndex;
use crate::scene::at_consumer::ProcessState;
use crate::scene::mark::MarkId;
use crate::sim::client::ProcessState as Life;
use crate::sim::packet::RequestCode;

/// Rows for the kind of thing.
pub fn source(mark: &MarkId, desk: &Desk<'_>) -> Vec<SourceRow> {
    let (classes, codes, properties) = match mark {
        MarkId::Consumer(process) => desk.of_consumer(*process),
        mark => of_kind(mark),
    };
    let profile = desk.sight.simulation.engine().profile;
    let classes = classes.iter().map(|class| SourceRow::Class(class));
    let codes = codes
        .iter()
        .map(|code| SourceRow::Code { number: code.number(), name: code.name(profile) });
    let properties = properties.iter().filter_map(|name| {
        let value = desk.property(name)?;
        Some(SourceRow::Property { name, value: value.into() })
    });
    classes.chain(codes).chain(properties).collect()
}

type Kind = (&'static [&'static str], &'static [RequestCode], &'static [&'static str]);

const fn of_kind(mark: &MarkId) -> Kind {
    use RequestCode as C;
    match mark {
        MarkId::NameServer(_) => {
            (&["RouteInfoManager"], &[C::GetRouteInfoByTopic, C::RegisterBroker], &[])
        }
        MarkId::Producer(_) => (&["DefaultMQProducerImpl"], &[C::SendMessageV2], &[]),
        MarkId::Broker(_) => (&["BrokerController"], &[], &[]),
        MarkId::CommitLog(_) => (&["CommitLog", "ReputMessageService"], &[], &[]),
        MarkId::Queue(_) => (&["ConsumeQueue", "PullMessageProcessor"], &[C::PullMessage], &[]),
        MarkId::Copy(_) | MarkId::Message(_) => (
            &["MessageExt", "ConsumeMessageConcurrentlyService"],
            &[C::ConsumerSendMsgBack],
            &["maxReconsumeTimes"],
        ),
        MarkId::DelayLevel { .. } => (&["ScheduleMessageService"], &[], &["messageDelayLevel"]),
        MarkId::DeadLetters(_) => {
            (&["SendMessageProcessor.consumerSendMsgBack"], &[C::ConsumerSendMsgBack], &[])
        }
        MarkId::BrokerLedger(_) => (
            &["ConsumerOffsetManager"],
            &[C::UpdateConsumerOffset, C::QueryConsumerOffset],
            &["flushConsumerOffsetInterval"],
        ),
        MarkId::Lock(_) => (&["RebalanceLockManager"], &[C::LockBatchMq, C::UnlockBatchMq], &[]),
        MarkId::Call(_) => (&["NettyRemotingAbstract"], &[], &[]),
        MarkId::Consumer(_) => (&["DefaultMQPushConsumerImpl", "MQClientInstance"], &[], &[]),
        MarkId::Pull { .. } => (
            &["PullMessageService", "DefaultMQPushConsumerImpl.pullMessage"],
            &[C::PullMessage],
            &[],
        ),
        MarkId::Shelf { .. } => {
            (&["ProcessQueue"], &[], &["pullThresholdForQueue", "consumeConcurrentlyMaxSpan"])
        }
        MarkId::Belief { .. } => (&["ProcessQueue.isLocked", "RebalanceImpl.lockAll"], &[], &[]),
        MarkId::ConsumeRequests(_) | MarkId::Worker { .. } => (
            &["ConsumeMessageConcurrentlyService.ConsumeRequest"],
            &[],
            &["consumeThreadMin", "consumeTimeout"],
        ),
        MarkId::ConsumerLedger(_) => (
            &["RemoteBrokerOffsetStore"],
            &[C::UpdateConsumerOffset],
            &["persistConsumerOffsetInterval"],
        ),
        MarkId::Rebalance(_) => (
            &["RebalanceService", "RebalanceImpl.rebalanceByTopic"],
            &[C::GetConsumerListByGroup, C::NotifyConsumerIdsChanged],
            &[],
        ),
    }
}

impl Desk<'_> {
    /// Of one that has ended, or stands still, what tells the broker so.
    fn of_consumer(&self, process: ProcessIndex) -> Kind {
        let running: Kind = (
            &["DefaultMQPushConsumerImpl", "MQClientInstance.sendHeartbeatToAllBroker"],
            &[RequestCode::HeartBeat],
            &[],
        );
        let Some(consumer) = self.scene.consumer(process) else { return running };
        let life = self.sight.simulation.world().client(process).process_state;
        match (&consumer.state, life) {
            (ProcessState::Frozen { .. }, _) | (_, Life::HostLost) => {
                (&["ConsumerManager.scanNotActiveChannel"], &[], &[])
            }
            (ProcessState::Crashed { .. }, _) => (
                &[
                    "ClientHousekeepingService.onChannelClose",
                    "ConsumerManager.doChannelCloseEvent",
                ],
                &[],
                &[],
            ),
            (ProcessState::Stopped { .. } | ProcessState::Stopping, _) => {
                (&["DefaultMQPushConsumerImpl.shutdown"], &[RequestCode::UnregisterClient], &[])
            }
            (ProcessState::Starting { .. } | ProcessState::Running, _) => running,
        }
    }

    /// A property's value, as it is set now.
    fn property(&self, name: &str) -> Option<String> {
        let world = self.sight.simulation.world();
        let broker = world.brokers.first().map(|broker| &broker.config);
        let group = self.scene.group.as_ref();
        let consumer = group.and_then(|group| {
            world.clients.iter().rev().find_map(|client| client.consumers.get(group))
        });
        let config = consumer.map(|consumer| &consumer.config);
        Some(match name {
            "maxReconsumeTimes" => config?.max_reconsume_times.to_string(),
            "pullThresholdForQueue" => config?.pull_threshold_for_queue.to_string(),
            "consumeConcurrentlyMaxSpan" => config?.consume_concurrently_max_span.to_string(),
            "consumeThreadMin" => config?.consume_thread_min.to_string(),
            "consumeTimeout" => config?.consume_timeout.to_string(),
            "persistConsumerOffsetInterval" => {
                config?.persist_consumer_offset_interval.ms().to_string()
            }
            "flushConsumerOffsetInterval" => {
                broker?.flush_consumer_offset_interval.ms().to_string()
            }
            "messageDelayLevel" => crate::model::delay_level::MESSAGE_DELAY_LEVEL.to_owned(),
            _ => return None,
        })
    }
}
