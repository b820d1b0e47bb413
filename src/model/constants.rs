//! RocketMQ's numbers: spec 13 as code, one function of the profile for each of them.
//!
//! No number of RocketMQ's appears anywhere else in the model. `Option` means that the version has
//! no such thing. What is a yes or no rather than a number is in [`super::rules`].
//! `tests/conformance.rs` compares every function here with `tests/golden/constants.tsv`.

mod broker;
mod client;
mod consumer;
mod pop;
mod request;

pub use broker::*;
pub use client::*;
pub use consumer::*;
pub use pop::*;
pub use request::*;

use super::profile::Profile;
use super::time::Millis;

/// A constant by its name, for tables and tests.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// The function's name.
    pub name: &'static str,
    pub of: fn(Profile) -> ConstantValue,
}

/// A constant's value without its unit: milliseconds for a time, else a plain number. `None` where
/// the version has no such constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstantValue(pub Option<i64>);

impl From<Millis> for ConstantValue {
    fn from(value: Millis) -> ConstantValue {
        ConstantValue(Some(i64::try_from(value.ms()).expect("RocketMQ's times are small")))
    }
}

impl From<u32> for ConstantValue {
    fn from(value: u32) -> ConstantValue {
        ConstantValue(Some(i64::from(value)))
    }
}

impl From<i32> for ConstantValue {
    fn from(value: i32) -> ConstantValue {
        ConstantValue(Some(i64::from(value)))
    }
}

impl<T> From<Option<T>> for ConstantValue
where
    ConstantValue: From<T>,
{
    fn from(value: Option<T>) -> ConstantValue {
        value.map_or(ConstantValue(None), ConstantValue::from)
    }
}

/// Every constant, file by file.
pub fn all() -> impl Iterator<Item = &'static Constant> {
    client::TABLE
        .iter()
        .chain(consumer::TABLE)
        .chain(broker::TABLE)
        .chain(request::TABLE)
        .chain(pop::TABLE)
}

const fn ms(value: u64) -> Millis {
    Millis::new(value)
}

/// Writes `pub const fn name(profile: Profile) -> Type` for each entry, and the file's `TABLE`.
///
/// The body is one expression if all versions agree, else one for each of V42, V49, V53.
macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident -> $type:ty { $($body:tt)+ })+) => {
        $(
            $(#[$doc])*
            pub const fn $name(profile: Profile) -> $type {
                constants!(@value profile, $($body)+)
            }
        )+

        pub(super) const TABLE: &[Constant] = &[
            $(Constant {
                name: stringify!($name),
                of: |profile| ConstantValue::from($name(profile)),
            },)+
        ];
    };
    (@value $profile:ident, V42: $v42:expr, V49: $v49:expr, V53: $v53:expr) => {
        match $profile {
            Profile::V42 => $v42,
            Profile::V49 => $v49,
            Profile::V53 => $v53,
        }
    };
    (@value $profile:ident, $same:expr) => {{
        let _ = $profile;
        $same
    }};
}
use constants;
