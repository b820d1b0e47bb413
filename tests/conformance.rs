//! Our rules against the real RocketMQ: every entry of every recorded vector file, in all three
//! versions.
//!
//! The files are in `tests/golden/vectors`; `tests/golden/README.md` says how they were made.
//! `ORACLE_DIR` takes another folder of the same format instead, one subfolder for each version.

#[path = "kit/messages.rs"]
mod messages;
#[path = "kit/vectors.rs"]
mod vectors;

#[path = "conformance/allocation.rs"]
mod allocation;
#[path = "conformance/constants.rs"]
mod constants;
#[path = "conformance/delayed.rs"]
mod delayed;
#[path = "conformance/locks.rs"]
mod locks;
#[path = "conformance/offsets.rs"]
mod offsets;
#[path = "conformance/results.rs"]
mod results;
#[path = "conformance/sent_back.rs"]
mod sent_back;
#[path = "conformance/window.rs"]
mod window;

use rocketmq_playground::model::profile::Profile;

/// The vector files that a test above reads.
const READ: [&str; 16] = [
    "allocate",
    "clean_expired",
    "consistent_hash_md5",
    "consume_result_concurrently",
    "consume_result_gone",
    "consume_result_orderly",
    "consumer_offset_manager",
    "consumer_send_msg_back",
    "delay_level",
    "machine_room_nearby",
    "message_queue_order",
    "process_queue",
    "process_queue_clock",
    "rebalance_lock_manager",
    "remote_offset_store",
    "send_to_retry_topic",
];

/// A recorded file that no test reads would look as if it agreed.
#[test]
fn every_recorded_file_is_read_by_a_test() {
    for profile in Profile::ALL {
        let names = vectors::file_names(profile);
        assert!(!names.is_empty(), "no vector file for {}", profile.release());
        for name in &names {
            assert!(READ.contains(&name.as_str()), "{}: no test reads {name}", profile.release());
        }
        if vectors::is_golden() {
            // 4.2.0 has no MACHINE_ROOM_NEARBY, and the case of the other file was not recorded there.
            let absent = |name: &&str| match profile {
                Profile::V42 => matches!(*name, "machine_room_nearby" | "consume_result_gone"),
                Profile::V49 | Profile::V53 => false,
            };
            let expected: Vec<&str> = READ.into_iter().filter(|name| !absent(name)).collect();
            assert_eq!(names, expected, "{}", profile.release());
        }
    }
}
