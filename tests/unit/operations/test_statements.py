"""Which tests hold the statements of the specification of operations, and of what it leaves open.

A test of test_surfaces.py that takes ``surface`` runs over MCP, over HTTP with a query, and over HTTP with JSON.
"""

from importlib import import_module

import pytest

MODULES = {
    "surfaces": "tests.unit.operations.test_surfaces",
    "operations": "tests.unit.operations.test_operations",
    "lines": "tests.unit.operations.test_lines",
    "tasks": "tests.unit.operations.test_tasks",
    "plan": "tests.unit.programs.test_plan",
    "evaluate": "tests.unit.programs.test_evaluate",
    "command": "tests.unit.cli.test_run",
    "push": "tests.unit.cli.test_push_lines",
    "many": "tests.integration.test_operations",
}

SPECIFICATION = {
    "page(s0_pgN) has the rows that follow": "surfaces.a_page_can_be_dry_run_and_a_page_of_a_page_follows",
    "wait(s0_oN) continues an operation": (
        "surfaces.wait_false_and_force_accept_an_operation_that_is_polled_to_its_result"
    ),
    "cancel(s0_oN) is cooperative": "surfaces.cancel_answers_cancelled_twice_and_leaves_a_snapshot",
    "MCP names handles with the session": "surfaces.plasm_context_opens_a_session_whose_handles_have_its_name",
    "HTTP uses the slot s0": "surfaces.s0_of_mcp_is_reached_over_http_too",
    "a dry run mints pcN": "surfaces.a_dry_run_mints_a_plan_commit_ref_and_says_what_needs_a_review",
    "hashed: version, nodes, edges, order, returns": "plan.the_id_ignores_nothing_else",
    "hashed: the version; not: the summary": "plan.the_id_covers_the_version_and_leaves_out_what_is_only_shown",
    "not hashed: names": "plan.the_id_ignores_names_spacing_and_the_order_of_independent_nodes",
    "the same program has the same id": "surfaces.the_same_program_has_the_same_id_on_both_surfaces",
    "and the same acceptance": "surfaces.a_plan_commit_of_one_surface_is_accepted_on_the_other",
    "tokens expire after 10 minutes": "surfaces.a_plan_commit_expires_after_ten_minutes",
    "review is blocked unless it matches or is forced": (
        "surfaces.review_is_blocked_without_a_matching_plan_commit_or_force"
    ),
    "expensive plans are asynchronous": "surfaces.an_expensive_program_is_asynchronous_unless_the_caller_waits",
    "advisory review stays synchronous": "surfaces.an_advisory_review_alone_stays_synchronous",
    "wait: false on any plan": "surfaces.wait_false_accepts_a_bounded_ok_program_too",
    "bounded ok plans stay synchronous": "surfaces.a_bounded_ok_program_is_answered_at_once",
    "resources/read has everything": "surfaces.an_expensive_program_is_asynchronous_unless_the_caller_waits",
    "mode=plan on plasm_run too": "surfaces.plasm_run_with_mode_plan_is_a_dry_run",
    "the command: --mode plan": "command.a_dry_run_shows_the_plan_and_runs_nothing",
    "the command: --wait=false --force, wait, cancel": (
        "command.an_operation_is_accepted_polled_and_ended_in_the_session_of_the_folder"
    ),
    "six signs, short keys": "lines.a_line_has_its_sign_and_the_same_with_short_keys",
    "= has the step, ~ the rows": "operations.polls_show_progress_then_unchanged_then_the_result_and_repeat_it",
    "server-sent events": "surfaces.a_stream_has_the_line_as_it_is_then_progress_then_the_end",
    "notifications/plasm/op": "push.lines_of_an_accepted_operation_are_pushed_to_its_end_with_rising_numbers",
}

LEFT_OPEN = {
    "pcN from 0, others from 1, after a restart too": (
        "operations.plan_commits_count_from_0_operations_and_pages_from_1_also_after_a_restart"
    ),
    "a handle of another session is refused": "operations.a_handle_of_another_session_is_refused",
    "a plain oN shows the right form": "operations.a_bare_handle_is_refused_with_the_right_form_shown",
    "trimmed text that starts with wait( or cancel(": (
        "operations.a_program_that_starts_with_wait_or_cancel_is_a_continuation_also_with_blanks_around_it"
    ),
    "a dry run refuses continuations": "surfaces.refusals_have_their_codes",
    "unknown, expired, mismatch": "operations.the_checks_of_a_plan_commit_come_in_the_order_unknown_expired_mismatch",
    "the stored verdict counts": "operations.when_a_plan_commit_is_accepted_the_verdict_stored_with_it_counts",
    "verdicts": "plan.verdict",
    "deny by policy": "plan.the_policy_of_the_account_denies_by_effect_and_by_name",
    "deny and needs_fix are not forced": "surfaces.deny_and_needs_fix_are_refused_whatever_is_passed",
    "gate within 2 s, accept within 1 s": "surfaces.a_refusal_and_an_accept_call_no_backend",
    "a part without a total, 0r": "lines.a_part_without_a_total_and_0_rows_are_left_out",
    "no poll instructions on polls; n rises": "surfaces.an_accept_says_how_to_continue_and_no_poll_repeats_it",
    "coalescing: rows": "lines.growth_of_rows_within_a_step_makes_a_line_at_most_every_2_seconds",
    "coalescing: step": "lines.a_change_of_step_makes_a_line_at_once",
    "coalescing by workers": "operations.pages_that_come_fast_make_no_line_of_their_own",
    "push: snapshot, progress, terminal, keep-alive": (
        "surfaces.a_stream_has_the_line_as_it_is_then_progress_then_the_end"
    ),
    "push: every end": "surfaces.a_stream_ends_with_the_line_of_a_cancelled_or_failed_operation",
    "cancel: done work stays": "operations.what_was_done_before_a_cancel_stays_and_can_be_read",
    "cancel: from any replica": "operations.cancel_is_idempotent_and_works_from_any_replica",
    "cancel: at any moment": ("many.cancelled_at_a_random_call_it_ends_without_its_answer_and_says_how_far_it_came"),
    "unknown_operation_handle": "surfaces.an_unknown_handle_is_answered_with_up_to_8_open_ones",
    "operation_failed": "surfaces.a_failed_operation_is_operation_failed_with_its_message",
    "operation_result_unavailable": "surfaces.a_result_that_is_not_kept_any_more_is_said_to_be_unavailable",
    "too_many_operations": "surfaces.too_many_operations_name_the_count_and_the_handles",
    "plan_requires_review, plan_commit_mismatch": (
        "surfaces.review_is_blocked_without_a_matching_plan_commit_or_force"
    ),
    "16 live": "operations.a_session_has_16_live_operations_and_the_error_names_them",
    "32 ended": "operations.a_session_keeps_the_last_32_operations_that_ended",
    "settings": "operations.the_limits_of_a_session_are_settings",
    "a cursor of the backend": "operations.pages_follow_the_cursor_of_the_backend_to_its_end",
    "rows already held": "operations.rows_that_are_held_have_pages_and_the_whole_is_a_resource",
    "held rows never replace a cursor": "evaluate.a_bare_list_is_one_page_and_the_rest_follows_by_handle",
    "page size and limit merge": "operations.page_size_and_limit_merge_by_the_smaller",
    "aggregates have no pages": "operations.an_aggregate_has_no_pages",
}


@pytest.mark.parametrize("statement", [*SPECIFICATION, *LEFT_OPEN])
def test_a_statement_has_its_test(statement: str) -> None:
    module, _, name = ({**SPECIFICATION, **LEFT_OPEN}[statement]).partition(".")
    assert callable(getattr(import_module(MODULES[module]), f"test_{name}", None))
