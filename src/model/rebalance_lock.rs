//! `RebalanceLockManager`: which client holds which orderly queue, as a lease (spec 01.4).
//!
//! Nothing checks a lock on a pull or a commit, a lock outlives its owner's connection, and a restart
//! of the broker forgets them all. Expired entries stay until someone takes them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ids::{ClientId, GroupName};
use super::message_queue::MessageQueue;
use super::time::Millis;

/// Who holds a queue, and since when the lease counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LockEntry {
    pub client_id: ClientId,
    pub last_update_at: Millis,
}

/// How a request for one lock ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockAnswer {
    /// It was free, or its lease had expired.
    Granted,
    /// The same client held it already.
    Renewed,
    Refused {
        owner: ClientId,
    },
}

impl LockAnswer {
    pub fn is_held(&self) -> bool {
        !matches!(self, LockAnswer::Refused { .. })
    }
}

/// `mqLockTable`. `max_live_time` is the lease's length, 60 s by default
/// (`constants::broker_lock_max_live_time`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RebalanceLockTable {
    locks: BTreeMap<GroupName, BTreeMap<MessageQueue, LockEntry>>,
}

impl RebalanceLockTable {
    /// Asks for one queue: a free or expired one is taken, an own one renewed.
    ///
    /// Follows `RebalanceLockManager.tryLock`.
    pub fn try_lock(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        client_id: &ClientId,
        now: Millis,
        max_live_time: Millis,
    ) -> LockAnswer {
        let locks = self.locks.entry(group.clone()).or_default();
        let answer = match locks.get(queue) {
            None => LockAnswer::Granted,
            Some(entry) if is_expired(entry, now, max_live_time) => LockAnswer::Granted,
            Some(entry) if entry.client_id == *client_id => LockAnswer::Renewed,
            Some(entry) => LockAnswer::Refused { owner: entry.client_id.clone() },
        };
        if answer.is_held() {
            let entry = LockEntry { client_id: client_id.clone(), last_update_at: now };
            locks.insert(queue.clone(), entry);
        }
        answer
    }

    /// Asks for several queues, one by one. The answers come in the order of the queues.
    ///
    /// Follows `RebalanceLockManager.tryLockBatch`, whose answer is the set of those held now.
    pub fn try_lock_batch(
        &mut self,
        group: &GroupName,
        queues: &[MessageQueue],
        client_id: &ClientId,
        now: Millis,
        max_live_time: Millis,
    ) -> Vec<LockAnswer> {
        queues
            .iter()
            .map(|queue| self.try_lock(group, queue, client_id, now, max_live_time))
            .collect()
    }

    /// Gives queues back, expired or not. Others' locks are left alone, and it succeeds all the same.
    /// Returns whether a lock was given back, in the order of the queues.
    ///
    /// Follows `RebalanceLockManager.unlockBatch`.
    pub fn unlock_batch(
        &mut self,
        group: &GroupName,
        queues: &[MessageQueue],
        client_id: &ClientId,
    ) -> Vec<bool> {
        let Some(locks) = self.locks.get_mut(group) else {
            return vec![false; queues.len()];
        };
        queues
            .iter()
            .map(|queue| {
                let is_own = locks.get(queue).is_some_and(|entry| entry.client_id == *client_id);
                if is_own {
                    locks.remove(queue);
                }
                is_own
            })
            .collect()
    }

    /// Whether the client holds the queue; if so, this renews the lease.
    ///
    /// Follows `RebalanceLockManager.isLocked`.
    pub fn is_locked(
        &mut self,
        group: &GroupName,
        queue: &MessageQueue,
        client_id: &ClientId,
        now: Millis,
        max_live_time: Millis,
    ) -> bool {
        let entry = self.locks.get_mut(group).and_then(|locks| locks.get_mut(queue));
        let Some(entry) = entry else { return false };
        let is_held = entry.client_id == *client_id && !is_expired(entry, now, max_live_time);
        if is_held {
            entry.last_update_at = now;
        }
        is_held
    }

    /// Whether no lock of the group is alive. Decides the fate of a plain send to %RETRY% since
    /// 5.1.1 (spec 05.6.2).
    ///
    /// Follows `RebalanceLockManager.isLockAllExpired`.
    pub fn is_lock_all_expired(
        &self,
        group: &GroupName,
        now: Millis,
        max_live_time: Millis,
    ) -> bool {
        self.locks
            .get(group)
            .is_none_or(|locks| locks.values().all(|entry| is_expired(entry, now, max_live_time)))
    }

    /// The entry of a queue, expired or not.
    pub fn entry(&self, group: &GroupName, queue: &MessageQueue) -> Option<&LockEntry> {
        self.locks.get(group)?.get(queue)
    }

    /// The groups that ever asked, each with its entries, expired ones too.
    pub fn groups(&self) -> impl Iterator<Item = (&GroupName, &BTreeMap<MessageQueue, LockEntry>)> {
        self.locks.iter()
    }

    /// Every entry, by group and queue, expired ones too.
    pub fn iter(&self) -> impl Iterator<Item = (&GroupName, &MessageQueue, &LockEntry)> {
        self.locks.iter().flat_map(|(group, locks)| {
            locks.iter().map(move |(queue, entry)| (group, queue, entry))
        })
    }
}

fn is_expired(entry: &LockEntry, now: Millis, max_live_time: Millis) -> bool {
    now.since(entry.last_update_at) > max_live_time
}

#[cfg(test)]
mod tests {
    use super::super::ids::QueueId;
    use super::*;

    const LEASE: Millis = Millis::from_seconds(60);

    #[test]
    fn a_group_is_locked_out_while_one_of_its_locks_is_alive() {
        let queue = |id| MessageQueue::new("T".into(), "b".into(), QueueId(id));
        let (group, client) = (GroupName::new("g"), ClientId::new("c1"));
        let mut table = RebalanceLockTable::default();
        assert!(table.is_lock_all_expired(&group, Millis::ZERO, LEASE), "nobody asked");
        table.try_lock(&group, &queue(0), &client, Millis::ZERO, LEASE);
        table.try_lock(&group, &queue(1), &client, Millis::from_seconds(30), LEASE);
        assert!(!table.is_lock_all_expired(&group, Millis::from_seconds(90), LEASE));
        assert!(table.is_lock_all_expired(&group, Millis::new(90_001), LEASE));
        table.unlock_batch(&group, &[queue(0), queue(1)], &client);
        assert!(table.is_lock_all_expired(&group, Millis::ZERO, LEASE));
    }
}
