//! When an invariant is asked, and what tells that it is no longer.

use crate::sim::event::{EventKind, LeaveReason};

/// When an invariant holds (spec 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Always, faults included.
    Always,
    /// Always, faults included, where each packet arrives once and in order. Spec 12 counts on TCP, whose
    /// connections neither repeat nor reorder; what has this scope rests on it.
    OnceInOrder,
    /// Only in a run without crash, partition, loss or pause.
    WithoutFaults,
    /// Not a promise: what is found is worth a look (B14).
    Hint,
}

/// Spec 12's scope N: "no crash, partition, loss, clock jump", and what tells of them.
pub(super) fn is_fault(kind: &EventKind) -> bool {
    match kind {
        EventKind::ProcessCrashed
        | EventKind::HostLost
        | EventKind::Frozen { .. }
        | EventKind::BrokerStopped { .. }
        | EventKind::PacketLost { .. }
        | EventKind::CallTimedOut { .. }
        | EventKind::CallFailed { .. } => true,
        EventKind::ClientLeft { reason, .. } => {
            matches!(reason, LeaveReason::Idle | LeaveReason::HeartbeatScan)
        }
        kind => is_bent(kind),
    }
}

/// A packet that TCP alone would not deliver so.
pub(super) const fn is_bent(kind: &EventKind) -> bool {
    matches!(kind, EventKind::PacketRepeated { .. } | EventKind::PacketHeld { .. })
}
