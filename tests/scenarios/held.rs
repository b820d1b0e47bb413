//! What must have a test: each phenomenon of spec 11, each switch that tells versions apart.

use std::collections::{BTreeMap, BTreeSet};

use rocketmq_playground::model::profile::Profile;
use rocketmq_playground::model::rules::Rules;

/// The stories. A test says in the lines above it which section it tells.
const FILES: &[&str] = &[
    include_str!("brokers.rs"),
    include_str!("duplicates.rs"),
    include_str!("flow.rs"),
    include_str!("groups.rs"),
    include_str!("offsets.rs"),
    include_str!("orderly.rs"),
    include_str!("retries.rs"),
    include_str!("since.rs"),
    include_str!("starts.rs"),
];

/// The phenomena of spec 11, by their numbers there.
const PHENOMENA: &[(u32, &str)] = &[
    (1, "Duplicates after a consumer crash (concurrent)"),
    (2, "Duplicates at a clean rebalance and at shutdown"),
    (3, "One slow message pins the commit offset"),
    (4, "Flow control by span: a throttle, not a wall"),
    (5, "Flow control by count and size"),
    (6, "Unbounded queue: the max pool size is never reached"),
    (7, "Pool starvation across topics"),
    (8, "More consumers than queues"),
    (9, "Retry traffic concentrates"),
    (10, "Retry ladder and DLQ"),
    (11, "Send-back failure modes"),
    (12, "Broadcasting loses failures"),
    (13, "Different subscriptions within one group"),
    (14, "New group on an existing topic"),
    (15, "Long-polling latency"),
    (16, "Lock stall after an orderly crash"),
    (17, "Orderly hand-over when a consumer joins"),
    (18, "Orderly start-up gap"),
    (19, "Slow start with many topics and queues (concurrent)"),
    (20, "Head-of-line blocking in orderly mode"),
    (21, "Continuous consumption limit"),
    (22, "Offset reset"),
    (23, "Offset out of range"),
    (24, "Broker restart"),
    (25, "Master down, slave alive"),
    (26, "Split views during rebalance"),
    (27, "Route lag"),
    (28, "Producer duplicates"),
    (29, "Duplicate retry by time-out"),
    (30, "Batch semantics"),
    (31, "POP (later stage)"),
    (32, "Standing still after an assignment change (code 25)"),
    (33, "A timed-out request closes the connection (since 4.9.1)"),
    (34, "First retry of a new group is late"),
];

/// 11.31 is about POP, which the model does not have: its settings are refused by name
/// (`tests/settings.rs`), so that nobody takes a push consumer's run for one.
const NOT_IN_THIS_VERSION: &[u32] = &[31];

/// The tests of a text: the comment lines above each, and its name.
fn tests_of(text: &str) -> Vec<(String, &str)> {
    let mut tests = Vec::new();
    let (mut comment, mut is_test) = (String::new(), false);
    for line in text.lines() {
        if let Some(words) = line.strip_prefix("/// ") {
            comment.push_str(words);
            comment.push(' ');
        } else if line == "#[test]" {
            is_test = true;
        } else {
            let name = line.strip_prefix("fn ").and_then(|rest| rest.split_once('('));
            if let (true, Some((name, _))) = (is_test, name) {
                tests.push((std::mem::take(&mut comment), name));
            }
            (comment, is_test) = (String::new(), false);
        }
    }
    tests
}

/// The numbers `11.x` in a comment.
fn phenomena_in(comment: &str) -> impl Iterator<Item = u32> {
    comment.match_indices("11.").filter_map(|(at, _)| {
        let digits: String = comment[at + 3..].chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    })
}

#[test]
fn each_phenomenon_of_the_specification_has_a_test() {
    let numbers: Vec<u32> = PHENOMENA.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=34).collect::<Vec<_>>());
    let told: BTreeSet<u32> = FILES
        .iter()
        .flat_map(|text| tests_of(text))
        .flat_map(|(comment, _)| phenomena_in(&comment).collect::<Vec<_>>())
        .collect();
    for (number, title) in PHENOMENA {
        let is_excused = NOT_IN_THIS_VERSION.contains(number);
        assert_eq!(told.contains(number), !is_excused, "11.{number} {title}");
    }
}

/// Where each switch of `Rules` is told apart.
const TOLD_BY: &[(&str, &str)] = &[
    ("heartbeat_on_reconnect", "a_timed_out_request_closes_the_connection_since_4_9_1"),
    ("start_rebalance_needs_heartbeat", "without_its_heartbeat_a_start_wakes_no_pass_since_5_2"),
    (
        "shutdown_interrupts_listeners",
        "a_graceful_stop_repeats_what_the_listener_s_reaction_to_its_interrupt_leaves",
    ),
    ("close_socket_on_timeout", "a_timed_out_request_closes_the_connection_since_4_9_1"),
    ("close_socket_needs_time_left", "a_short_time_out_closes_the_connection_until_5_1"),
    (
        "broker_close_fails_waiting_requests",
        "a_pull_held_by_a_broker_that_ends_waits_for_its_time_out_until_5_1",
    ),
    (
        "rebalance_has_min_interval",
        "passes_are_twenty_seconds_apart_and_a_second_at_least_since_5_2",
    ),
    ("refused_lock_asks_again_soon", "a_refused_lock_is_asked_for_again_each_pass_or_each_second"),
    (
        "unknown_route_counts_as_changed",
        "an_unknown_topic_costs_a_heartbeat_in_each_pass_since_5_0",
    ),
    ("first_dispatch_is_delayed", "the_first_pull_of_a_queue_waits_since_5_0"),
    ("new_process_queue_is_locked", "an_orderly_start_waits_for_the_lock_flag_in_4_2_only"),
    ("broadcasting_asks_for_locks", "an_orderly_broadcasting_consumer_never_pulls_in_4_2"),
    (
        "release_waits_for_listener_only",
        "a_hand_over_with_a_backlog_takes_as_long_as_its_version_says",
    ),
    ("lock_all_skips_dropped", "dropped_queues_are_renewed_until_4_9"),
    ("lock_all_sent_twice", "locks_are_renewed_every_twenty_seconds_and_twice_since_5_0"),
    ("machine_room_indexes_all_queues", "machine_room_counts_queues_of_other_rooms_until_4_7"),
    ("locked_pull_accepts_failed_offset", "a_failed_first_locked_read_replays_the_queue_until_4_9"),
    ("offset_illegal_repairs_at_once", "a_stored_offset_beyond_the_end_is_repaired"),
    ("overflow_badly_goes_to_zero", "a_stored_offset_beyond_the_end_is_repaired"),
    ("bad_queue_id_is_invalid_parameter", "a_queue_that_is_gone_answers_by_its_version"),
    ("slave_serves_pulls", "a_slave_serves_pulls_by_its_version_and_its_property"),
    ("success_zero", "a_new_group_on_a_young_topic_begins_at_its_first_message_even_with_last"),
    (
        "server_side_offset_reset",
        "a_reset_stops_the_whole_consumer_for_ten_seconds_until_5_1_and_one_queue_for_one_since",
    ),
    ("clean_expired_defect", "in_4_2_the_cleaner_dies_of_a_message_that_has_not_begun"),
    (
        "expired_then_failed_is_sent_back_again",
        "a_call_that_fails_after_its_rescue_makes_a_second_copy_until_5_0",
    ),
    ("orderly_dead_letter_counts_one_more", "an_orderly_dead_letter_counts_one_more_in_5_3"),
    ("fallback_dlq_above_max", "by_the_fallback_the_dead_letter_comes_one_try_earlier_until_4_9"),
    (
        "locked_group_dead_letters_plain_sends",
        "a_group_that_holds_a_lock_has_no_fallback_since_5_1",
    ),
    ("retry_send_without_max_fails", "a_frozen_broker_multiplies_a_failed_message"),
    ("dlq_clears_delay_on_rpc_path", "the_ladder_has_seventeen_calls_and_ends_in_the_dead_letters"),
    ("dlq_clears_delay_on_plain_path", "an_orderly_maximum_ends_in_a_dead_letter"),
    ("origin_id_in_every_copy", "a_dead_letter_knows_its_origin_since_4_9"),
    ("dlq_topic_is_readable", "the_ladder_has_seventeen_calls_and_ends_in_the_dead_letters"),
    ("schedule_polls", "delayed_messages_are_exact_until_4_9_2_and_up_to_100_ms_late_since"),
    ("send_timeout_is_total", "a_late_answer_makes_the_producer_store_a_message_again"),
    (
        "latency_retry_prefers_same_broker",
        "with_latency_faults_a_retry_goes_back_to_the_same_broker_until_4_9",
    ),
    ("schedule_progress_is_corrected", "a_delay_level_ahead_of_its_queue_waits_until_4_9_1"),
    (
        "local_store_persists_one",
        "a_broadcasting_client_that_dies_after_a_repair_repairs_again_in_4_2",
    ),
    (
        "offsets_at_master_only",
        "without_a_master_routes_are_asked_for_with_each_report_since_4_9_3",
    ),
];

/// Switches that no run of ours shows: why, and where their two sides are told apart instead.
const TOLD_AT_THE_RULE: &[(&str, &str, &str)] = &[
    (
        "machine_room_checks_arguments",
        "a run always has queues and members",
        "machine_room_checks_its_arguments_only_after_4_2",
    ),
    (
        "query_offset_error_means_none",
        "a broker here answers a query with nothing but yes or no",
        "an_error_of_the_broker_reads_as_no_offset_until_4_9_only",
    ),
    (
        "unknown_offset_update_is_refused",
        "groups and topics never vanish in a run",
        "updates_of_unknown_groups_and_topics_are_refused_in_5_only",
    ),
    (
        "message_size_reset",
        "a message never comes again with another length",
        "an_empty_window_keeps_a_rest_of_bytes_in_4_2_only",
    ),
];

/// Where the tests at the rules are.
const UNITS: &[&str] = &[
    include_str!("../../src/model/allocate.rs"),
    include_str!("../../src/sim/client/offset_store.rs"),
    include_str!("../../src/sim/broker/consumer_offset.rs"),
    include_str!("../conformance/window.rs"),
];

#[test]
fn every_switch_is_told_apart_by_a_run_or_at_its_rule() {
    let rules = serde_json::to_value(Rules::of(Profile::V42)).expect("plain fields");
    let rules: BTreeMap<String, serde_json::Value> =
        serde_json::from_value(rules).expect("a table of names");
    for field in rules.keys() {
        let by_run = TOLD_BY.iter().any(|(name, _)| name == field);
        let at_rule = TOLD_AT_THE_RULE.iter().any(|(name, ..)| name == field);
        assert!(by_run != at_rule, "{field} is told by a run: {by_run}, at its rule: {at_rule}");
    }
    let has = |texts: &[&str], test: &str| {
        texts.iter().any(|text| text.contains(&format!("#[test]\nfn {test}()")))
            || texts.iter().any(|text| text.contains(&format!("#[test]\n    fn {test}()")))
    };
    for (field, test) in TOLD_BY {
        assert!(rules.contains_key(*field) && has(FILES, test), "{field}: no test {test}");
    }
    for (field, why, test) in TOLD_AT_THE_RULE {
        assert!(rules.contains_key(*field) && has(UNITS, test), "{field}, {why}: no test {test}");
    }
}
