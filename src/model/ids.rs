//! Names and numbers by which things are known. Names are RocketMQ's strings; numbers are counters.
//!
//! Names order as strings, because RocketMQ sorts them so and allocation depends on it (spec 02.6).

use std::cmp::Ordering;
use std::fmt;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Rc<str>);

        impl $name {
            pub fn new(text: impl AsRef<str>) -> $name {
                $name(Rc::from(text.as_ref()))
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }

            /// The text itself, shared.
            pub fn text(&self) -> Rc<str> {
                self.0.clone()
            }
        }

        // Clones share their text, so most comparisons end at the pointer.
        impl PartialEq for $name {
            fn eq(&self, other: &$name) -> bool {
                Rc::ptr_eq(&self.0, &other.0) || self.0 == other.0
            }
        }
        impl Eq for $name {}
        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &$name) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }
        impl Ord for $name {
            fn cmp(&self, other: &$name) -> Ordering {
                if Rc::ptr_eq(&self.0, &other.0) { Ordering::Equal } else { self.0.cmp(&other.0) }
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:?}", &*self.0)
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
        impl From<&str> for $name {
            fn from(text: &str) -> $name {
                $name::new(text)
            }
        }
    };
}

name!(
    /// A broker's name, `broker-a`; master and slaves share it.
    BrokerName
);
name!(
    /// A topic's name, system topics included.
    TopicName
);
name!(
    /// A consumer or producer group.
    GroupName
);
name!(
    /// `ip@instanceName[@unitName]`: what a client instance calls itself (spec 00.2).
    ClientId
);
name!(
    /// The KEYS property of a message, by which people follow it.
    MessageKey
);
name!(
    /// The TAGS property of a message.
    Tag
);

macro_rules! number {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.0)
            }
        }
    };
}

number!(
    /// A queue's number within its topic on one broker, from 0.
    QueueId(u32)
);
number!(
    /// UNIQ_KEY: stays the same through all retries of a message (spec 05.6.1). A counter of the run.
    UniqueKey(u64)
);
number!(
    /// One `ProcessQueue` object. Never reused: a dropped one lives on in the requests that name it.
    ProcessQueueId(u32)
);
number!(
    /// One remote call, oneway ones included. A counter of the run.
    CallId(u64)
);
number!(
    /// One TCP connection of a client to a broker. A counter of the run.
    ConnectionId(u32)
);
number!(
    /// A client *process*: its place in `World::clients`. A restarted consumer is a new process,
    /// with the same `ClientId` or another one.
    ProcessIndex(u32)
);
number!(
    /// A broker process: its place in `World::brokers`.
    BrokerIndex(u16)
);

/// The subVersion of a subscription: creation time in ms, raised whenever a rebalance changes the
/// consumer's queues of that topic (spec 02.2, 02.4.6).
pub type SubVersion = u64;
