//! What is changed while a consumer runs.

use rocketmq_playground::model::ids::GroupName;
use rocketmq_playground::model::listener::{ListenerBehavior, ListenerScript, ListenerStep};
use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::sim::command::Command;

use crate::story::*;

const OTHER: &str = "G2";

fn failing() -> Box<ListenerBehavior> {
    let default_script = ListenerScript::always(ListenerStep::fails());
    Box::new(ListenerBehavior { default_script, ..ListenerBehavior::default() })
}

/// One process with a consumer in each of two groups; the listener of `group`, or of both, is changed
/// while a call runs. Says for G and G2 how often "m0" (before), "m1" (after) were tried.
fn tries_after_a_change(profile: Profile, group: Option<GroupName>) -> [[usize; 2]; 2] {
    let mut story = Story::new(profile, 1);
    for name in [GROUP, OTHER] {
        story.consumer_with(0, "c1", |spec| {
            spec.process = Some("p".to_owned());
            spec.group = name.into();
            spec.listener = pausing(2_000);
        });
    }
    story.send(19_000, 0, "m0", 1);
    let listener = failing();
    story.at(20_000, Command::SetListener { client_id: "c1".into(), group, listener });
    story.send(25_000, 0, "m1", 1);
    let told = story.tell(40_000);
    let runs = |key: &str, of: &str| {
        told.calls_of(key).iter().filter(|call| call.topic.ends_with(of)).count()
    };
    // The first call is from the topic, which both groups read; the second from the group's retry topic.
    let retries = |key: &str| [runs(key, "%G"), runs(key, "%G2")];
    assert_eq!(
        [runs("m0", TOPIC), runs("m1", TOPIC)],
        [2, 2],
        "{profile:?}: one call for each group"
    );
    [retries("m0"), retries("m1")]
}

#[test]
fn another_listener_is_called_from_the_next_call_on_in_the_group_that_was_named() {
    for profile in Profile::ALL {
        let of_one = tries_after_a_change(profile, Some(OTHER.into()));
        assert_eq!(of_one, [[0, 0], [0, 1]], "{profile:?}: the call that ran ends as it began");
        let of_all = tries_after_a_change(profile, None);
        assert_eq!(of_all, [[0, 0], [1, 1]], "{profile:?}");
    }
}

#[test]
fn another_listener_takes_as_long_as_it_says() {
    for profile in Profile::ALL {
        let mut story = Story::new(profile, 1);
        story.consumer_with(0, "c1", |spec| spec.config.consume_thread_min = 1);
        let listener = Box::new(pausing(700));
        let group = None;
        story.at(15_000, Command::SetListener { client_id: "c1".into(), group, listener });
        story.send(20_000, 0, "m0", 3);
        let told = story.tell(30_000);
        let starts: Vec<u64> = told.calls().iter().map(|call| call.at).collect();
        assert_eq!(gaps(&starts), [Millis(700).ms(); 2], "{profile:?}");
    }
}
