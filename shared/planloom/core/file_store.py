"""The files of plans: the truth."""

from collections.abc import Iterable
from typing import Protocol

from planloom.core.artifacts import Artifact, FileVersion


class FileStore(Protocol):
    """The truth: the files of each plan, versioned, each write whole or not at all."""

    def write(self, plan_id: str, path: str, content: bytes, content_type: str) -> None:
        """Store *content*, replacing what was there."""
        ...

    def read(self, plan_id: str, path: str) -> bytes | None:
        """Return the content, or None where there is no such file."""
        ...

    def read_part(self, plan_id: str, path: str, start: int, length: int) -> bytes | None:
        """Return at most *length* (1 or more) bytes from *start*; None where there is no such file.

        A *start* at or behind the end gives no bytes.
        """
        ...

    def describe(self, plan_id: str, path: str) -> Artifact | None:
        """Return what is stored under *path*, without reading it; None where there is no such file."""
        ...

    def remove_all(self, plan_id: str) -> None:
        """Remove every file of the plan with all its earlier versions; no error where there is none."""
        ...

    def paths(self, plan_id: str, prefix: str = "") -> list[str]:
        """Return the paths that begin with *prefix*, sorted."""
        ...

    def sha256(self, plan_id: str, path: str) -> str | None:
        """Return the hash of what is stored, in hex, without reading it; None where there is no such file."""
        ...

    def read_tagged(self, plan_id: str, path: str) -> tuple[bytes, str] | None:
        """Return the content and its tag, for a ``replace`` that must not undo what somebody else wrote; or None."""
        ...

    def replace(self, plan_id: str, path: str, content: bytes, content_type: str, tag: str | None) -> bool:
        """Store *content* where what is there still has *tag* (None: where nothing is there).

        Returns False, changing nothing, otherwise: of many that try at once with the same tag, one succeeds.
        """
        ...

    def copy(self, plan_id: str, path: str, to_plan_id: str) -> bool:
        """Copy a file to the same path of another plan; return False where there is none."""
        ...

    def delete(self, plan_id: str, paths: Iterable[str]) -> None:
        """Take the files away; earlier versions stay readable. No error for one that is not there."""
        ...

    def plans(self) -> list[str]:
        """Return the ids of all plans that have a file, in no order."""
        ...

    def versions(self, plan_id: str, path: str, limit: int) -> list[FileVersion]:
        """Return at most *limit* versions of a file, newest first; empty where there never was one."""
        ...

    def read_version(self, plan_id: str, path: str, version: str) -> bytes | None:
        """Return what the file was in that version, or None where there is none."""
        ...

    def link(self, plan_id: str, path: str, filename: str, seconds: int) -> str:
        """Return an absolute URL that downloads the file without a key, as *filename*, for *seconds*."""
        ...
