//! Every invariant, in the order of spec 12.

use super::Check::{Broker, Consumer, Event, Rest, Task, Walk};
use super::Invariant;
use super::Scope::{self, Always, Hint, OnceInOrder, WithoutFaults};
use super::{Check, across, at_broker, at_client, ownership};

const fn rule(id: &'static str, scope: Scope, check: Check) -> Invariant {
    Invariant { id, scope, check }
}

/// All of them. An id with two halves is here twice.
pub const ALL: &[Invariant] = &[
    rule("T1", Always, Event(at_broker::nothing_happens_in_the_past)),
    rule("T1", Always, Walk(at_broker::nothing_is_left_behind)),
    rule("B1", Always, Event(at_broker::b1_consume_queue_is_dense)),
    rule("B1", Always, Rest(at_broker::b1_offsets_keep_their_message)),
    rule("B2", Always, Broker(at_broker::b2_min_offset_is_not_above_max)),
    rule("B3", Always, Event(at_broker::b3_physical_offsets_increase)),
    rule("B4", WithoutFaults, Event(at_broker::b4_store_times_do_not_decrease)),
    rule("B5", WithoutFaults, Broker(at_broker::b5_due_times_of_a_level_do_not_decrease)),
    rule("B6", Always, Event(at_broker::b6_delayed_messages_wait)),
    rule("B7", Always, Broker(at_broker::b7_one_lock_owner)),
    rule("B8", Always, Event(at_broker::b8_a_lock_is_given_back_or_expires)),
    rule("B9", Always, Event(at_broker::b9_a_retry_counts_one_more)),
    rule("B10", Always, Event(at_broker::b10_dead_letters_have_failed_too_often)),
    rule("B11", WithoutFaults, Broker(at_broker::b11_held_pulls_are_answered_in_time)),
    rule("B12", WithoutFaults, Task(at_broker::b12_members_hear_of_each_change)),
    rule("B13", Always, Broker(at_broker::b13_retry_topics_keep_their_queues)),
    rule("B14", Hint, Event(at_broker::b14_a_stored_offset_decreased)),
    rule("B15", Always, Broker(at_broker::b15_no_pull_is_served_by_an_older_subscription)),
    rule("B15", WithoutFaults, Event(at_broker::b15_refusals_end_with_the_next_heartbeat)),
    rule("B16", Always, Event(at_broker::b16_an_empty_queue_answers_by_its_version)),
    rule("B17", Always, Event(at_broker::b17_dead_letters_arrive_as_their_version_says)),
    rule("C1", Always, Walk(at_client::c1_one_pull_request_for_each_window)),
    rule("C2", Always, Task(at_client::c2_results_of_dropped_windows_count_for_nothing)),
    rule("C3", Always, Consumer(at_client::c3_the_window_counts_what_it_holds)),
    rule("C3", Always, Walk(at_client::c3_the_window_ends_before_the_next_pull)),
    rule("C3", Always, Consumer(at_client::c3_dropped_is_for_good)),
    rule("C4", Always, Consumer(at_client::c4_the_window_is_bounded)),
    rule("C5", Always, Consumer(at_client::c5_the_offset_never_passes_the_unfinished)),
    rule("C6", Always, Event(at_client::c6_the_offset_does_not_go_back)),
    rule("C7", Always, Consumer(at_client::c7_the_pool_never_grows_beyond_its_core)),
    rule("C8", Always, Consumer(at_client::c8_one_orderly_call_for_each_queue)),
    rule("C9", Always, Event(at_client::c9_orderly_offsets_increase)),
    rule("C10", Always, Consumer(at_client::c10_orderly_calls_begin_under_the_lock)),
    rule("C11", Always, Event(at_client::c11_pulls_go_forward)),
    rule("C12", Always, Consumer(ownership::c12_owned_is_part_of_the_share)),
    rule("C13", WithoutFaults, Event(ownership::c13_passes_are_not_too_far_apart)),
    rule("C13", Always, Event(ownership::c13_passes_are_not_too_close)),
    rule("C14", WithoutFaults, Consumer(at_client::c14_offsets_are_reported_in_time)),
    rule("C15", Always, Event(at_client::c15_only_known_offsets_are_reported)),
    rule("C16", Always, Event(at_client::c16_the_first_pull_waits)),
    rule("C17", Always, Event(at_client::c17_nothing_begins_after_the_stop)),
    rule("C17", Always, Task(at_client::c17_every_running_call_is_interrupted_once)),
    rule("C18", Always, Event(at_client::c18_nothing_is_reported_after_the_goodbye)),
    rule("C19", Always, Consumer(at_client::c19_an_empty_window_has_no_bytes)),
    rule("C20", Always, Task(at_client::c20_only_timed_out_calls_close_connections)),
    rule("X1", Always, Event(across::x1_committed_was_delivered)),
    rule("X1", Always, Rest(across::x1_nothing_is_forgotten)),
    rule("X2", Always, Event(across::x2_committed_is_done)),
    rule("X3", Always, Event(ownership::x3_equal_views_divide_the_queues)),
    rule("X4", WithoutFaults, Walk(ownership::x4_one_owner_once_views_agree)),
    rule("X5", WithoutFaults, Event(ownership::x5_one_orderly_client_for_each_queue)),
    rule("X6", WithoutFaults, Event(across::x6_first_deliveries_are_in_order)),
    rule("X8", WithoutFaults, Event(across::x8_a_success_is_not_repeated)),
    rule("X9", Always, Event(across::x9_a_chain_has_an_end)),
    rule("X10", WithoutFaults, Event(across::x10_broadcasting_executes_once)),
    rule("X11", Always, Walk(across::x11_pulled_is_in_the_window_or_done)),
    rule("X12", Always, Task(at_broker::x12_each_send_back_stores_one_record)),
    // A doubled CONSUMER_SEND_MSG_BACK makes two copies of one attempt.
    rule("X13", OnceInOrder, Event(at_broker::x13_no_more_copies_than_attempts)),
    rule("X14", WithoutFaults, Consumer(ownership::x14_a_moved_queue_repeats_one_batch)),
];
