"""The ports as they are wired: what clients get."""

from urllib.parse import urlsplit
from uuid import UUID

import boto3
import pytest

from planloom.settings import Settings
from planloom.wiring.aws import Clients
from planloom.wiring.plans import Ports

SETTINGS = Settings.read({"PLANLOOM_TABLE": "plans", "PLANLOOM_BUCKET": "plans", "PLANLOOM_BUS": "plans"})


@pytest.mark.parametrize(
    ("endpoint", "host"), [(None, "plans.s3.eu-west-1.amazonaws.com"), ("http://127.0.0.1:4566", "127.0.0.1:4566")]
)
def test_links_name_the_host_that_answers_them_in_every_region(endpoint: str | None, host: str) -> None:
    ports = Ports(SETTINGS, Clients(boto3.Session(region_name="eu-west-1").client, endpoint))
    assert urlsplit(ports.files.link("p", "030-report.html", "p-030-report.html", 3600)).netloc == host


def test_4_1_a_plan_has_a_uuid_of_its_own() -> None:
    ports = Ports(SETTINGS, Clients(boto3.Session(region_name="eu-west-1").client))
    one, other = ports.new_id(), ports.new_id()
    assert (str(UUID(one)), str(UUID(other))) == (one, other)
    assert one != other
