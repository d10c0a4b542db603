"""The files of a plan as links: whole, and quickly."""

from dataclasses import replace
from threading import Barrier

import pytest

from planloom.core.artifacts import REPORT
from planloom.core.errors import ContentUnavailable
from planloom.planes.strategic.services.plan_file_info import plan_file_info
from planloom.planes.strategic.services.stop_plan import stop_plan
from tests.fake_ports import Fakes, make_fakes
from tests.fakes import FakeFileStore
from tests.unit.strategic.services.drafted import completed
from tests.unit.strategic.services.spy import Spy
from tests.unit.strategic.services.walk import begin, deliver, work


class SlowFileStore(FakeFileStore):
    """Answers a read of the first two artifacts only once both have been asked for."""

    def __init__(self, of: FakeFileStore) -> None:
        super().__init__(of.contents, of.writes)
        self.both = Barrier(2, timeout=5)

    def read(self, plan_id: str, path: str) -> bytes | None:
        if path.startswith(("001-1-", "001-2-")):
            self.both.wait()
        return super().read(plan_id, path)


@pytest.fixture
def fakes() -> Fakes:
    made = make_fakes()
    plan = begin(made)
    work(made, plan, "start")
    deliver(made)
    stop_plan(made.ports.run_control, "acme", plan.plan_id)
    return made


def test_the_files_of_a_zip_are_read_side_by_side(fakes: Fakes) -> None:
    (plan_id,) = fakes.plans.plans
    ports = replace(fakes.ports, files=SlowFileStore(fakes.files))
    assert plan_file_info(ports.plan_records, "acme", plan_id, "zip").content_type == "application/zip"


def test_a_zip_is_whole_or_not_there(fakes: Fakes) -> None:
    (plan_id,) = fakes.plans.plans
    del fakes.files.contents[plan_id, "001-2-plan.txt"]
    with pytest.raises(ContentUnavailable, match=r"001-2-plan.txt .* Try again"):
        plan_file_info(fakes.ports.plan_records, "acme", plan_id, "zip")


@pytest.mark.parametrize("left", [None, b"<html>another</html>"])
def test_no_link_is_given_to_a_report_that_is_gone_or_another_than_was_made(left: bytes | None) -> None:
    fakes, plan = completed(Spy())
    assert plan_file_info(fakes.ports.plan_records, "acme", plan.plan_id, "report").path == REPORT
    fakes.files.delete(plan.plan_id, [REPORT])
    if left:
        fakes.files.write(plan.plan_id, REPORT, left, "text/html")
    with pytest.raises(ContentUnavailable, match="Try again in a few seconds"):
        plan_file_info(fakes.ports.plan_records, "acme", plan.plan_id, "report")
