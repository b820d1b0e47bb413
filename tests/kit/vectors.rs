//! Reads recorded vectors, and runs a check over every entry of a file in every version.

use std::fmt::Debug;
use std::fs;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::rules::Rules;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// How many differing entries a failure tells; the rest it only counts.
const TOLD: usize = 5;

/// The version that an entry was recorded from.
#[derive(Clone, Copy)]
pub struct Version {
    pub profile: Profile,
    pub rules: Rules,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VectorFile {
    /// Where the file comes from: for people.
    #[serde(rename = "meta")]
    _meta: Value,
    cases: Vec<Value>,
}

/// The folder of recordings: one folder for each release in it, and `vectors` in that if there is
/// one. `ORACLE_DIR` names another one than `tests/golden/vectors`.
fn recordings() -> PathBuf {
    match std::env::var_os("ORACLE_DIR") {
        Some(other) => PathBuf::from(other),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/vectors"),
    }
}

pub fn is_golden() -> bool {
    std::env::var_os("ORACLE_DIR").is_none()
}

fn folder(profile: Profile) -> PathBuf {
    let folder = recordings().join(profile.release());
    let vectors = folder.join("vectors");
    if vectors.is_dir() { vectors } else { folder }
}

/// The vector files of one version, without `.json` and `.gz`, sorted.
pub fn file_names(profile: Profile) -> Vec<String> {
    let folder = folder(profile);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("a readable folder").file_name())
        .filter_map(|name| {
            let name = name.to_str()?;
            let stem = name.strip_suffix(".gz").unwrap_or(name);
            stem.strip_suffix(".json").map(str::to_owned)
        })
        .collect();
    names.sort();
    names
}

fn read_text(profile: Profile, name: &str) -> Option<String> {
    let plain = folder(profile).join(format!("{name}.json"));
    let packed = folder(profile).join(format!("{name}.json.gz"));
    let mut text = String::new();
    if packed.is_file() {
        let file = fs::File::open(&packed).unwrap_or_else(|error| panic!("{packed:?}: {error}"));
        let read = GzDecoder::new(file).read_to_string(&mut text);
        read.unwrap_or_else(|error| panic!("{packed:?}: {error}"));
    } else if plain.is_file() {
        text = fs::read_to_string(&plain).unwrap_or_else(|error| panic!("{plain:?}: {error}"));
    } else {
        return None;
    }
    Some(text)
}

/// All entries of one file of one version; `None` if the version has no such file.
///
/// Panics where an entry does not have exactly the fields of `Case`: then something in it would go
/// unchecked.
pub fn cases<Case: DeserializeOwned>(profile: Profile, name: &str) -> Option<Vec<Case>> {
    let text = read_text(profile, name)?;
    let file: VectorFile = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{} {name}: {error}", profile.release()));
    let parse = |(index, case): (usize, Value)| {
        serde_json::from_value(case)
            .unwrap_or_else(|error| panic!("{} {name}, entry {index}: {error}", profile.release()))
    };
    Some(file.cases.into_iter().enumerate().map(parse).collect())
}

/// Runs `differs` over every entry of the file `name` in every version that has it, and fails with the
/// first few for which it returns a text.
pub fn check<Case: DeserializeOwned>(
    name: &str,
    differs: impl Fn(Version, &Case) -> Result<(), String>,
) {
    check_with_all(name, |version, _, case| differs(version, case));
}

/// As [`check`], for entries that are judged beside the others of their file.
pub fn check_with_all<Case: DeserializeOwned>(
    name: &str,
    differs: impl Fn(Version, &[Case], &Case) -> Result<(), String>,
) {
    let mut differences = Vec::new();
    for profile in Profile::ALL {
        let Some(cases) = cases::<Case>(profile, name) else { continue };
        let version = Version { profile, rules: Rules::of(profile) };
        for (index, case) in cases.iter().enumerate() {
            let outcome = catch_unwind(AssertUnwindSafe(|| differs(version, &cases, case)))
                .unwrap_or_else(|_| Err("our function panicked (see above)".to_owned()));
            if let Err(difference) = outcome {
                let release = profile.release();
                differences.push(format!("{release} {name}, entry {index}: {difference}"));
            }
        }
    }
    let count = differences.len();
    differences.truncate(TOLD);
    assert!(count == 0, "{count} entries of {name} differ:\n{}", differences.join("\n"));
}

/// Ours against the recorded, as the result of a check.
pub fn compare<T: PartialEq + Debug>(ours: &T, recorded: &T) -> Result<(), String> {
    if ours == recorded {
        Ok(())
    } else {
        Err(format!("\n    ours:     {ours:?}\n    recorded: {recorded:?}"))
    }
}
