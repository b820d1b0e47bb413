//! One run, by whatever way one comes to a moment of it: the same state, to the last bit.

#[path = "kit/runs.rs"]
mod runs;

use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::time::Millis;
use rocketmq_playground::recording::{Cursor, Extended, Recording};
use rocketmq_playground::sim::TaskBudget;
use rocketmq_playground::sim::command::{Command, Party};
use rocketmq_playground::sim::event::{Event, EventKind};
use runs::{orders, send};

const UNTIL: Millis = Millis(80_000);

fn recorded(profile: Profile) -> Recording {
    let mut recording = Recording::new(orders(profile), Vec::new());
    assert_eq!(recording.extend_until(UNTIL, TaskBudget::UNLIMITED), Extended::Reached);
    recording
}

#[test]
fn a_run_straight_in_slices_and_by_events_is_the_same_run() {
    for profile in Profile::ALL {
        let straight = recorded(profile);
        let mut sliced = Recording::new(orders(profile), Vec::new());
        while sliced.extend_until(UNTIL, TaskBudget(7)) == Extended::OutOfBudget {}
        let mut stepped = Recording::new(orders(profile), Vec::new());
        for count in 0..straight.event_count() {
            stepped.extend_events(count, TaskBudget::UNLIMITED);
        }
        stepped.extend_until(UNTIL, TaskBudget::UNLIMITED);
        for other in [&sliced, &stepped] {
            assert_eq!(straight.digest(UNTIL), other.digest(UNTIL), "{profile:?}");
            assert!(straight.events() == other.events(), "{profile:?}");
        }
    }
}

#[test]
fn seeking_forward_and_back_finds_the_state_of_a_run_that_stopped_there() {
    let recording = recorded(Profile::V49);
    let mut cursor = Cursor::new(&recording);
    for index in [0, 400, 401, 30, recording.event_count() - 1, 7] {
        cursor.seek(&recording, index);
        let end = recording.task_end(index);
        assert_eq!(cursor.event_count(), end, "event {index}");
        let fresh = recording.simulation_at(index);
        assert_eq!(fresh.digest(), cursor.simulation().digest(), "event {index}");
    }
    for at in [0, 5_000, 12_345] {
        let mut fresh = Recording::new(orders(Profile::V49), Vec::new());
        fresh.extend_until(Millis(at), TaskBudget::UNLIMITED);
        assert_eq!(fresh.digest(Millis(at)), recording.digest(Millis(at)), "at {at} ms");
    }
}

#[test]
fn an_act_in_the_past_runs_as_if_it_had_been_scripted_and_undo_brings_the_old_run_back() {
    let mut recording = recorded(Profile::V42);
    let before = recording.digest(UNTIL);
    let at = Millis(20_000);
    let kept = recording.act(at, send(1, 1)).expect("it makes sense");
    assert!(recording.events().iter_from(kept as usize).all(|event| event.at >= at));
    recording.extend_until(UNTIL, TaskBudget::UNLIMITED);
    let acted = recording.digest(UNTIL);
    assert_ne!(before, acted);
    let mut reopened = Recording::new(orders(Profile::V42), recording.interventions().to_vec());
    reopened.extend_until(UNTIL, TaskBudget::UNLIMITED);
    assert_eq!(reopened.digest(UNTIL), acted);
    recording.undo().expect("there is something to undo");
    recording.extend_until(UNTIL, TaskBudget::UNLIMITED);
    assert_eq!(recording.digest(UNTIL), before);
    recording.redo().expect("there is something to redo");
    recording.extend_until(UNTIL, TaskBudget::UNLIMITED);
    assert_eq!(recording.digest(UNTIL), acted);
}

#[test]
fn a_run_of_more_than_a_day_ends_with_an_event_that_says_so() {
    let mut recording = Recording::new(orders(Profile::V53), Vec::new());
    let end = recording.extend_until(Millis(25 * 3_600_000), TaskBudget::UNLIMITED);
    assert!(matches!(end, Extended::LimitReached(_)), "{end:?}");
    assert_eq!(recording.limit().map(Extended::LimitReached), Some(end));
    let last = recording.event_count() - 1;
    let mut cursor = Cursor::new(&recording);
    cursor.seek(&recording, last);
    assert_eq!(cursor.simulation().digest(), recording.head().digest());
}

/// Both consumers' links double and reorder whatever comes, by chance.
fn bent(profile: Profile) -> Recording {
    let mut recording = Recording::new(orders(profile), Vec::new());
    for client in ["c1", "c2"] {
        let (from, to) = (Party::Client(client.into()), Party::Broker("broker-a".into()));
        let (code, count, only_response) = (None, 500, false);
        let (later, later_at_most) = (Millis(0), Millis(900));
        let (a, b) = (from.clone(), to.clone());
        let double =
            Command::DuplicateNext { from, to, code, count, only_response, later, later_at_most };
        let at_most = Millis(700);
        let hold =
            Command::ReorderNext { from: a, to: b, code, count, only_response: true, at_most };
        recording.act(Millis(4_000), double).expect("it makes sense");
        recording.act(Millis(4_000), hold).expect("it makes sense");
    }
    recording
}

#[test]
fn a_run_whose_links_double_and_reorder_is_the_same_run_however_one_comes_to_a_moment() {
    for profile in Profile::ALL {
        let mut straight = bent(profile);
        straight.extend_until(UNTIL, TaskBudget::UNLIMITED);
        let mut sliced = bent(profile);
        while sliced.extend_until(UNTIL, TaskBudget(7)) == Extended::OutOfBudget {}
        assert_eq!(straight.digest(UNTIL), sliced.digest(UNTIL), "{profile:?}");
        assert!(straight.events() == sliced.events(), "{profile:?}");
        let is_bent = |event: &&Event| {
            matches!(event.kind, EventKind::PacketHeld { .. } | EventKind::PacketRepeated { .. })
        };
        let bends: Vec<u32> =
            straight.events().iter().filter(is_bent).map(|event| event.sequence).collect();
        assert!(bends.len() > 50, "{profile:?}: {}", bends.len());
        let mut cursor = Cursor::new(&straight);
        for index in bends.iter().rev().step_by(bends.len() / 9) {
            cursor.seek(&straight, *index);
            let fresh = straight.simulation_at(*index);
            assert_eq!(fresh.digest(), cursor.simulation().digest(), "{profile:?} {index}");
        }
    }
}
