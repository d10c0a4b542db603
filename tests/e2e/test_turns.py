"""More plans than a laptop drafts at once: the others wait, and start by themselves."""

from tests.e2e.conftest import Running, until


def test_plans_wait_for_their_turn_until_others_are_drafted_or_stopped(service: Running) -> None:
    # so many that the first are not drafted yet on a busy machine
    first, *others, last = (service.create("bakery-cafe-lisbon") for _ in range(6))
    waited = service.call("plan_wait", plan_id=last, timeout_sec=0)
    assert waited["state"] == "pending"
    assert 1 <= waited["queue_position"] <= 4
    assert any("2 plans at a time" in step for step in waited["next_steps"])
    assert service.ports.pipeline.status(last, 1) is None

    for plan_id in (first, *others):
        service.call("plan_stop", plan_id=plan_id)

    service.until_state(last, "processing", "completed")
    service.call("plan_stop", plan_id=last)
    until(lambda: service.ports.queue.read() == (frozenset(), ()), "every turn given back")
