//! What is wrong with something a person wrote: where, what was found, and what is allowed.

use std::fmt;

/// One mistake in a scenario. All of them are reported at once.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The line in the file, from 1; `None` for a scenario that came from nowhere.
    pub line: Option<u32>,
    /// The way to the field: `consumer 2, pullBatchSize`.
    pub field: String,
    pub found: String,
    pub allowed: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        write!(f, "found {}; allowed is {}", self.found, self.allowed)
    }
}

/// The one of `known` that someone who wrote `word` probably meant.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let most = (word.chars().count() / 3).max(2);
    known
        .into_iter()
        .map(|candidate| (distance(&word.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= most)
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many letters have to be put in, taken out, replaced or swapped with a neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.chars().collect::<Vec<_>>(), b.chars().collect::<Vec<_>>());
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(a[i] != b[j]);
            let mut best = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger_find_what_was_meant() {
        let known = ["pullBatchSize", "pullInterval", "consumeThreadMin"];
        assert_eq!(nearest("pullBatchSzie", known), Some("pullBatchSize"));
        assert_eq!(nearest("PullInterval", known), Some("pullInterval"));
        assert_eq!(nearest("consumethreads", known), Some("consumeThreadMin"));
        assert_eq!(nearest("colour", known), None);
    }

    #[test]
    fn a_problem_reads_as_a_line() {
        let problem = Problem {
            line: Some(3),
            field: "consumer 2, pullBatchSize".to_owned(),
            found: "0".to_owned(),
            allowed: "a whole number from 1 to 1024".to_owned(),
        };
        assert_eq!(
            problem.to_string(),
            "line 3: consumer 2, pullBatchSize: found 0; allowed is a whole number from 1 to 1024"
        );
    }
}
