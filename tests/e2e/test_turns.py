"""More plans than a laptop drafts at once: the others wait, and start by themselves."""

from tests.e2e.conftest import Running, until


def test_of_three_plans_one_waits_until_another_is_stopped(service: Running) -> None:
    first, second, third = (service.create("bakery-cafe-lisbon") for _ in range(3))
    # at once: on a busy machine the first may be drafted before the second has begun
    waited = service.call("plan_wait", plan_id=third, timeout_sec=0)
    assert waited["state"] == "pending"
    assert waited["queue_position"] == 1
    assert any("2 plans at a time" in step for step in waited["next_steps"])
    assert service.ports.pipeline.status(third, 1) is None
    for plan_id in (first, second):
        service.until_state(plan_id, "processing", "completed")

    service.call("plan_stop", plan_id=first)

    service.until_state(third, "processing", "completed")
    for plan_id in (second, third):
        service.call("plan_stop", plan_id=plan_id)
    until(lambda: service.ports.queue.read() == (frozenset(), ()), "every turn given back")
