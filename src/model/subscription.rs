//! `SubscriptionData`: which tags of a topic a group wants, and the two matches, by hash at the broker
//! and by string at the client.
//!
//! Follows `FilterAPI.buildSubscriptionData`, `DefaultMessageFilter` and `PullAPIWrapper`.

use std::collections::BTreeSet;

use serde::Serialize;
use thiserror::Error;

use super::ids::{SubVersion, Tag, TopicName};
use super::java_string;
use super::message::StoredMessage;

/// The expression that takes every message.
pub const SUB_ALL: &str = "*";

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SubscriptionError {
    /// Nothing but separators: `||`.
    #[error("the tag expression {expression:?} names no tag")]
    NoTag { expression: String },
}

/// One topic of a consumer's subscription.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SubscriptionData {
    pub topic: TopicName,
    /// As written; `*` for an empty expression.
    pub expression: String,
    /// Empty for `*`, which means all, and for an expression of blanks, which means none at the broker.
    pub tags: BTreeSet<Tag>,
    /// The tags' hashes.
    pub codes: BTreeSet<i32>,
    /// Creation time in ms, raised at each assignment change (spec 02.4.6).
    pub sub_version: SubVersion,
}

impl SubscriptionData {
    /// Reads `*`, or tags separated by `||`.
    pub fn parse(
        topic: &TopicName,
        expression: &str,
        sub_version: SubVersion,
    ) -> Result<SubscriptionData, SubscriptionError> {
        let mut subscription = SubscriptionData::all(topic, sub_version);
        if expression.is_empty() || expression == SUB_ALL {
            return Ok(subscription);
        }
        let parts = java_string::split(expression, "||");
        if parts.is_empty() {
            return Err(SubscriptionError::NoTag { expression: expression.to_owned() });
        }
        subscription.expression = expression.to_owned();
        for tag in parts.into_iter().map(java_string::trim).filter(|tag| !tag.is_empty()) {
            subscription.codes.insert(java_string::hash_code(tag));
            subscription.tags.insert(Tag::new(tag));
        }
        Ok(subscription)
    }

    /// The subscription `*`.
    pub fn all(topic: &TopicName, sub_version: SubVersion) -> SubscriptionData {
        SubscriptionData {
            topic: topic.clone(),
            expression: SUB_ALL.to_owned(),
            tags: BTreeSet::new(),
            codes: BTreeSet::new(),
            sub_version,
        }
    }

    pub fn is_all(&self) -> bool {
        self.expression == SUB_ALL
    }

    /// The broker's match, by the hash in the consume queue entry: a tag with the hash of a wanted
    /// one passes too.
    ///
    /// Follows `DefaultMessageFilter.isMatched`, `ExpressionMessageFilter.isMatchedByConsumeQueue`.
    pub fn matches_code(&self, tags_code: i64) -> bool {
        // Java narrows the code to 32 bits (`Long.intValue`).
        self.is_all() || self.codes.contains(&(tags_code as i32))
    }

    /// The client's match, by string: what only the hash let through ends here.
    ///
    /// Follows `PullAPIWrapper.processPullResult`.
    pub fn matches_tag(&self, tag: Option<&Tag>) -> bool {
        self.tags.is_empty() || tag.is_some_and(|tag| self.tags.contains(tag))
    }

    /// [`SubscriptionData::matches_tag`] of a message.
    pub fn matches_message(&self, message: &StoredMessage) -> bool {
        self.matches_tag(message.body.tag.as_ref())
    }
}

/// The tags code of a consume queue entry outside the schedule topic: the hash of TAGS, 0 if there is
/// none.
///
/// Follows `MessageExtBrokerInner.tagsString2tagsCode`.
pub fn tags_code(tag: Option<&Tag>) -> i64 {
    tag.map_or(0, |tag| i64::from(java_string::hash_code(tag.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(expression: &str) -> SubscriptionData {
        SubscriptionData::parse(&"T".into(), expression, 7).expect("a good expression")
    }

    #[test]
    fn star_and_nothing_take_every_message() {
        for expression in ["*", ""] {
            let all = parse(expression);
            assert!(all.is_all() && all.matches_code(0) && all.matches_tag(None));
            assert_eq!(all.expression, "*");
        }
    }

    #[test]
    fn tags_are_separated_by_two_bars_and_trimmed() {
        let two = parse(" TagA || TagB||");
        assert_eq!(two.tags, BTreeSet::from(["TagA".into(), "TagB".into()]));
        assert_eq!(two.codes, BTreeSet::from([2_598_919, 2_598_920]));
        assert!(two.matches_code(tags_code(Some(&"TagB".into()))));
        assert!(!two.matches_code(tags_code(None)));
        assert!(two.matches_tag(Some(&"TagA".into())) && !two.matches_tag(Some(&"TagC".into())));
        assert!(!two.matches_tag(None));
    }

    #[test]
    fn equal_hashes_pass_the_broker_but_not_the_client() {
        let aa = parse("Aa");
        assert!(aa.matches_code(tags_code(Some(&"BB".into()))), "both hash to 2112");
        assert!(!aa.matches_tag(Some(&"BB".into())));
    }

    #[test]
    fn only_separators_are_refused_and_only_blanks_match_nothing() {
        assert!(SubscriptionData::parse(&"T".into(), "||", 0).is_err());
        let blank = parse(" || ");
        assert!(blank.tags.is_empty() && !blank.matches_code(0));
    }
}
