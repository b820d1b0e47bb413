//! Which RocketMQ we are. A profile chooses the constants of spec 13 and the rules that changed.

use serde::{Deserialize, Serialize};

/// The three versions that were read and recorded (spec 00.1).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Profile {
    /// 4.2.0, the version that most articles describe.
    #[default]
    V42,
    /// 4.9.8, the last of the 4.x line.
    V49,
    /// 5.3.3, classic push mode.
    V53,
}

impl Profile {
    pub const ALL: [Profile; 3] = [Profile::V42, Profile::V49, Profile::V53];

    /// `V42`, `V49`, `V53`: the name in files, links and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Profile::V42 => "V42",
            Profile::V49 => "V49",
            Profile::V53 => "V53",
        }
    }

    /// The release that a profile stands for.
    pub const fn release(self) -> &'static str {
        match self {
            Profile::V42 => "4.2.0",
            Profile::V49 => "4.9.8",
            Profile::V53 => "5.3.3",
        }
    }

    pub fn from_name(name: &str) -> Option<Profile> {
        Profile::ALL.into_iter().find(|profile| profile.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::Profile;

    #[test]
    fn each_profile_is_read_by_its_name_and_any_other_name_is_none() {
        for profile in Profile::ALL {
            assert_eq!(Profile::from_name(profile.name()), Some(profile));
        }
        for name in ["V43", "v42", "", "4.2.0"] {
            assert_eq!(Profile::from_name(name), None, "{name}");
        }
    }
}
