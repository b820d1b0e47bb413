//! What can be set, under RocketMQ's own names and units: one table a machine. The file's reader and
//! writer, the links, the marks of scaled limits and the page's editor all go through these tables.

mod broker;
mod consumer;
mod producer;
mod refused;

pub use broker::{BROKER, GROUP};
pub use consumer::CONSUMER;
pub use producer::PRODUCER;
pub use refused::{
    REFUSED_OF_BROKER, REFUSED_OF_CONSUMER, REFUSED_OF_GROUP, REFUSED_OF_PRODUCER, Refused,
};

/// A property's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    Integer(i64),
    Flag(bool),
    /// One of the property's words.
    Word(&'static str),
}

/// Which values a property takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    Integers {
        low: i64,
        high: i64,
    },
    /// -1 for "not set", or a number in the range.
    UnsetOr {
        low: i64,
        high: i64,
    },
    Flag,
    Words(&'static [&'static str]),
}

impl Allowed {
    pub fn contains(&self, setting: &Setting) -> bool {
        match (self, setting) {
            (Allowed::Integers { low, high }, Setting::Integer(value)) => {
                (low..=high).contains(&value)
            }
            (Allowed::UnsetOr { low, high }, Setting::Integer(value)) => {
                *value == -1 || (low..=high).contains(&value)
            }
            (Allowed::Flag, Setting::Flag(_)) => true,
            (Allowed::Words(words), Setting::Word(word)) => words.contains(word),
            _ => false,
        }
    }

    /// What is allowed, for a problem.
    pub fn describe(&self) -> String {
        match self {
            Allowed::Integers { low, high } => format!("a whole number from {low} to {high}"),
            Allowed::UnsetOr { low, high } => {
                format!("-1 for not set, or a whole number from {low} to {high}")
            }
            Allowed::Flag => "true or false".to_owned(),
            Allowed::Words(words) => one_of(words),
        }
    }
}

/// `"a", "b" or "c"`.
pub fn one_of(words: &[&str]) -> String {
    let quoted = words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// One property of a configuration.
pub struct Property<C: 'static> {
    /// RocketMQ's name.
    pub name: &'static str,
    /// RocketMQ's unit: `ms`, `min`, `MiB`, `bytes`, or nothing.
    pub unit: &'static str,
    pub allowed: Allowed,
    pub get: fn(&C) -> Setting,
    /// The setting must be allowed.
    pub set: fn(&mut C, &Setting),
}

/// The property of this name.
pub fn find<C>(table: &'static [Property<C>], name: &str) -> Option<&'static Property<C>> {
    table.iter().find(|property| property.name == name)
}

/// A table's line for a number: `number!("name", "unit", low..=high, field: u32)`.
macro_rules! number {
    ($name:literal, $unit:literal, $low:literal..=$high:expr, $field:ident: $type:ty) => {
        $crate::scenario::property::Property {
            name: $name,
            unit: $unit,
            allowed: $crate::scenario::property::Allowed::Integers { low: $low, high: $high },
            get: |config| $crate::scenario::property::Setting::Integer(i64::from(config.$field)),
            set: |config, setting| {
                if let $crate::scenario::property::Setting::Integer(value) = setting {
                    config.$field = <$type>::try_from(*value).expect("within what is allowed");
                }
            },
        }
    };
}

/// A number that -1 leaves unset.
macro_rules! unset_or {
    ($name:literal, $unit:literal, $low:literal..=$high:expr, $field:ident: $type:ty) => {
        $crate::scenario::property::Property {
            allowed: $crate::scenario::property::Allowed::UnsetOr { low: $low, high: $high },
            ..$crate::scenario::property::number!($name, $unit, $low..=$high, $field: $type)
        }
    };
}

/// A time in RocketMQ's milliseconds.
macro_rules! millis {
    ($name:literal, $low:literal..=$high:expr, $field:ident) => {
        $crate::scenario::property::Property {
            name: $name,
            unit: "ms",
            allowed: $crate::scenario::property::Allowed::Integers { low: $low, high: $high },
            get: |config| $crate::scenario::property::Setting::Integer(config.$field.ms() as i64),
            set: |config, setting| {
                if let $crate::scenario::property::Setting::Integer(value) = setting {
                    config.$field = $crate::model::time::Millis::new(value.unsigned_abs());
                }
            },
        }
    };
}

macro_rules! flag {
    ($name:literal, $field:ident) => {
        $crate::scenario::property::Property {
            name: $name,
            unit: "",
            allowed: $crate::scenario::property::Allowed::Flag,
            get: |config| $crate::scenario::property::Setting::Flag(config.$field),
            set: |config, setting| {
                if let $crate::scenario::property::Setting::Flag(value) = setting {
                    config.$field = *value;
                }
            },
        }
    };
}

use flag;
use millis;
use number;
use unset_or;

/// A day in ms: no timer of a run needs more.
const DAY: i64 = 86_400_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::config::{
        BrokerConfig, ConsumerConfig, ProducerConfig, SubscriptionGroupConfig,
    };
    use crate::model::profile::Profile;

    /// Every other value that a property can take, and back.
    fn other(allowed: &Allowed, setting: &Setting) -> Setting {
        match (allowed, setting) {
            (Allowed::Flag, Setting::Flag(value)) => Setting::Flag(!value),
            (Allowed::Words(words), Setting::Word(word)) => {
                Setting::Word(words.iter().find(|other| *other != word).expect("two words"))
            }
            (
                Allowed::Integers { low, high } | Allowed::UnsetOr { low, high },
                Setting::Integer(value),
            ) => Setting::Integer(if value == low { *high } else { *low }),
            _ => unreachable!("the getter and the table agree"),
        }
    }

    fn check<C: Clone>(table: &'static [Property<C>], config: &C) {
        for property in table {
            let default = (property.get)(config);
            assert!(property.allowed.contains(&default), "{}: {default:?}", property.name);
            let mut changed = config.clone();
            let wanted = other(&property.allowed, &default);
            (property.set)(&mut changed, &wanted);
            assert_eq!((property.get)(&changed), wanted, "{}", property.name);
            for rest in table.iter().filter(|rest| rest.name != property.name) {
                assert_eq!((rest.get)(&changed), (rest.get)(config), "{}", property.name);
            }
        }
    }

    #[test]
    fn each_property_gets_what_it_sets_and_nothing_else_changes() {
        for profile in Profile::ALL {
            check(CONSUMER, &ConsumerConfig::defaults(profile));
            check(PRODUCER, &ProducerConfig::defaults(profile));
            check(BROKER, &BrokerConfig::defaults(profile));
        }
        check(GROUP, &SubscriptionGroupConfig::default());
    }

    #[test]
    fn alternatives_read_as_a_sentence() {
        assert_eq!(one_of(&["a", "b", "c"]), "\"a\", \"b\" or \"c\"");
        assert_eq!(one_of(&["a"]), "\"a\"");
    }
}
