//! Numbers of POP consumption and of the timer wheel, 5.x only (spec 10). Not modelled yet; they
//! stand here so that the table is whole.

use super::super::profile::Profile;
use super::super::time::Millis;
use super::{Constant, ConstantValue, constants, ms};

constants! {
    /// Source: `DefaultMQPushConsumer.popInvisibleTime`.
    pop_invisible_time -> Option<Millis> { V42: None, V49: None, V53: Some(ms(60_000)) }

    /// Source: `DefaultMQPushConsumer.popBatchNums`.
    pop_batch_nums -> Option<u32> { V42: None, V49: None, V53: Some(32) }

    /// Source: `DefaultMQPushConsumer.popThresholdForQueue`.
    pop_threshold_for_queue -> Option<u32> { V42: None, V49: None, V53: Some(96) }

    /// Source: `BrokerConfig.reviveQueueNum`.
    revive_queue_num -> Option<u32> { V42: None, V49: None, V53: Some(8) }

    /// Source: `BrokerConfig.reviveInterval`.
    revive_interval -> Option<Millis> { V42: None, V49: None, V53: Some(ms(1_000)) }

    /// Source: `PopReviveService`, `PopAckConstants.ackTimeInterval` and 1 s.
    revive_slack -> Option<Millis> { V42: None, V49: None, V53: Some(ms(2_000)) }

    /// Source: `MessageStoreConfig.timerPrecisionMs`.
    timer_precision -> Option<Millis> { V42: None, V49: None, V53: Some(ms(1_000)) }

    /// Three days. Source: `MessageStoreConfig.timerMaxDelaySec`.
    timer_max_delay -> Option<Millis> {
        V42: None, V49: None, V53: Some(Millis::from_seconds(259_200))
    }

    /// Two days. Source: `MessageStoreConfig.timerRollWindowSlot`.
    timer_roll_window -> Option<Millis> {
        V42: None, V49: None, V53: Some(Millis::from_seconds(172_800))
    }
}
