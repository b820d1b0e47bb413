//! Where in RocketMQ's source a thing happens: `Class.method`.

use crate::sim::event::EventKind;
use crate::sim::packet::RequestCode;

/// The method whose doing the event is.
#[expect(clippy::too_many_lines, reason = "a table of one line for each kind")]
pub const fn source(kind: &EventKind) -> &'static str {
    use EventKind as K;
    match kind {
        K::CommandApplied { .. } | K::CommandRefused { .. } | K::LimitReached { .. } => "",
        K::RequestSent { code, .. } => request(*code),
        K::ResponseSent { .. } => "NettyRemotingAbstract.processRequestCommand",
        K::ResponseReceived { .. } => "NettyRemotingAbstract.processResponseCommand",
        K::CallTimedOut { .. } => "NettyRemotingAbstract.invokeSyncImpl",
        K::CallFailed { .. } => "NettyRemotingClient.invokeSync",
        K::PacketLost { .. }
        | K::PacketRepeated { .. }
        | K::PacketHeld { .. }
        | K::PacketPassed { .. } => "",
        K::ResponseUnmatched { .. } => "NettyRemotingAbstract.processResponseCommand",
        K::ConnectionOpened { .. } => "NettyRemotingClient.createChannel",
        K::ConnectionClosed { .. } => "NettyRemotingClient.closeChannel",
        K::SendAsked { .. } => "DefaultMQProducerImpl.sendDefaultImpl",
        K::SendSucceeded { .. } | K::SendFailed { .. } => "DefaultMQProducerImpl.sendKernelImpl",
        K::BrokerStarted { .. } => "BrokerController.start",
        K::BrokerStopped { .. } => "BrokerController.shutdown",
        K::TopicCreated { .. } => "TopicConfigManager.createTopicInSendMessageMethod",
        K::MessageStored { .. } => "CommitLog.putMessage",
        K::ConsumeQueueAppended { .. } => "ConsumeQueue.putMessagePositionInfo",
        K::PullSuspended { .. } => "PullRequestHoldService.suspendPullRequest",
        K::PullWoken { by_arrival: true, .. } => "PullRequestHoldService.notifyMessageArriving",
        K::PullWoken { by_arrival: false, .. } => "PullRequestHoldService.checkHoldRequest",
        K::OffsetCommitted { .. } => "ConsumerOffsetManager.commitOffset",
        K::ClientRegistered { .. } => "ConsumerManager.registerConsumer",
        K::ClientLeft { .. } => "ConsumerManager.unregisterConsumer",
        K::SubscriptionReplaced { .. } => "ConsumerGroupInfo.updateSubscription",
        K::RetryStored { .. } | K::RetryDiscarded { .. } | K::DeadLettered { .. } => {
            "SendMessageProcessor.consumerSendMsgBack"
        }
        K::DelayElapsed { .. } => "ScheduleMessageService.executeOnTimeup",
        K::QueueLocked { .. } | K::QueueLockRefused { .. } => "RebalanceLockManager.tryLockBatch",
        K::QueueUnlocked { .. } => "RebalanceLockManager.unlockBatch",
        K::ConsumerStarting { .. } | K::ConsumerStarted { .. } | K::StartFailed { .. } => {
            "DefaultMQPushConsumerImpl.start"
        }
        K::StartStepDone { step, .. } => start_step(*step),
        K::ShutdownBegan { .. } | K::ConsumerStopped { .. } => "DefaultMQPushConsumerImpl.shutdown",
        K::ProcessCrashed | K::HostLost | K::Frozen { .. } | K::Resumed => "",
        K::HeartbeatSkipped => "MQClientInstance.sendHeartbeatToAllBrokerWithLock",
        K::RouteChanged { .. } => "MQClientInstance.updateTopicRouteInfoFromNameServer",
        K::RebalanceBegan | K::RebalanceEnded { .. } => "RebalanceService.run",
        K::Allocated { .. } => "RebalanceImpl.rebalanceByTopic",
        K::QueueAssigned { .. } => "RebalanceImpl.updateProcessQueueTableInRebalance",
        K::QueueDropped { .. } | K::QueueReleased { .. } => {
            "RebalancePushImpl.removeUnnecessaryMessageQueue"
        }
        K::PullPostponed { .. } | K::PullRequestEnded { .. } => {
            "DefaultMQPushConsumerImpl.pullMessage"
        }
        K::PullAnswered { .. } => "PullCallback.onSuccess",
        K::MessagesCached { .. } => "ProcessQueue.putMessage",
        K::ConsumeRequestQueued { .. } => "ConsumeMessageConcurrentlyService.submitConsumeRequest",
        K::ConsumeStarted { .. } | K::ConsumeEnded { .. } => "ConsumeRequest.run",
        K::ListenerInterrupted { .. } => "ThreadPoolExecutor.shutdownNow",
        K::ResultIgnored { .. } => "ConsumeRequest.run",
        K::MessagesRemoved { .. } => "ProcessQueue.removeMessage",
        K::SentBack { .. } | K::SendBackFailed { .. } => {
            "DefaultMQPushConsumerImpl.sendMessageBack"
        }
        K::LocalRetryScheduled { .. } => {
            "ConsumeMessageConcurrentlyService.submitConsumeRequestLater"
        }
        K::FailureDropped { .. } => "ConsumeMessageConcurrentlyService.processConsumeResult",
        K::ExpiredSentBack { .. } | K::CleanerDied { .. } => "ProcessQueue.cleanExpiredMsg",
        K::QueueSuspended { .. } => "ConsumeMessageOrderlyService.submitConsumeRequestLater",
        K::OrderlyDeadLetterSent { .. } => "ConsumeMessageOrderlyService.sendMessageBack",
        K::OffsetMoved { .. } => "RemoteBrokerOffsetStore.updateOffset",
        K::LockBelieved { .. } => "RebalanceImpl.lock",
        K::OffsetReset { .. } => "MQClientInstance.resetOffset",
    }
}

/// The method that sends a request.
pub const fn request(code: RequestCode) -> &'static str {
    match code {
        RequestCode::SendMessageV2 => "MQClientAPIImpl.sendMessage",
        RequestCode::PullMessage => "PullAPIWrapper.pullKernelImpl",
        RequestCode::QueryConsumerOffset => "RemoteBrokerOffsetStore.readOffset",
        RequestCode::UpdateConsumerOffset => "RemoteBrokerOffsetStore.persistAll",
        RequestCode::SearchOffsetByTimestamp => "MQAdminImpl.searchOffset",
        RequestCode::GetMaxOffset => "MQAdminImpl.maxOffset",
        RequestCode::HeartBeat => "MQClientInstance.sendHeartbeatToAllBroker",
        RequestCode::UnregisterClient => "MQClientInstance.unregisterClient",
        RequestCode::ConsumerSendMsgBack => "MQClientAPIImpl.consumerSendMessageBack",
        RequestCode::GetConsumerListByGroup => "MQClientInstance.findConsumerIdList",
        RequestCode::NotifyConsumerIdsChanged => "Broker2Client.notifyConsumerIdsChanged",
        RequestCode::LockBatchMq => "MQClientAPIImpl.lockBatchMQ",
        RequestCode::UnlockBatchMq => "MQClientAPIImpl.unlockBatchMQ",
        RequestCode::RegisterBroker => "BrokerOuterAPI.registerBrokerAll",
        RequestCode::GetRouteInfoByTopic => "MQClientAPIImpl.getTopicRouteInfoFromNameServer",
        RequestCode::ResetConsumerClientOffset => "Broker2Client.resetOffset",
        RequestCode::GetAllConsumerOffset => "SlaveSynchronize.syncAll",
        RequestCode::HaReportOffset | RequestCode::HaTransfer => "HAConnection.run",
    }
}

/// The steps of `DefaultMQPushConsumerImpl.start()` (spec 02.2).
pub const fn start_step(step: u8) -> &'static str {
    match step {
        2 => "DefaultMQPushConsumerImpl.checkConfig",
        3 => "DefaultMQPushConsumerImpl.copySubscription",
        4 => "ClientConfig.changeInstanceNameToPID",
        5 => "MQClientManager.getAndCreateMQClientInstance",
        6 => "RebalanceImpl.setConsumerGroup",
        7 => "OffsetStore.load",
        8 => "ConsumeMessageService.start",
        9 => "MQClientInstance.registerConsumer",
        10 => "MQClientInstance.start",
        12 => "DefaultMQPushConsumerImpl.updateTopicSubscribeInfoWhenSubscriptionChanged",
        13 => "MQClientInstance.checkClientInBroker",
        14 => "MQClientInstance.sendHeartbeatToAllBrokerWithLock",
        15 => "MQClientInstance.rebalanceImmediately",
        _ => "DefaultMQPushConsumerImpl.start",
    }
}
