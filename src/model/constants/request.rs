//! Time-outs of requests (spec 09.1).

use super::super::profile::Profile;
use super::super::time::Millis;
use super::{Constant, ConstantValue, constants, ms};

constants! {
    /// CONSUMER_SEND_MSG_BACK.
    ///
    /// Source: `DefaultMQPushConsumerImpl.sendMessageBack`.
    send_message_back_timeout -> Millis { ms(5_000) }

    /// LOCK_BATCH_MQ, UNLOCK_BATCH_MQ.
    ///
    /// Source: `RebalanceImpl.lock`, `unlock`, `lockAll`, `unlockAll`.
    lock_batch_timeout -> Millis { ms(1_000) }

    /// QUERY_CONSUMER_OFFSET.
    ///
    /// Source: `RemoteBrokerOffsetStore.fetchConsumeOffsetFromBroker`.
    query_consumer_offset_timeout -> Millis { ms(5_000) }

    /// GET_MAX_OFFSET, GET_MIN_OFFSET.
    ///
    /// Source: `MQAdminImpl.timeoutMillis`.
    get_max_offset_timeout -> Millis { ms(6_000) }

    /// SEARCH_OFFSET_BY_TIMESTAMP.
    ///
    /// Source: `MQAdminImpl.timeoutMillis`.
    search_offset_timeout -> Millis { ms(6_000) }

    /// HEART_BEAT.
    ///
    /// Source: `MQClientInstance.sendHeartbeatToAllBroker`; `ClientConfig.mqClientApiTimeout`.
    heartbeat_timeout -> Millis { ms(3_000) }

    /// UNREGISTER_CLIENT.
    ///
    /// Source: `MQClientInstance.unregisterClient`; `ClientConfig.mqClientApiTimeout`.
    unregister_client_timeout -> Millis { ms(3_000) }

    /// GET_CONSUMER_LIST_BY_GROUP.
    ///
    /// Source: `MQClientInstance.findConsumerIdList`; `ClientConfig.mqClientApiTimeout`.
    get_consumer_list_timeout -> Millis { ms(3_000) }

    /// GET_ROUTEINFO_BY_TOPIC.
    ///
    /// Source: `MQClientInstance.updateTopicRouteInfoFromNameServer`.
    get_route_info_timeout -> Millis { ms(3_000) }

    /// REGISTER_BROKER, UNREGISTER_BROKER.
    ///
    /// Source: `BrokerConfig.registerBrokerTimeoutMills`.
    register_broker_timeout -> Millis { ms(6_000) }
}
