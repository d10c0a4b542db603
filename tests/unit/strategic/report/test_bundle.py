"""The zip of a plan's files: the same files give the same bytes, and what goes in comes out."""

import io
import zipfile
from datetime import timedelta

from planloom.planes.strategic.report.bundle import zip_of
from tests.unit.strategic.report.drawn import AT

FILES = {"030-report.html": (b"<!doctype html>", AT), "001-2-plan.txt": ("Bäckerei".encode(), AT + timedelta(days=1))}


def test_the_same_files_in_any_order_give_the_same_bytes():
    assert zip_of(FILES) == zip_of(dict(reversed(FILES.items())))


def test_what_goes_in_comes_out_in_order_with_its_time():
    with zipfile.ZipFile(io.BytesIO(zip_of(FILES))) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["001-2-plan.txt", "030-report.html"]
        assert archive.read("001-2-plan.txt").decode() == "Bäckerei"
        assert archive.getinfo("030-report.html").date_time == (2026, 11, 2, 9, 30, 14)


def test_an_empty_plan_gives_an_empty_zip():
    with zipfile.ZipFile(io.BytesIO(zip_of({}))) as archive:
        assert archive.namelist() == []
