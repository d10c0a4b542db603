"""`planloom run`: programs over everything that an account has, from the command line or from a prompt."""

import asyncio
import importlib
import json
import re
import signal
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

import httpx2
import typer
from rich.console import Console
from rich.table import Table

from planloom_cli import exits
from planloom_cli.options import bundled
from planloom_cli.reach import AtService, reach
from planloom_cli.service import CALL_SECONDS, Address, Service, ServiceError, Unreachable

T = TypeVar("T")

PROMPT = "planloom> "
#: Files in the folder of the state: the session of each folder, and what was typed at the prompt.
SESSIONS, HISTORY = "sessions.json", "history"
FENCE = re.compile(r"```text\n(.*?)\n```", re.DOTALL)
#: The exit code by the phase of an operation.
ENDS = {"failed": exits.FAILED, "cancelled": exits.STOPPED}
METHODS = (
    "filter",
    "sort",
    "limit",
    "group_by",
    "aggregate",
    "distinct",
    "for_each",
    "count",
    "page",
    "wait",
    "cancel",
)


@dataclass(frozen=True)
class AtPrograms(AtService):
    """The service of a command that runs programs."""

    def reach(self, work: Callable[[Service], Awaitable[T]]) -> T:
        """Return the result of *work* with the tools of programs."""
        address = self.running()
        return reach(replace(address, mcp_url=f"{address.mcp_url}/operations"), work)


@dataclass
class FolderSession:
    """The session of the current folder, at one service; handles that were given here are continued here."""

    file: Path
    address: Address

    def name(self) -> str:
        """Return the session, opening one where there is none."""
        return self._known().get(self._key) or self.renew()

    def renew(self) -> str:
        """Open a session and keep it."""
        name = open_session(self.address)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps({**self._known(), self._key: name}, indent=1), encoding="utf-8")
        return name

    @property
    def _key(self) -> str:
        return f"{self.address.http_url} {Path.cwd()}"

    def _known(self) -> dict[str, str]:
        try:
            return dict(json.loads(self.file.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return {}


def open_session(address: Address) -> str:
    """Open a session over HTTP and return its name. Raises Unreachable."""
    try:
        answer = httpx2.post(f"{address.http_url}/execute", headers={"X-API-Key": address.key}, timeout=CALL_SECONDS)
        return str(answer.json()["session"])
    except (httpx2.HTTPError, ValueError, KeyError, TypeError) as error:
        raise Unreachable(f"{address.http_url} opened no session ({type(error).__name__}).") from error


@bundled
def run(
    at: AtPrograms,
    expression: Annotated[
        str | None, typer.Option("-e", "--expression", help="The program; without it, a prompt reads programs.")
    ] = None,
    mode: Annotated[str, typer.Option(help="plan: show what the program would do; run.")] = "run",
    wait: Annotated[
        str | None, typer.Option(metavar="true|false", help="false: start it and print its handle; true: wait.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Run a plan that needs a review without one.")] = False,
    plan_commit_ref: Annotated[str | None, typer.Option(help="pcN of a dry run of this program.")] = None,
) -> None:
    r"""Run a program over everything that you have: 'Plan\[id, title, state].limit(5)'.

    What takes long prints a handle: continue with 'wait(s0_o1)' or 'cancel(s0_o1)'.
    """
    if mode not in ("run", "plan") or wait not in (None, "true", "false"):
        exits.leave(exits.REFUSED, "--mode is run or plan, --wait is true or false.")
    asked = {"mode": mode, "wait": None if wait is None else wait == "true", "force": force or None}
    asked["plan_commit_ref"] = plan_commit_ref
    session = FolderSession(at.state / SESSIONS, at.running())
    if expression is None:
        at.reach(lambda service: _prompt(service, session, asked, at))
        return
    found = at.reach(lambda service: call(service, session, expression, asked))
    _print(found, at)
    phase = found.get("_meta", {}).get("plasm", {}).get("continuity", {}).get("p", "")
    if phase in ENDS:
        raise typer.Exit(ENDS[phase])


async def call(service: Service, session: FolderSession, program: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Return what a program comes to in the folder's session, which is opened again where it expired."""
    name = await asyncio.to_thread(session.name)
    try:
        return await _called(service, program, name, asked)
    except ServiceError as error:
        if error.code != "unknown_session":
            raise
    return await _called(service, program, await asyncio.to_thread(session.renew), asked)


async def _called(service: Service, program: str, session: str, asked: dict[str, Any]) -> dict[str, Any]:
    if asked.get("mode") == "plan":
        return await service.call("plasm", program=program, session=session)
    return await service.call("plasm_run", program=program, session=session, **asked)


def show(found: dict[str, Any]) -> None:
    """Print what a program came to: its line, its rows as tables, and where the rest is."""
    lines = FENCE.findall(found["run_markdown"])
    for line in lines:
        typer.echo(line)
    results = found.get("results") or []
    for each in results:
        _show_rows(each)
    for each in found.get("started") or []:
        typer.echo(f"{each['entity']} {each['id']}: wait({each['handle']}), cancel({each['handle']})")
    if not results:
        typer.echo(FENCE.sub("", found["run_markdown"]).strip())
    elif found.get("resource"):
        typer.echo(f"Everything: {found['resource']}")


def _show_rows(returned: dict[str, Any]) -> None:
    rows = returned["rows"]
    if returned["name"]:
        typer.echo(f"{returned['name']}:")
    if not rows:
        typer.echo("No rows.")
        return
    names = list(dict.fromkeys(name for row in rows for name in row))
    table = Table(*names, box=None)
    for row in rows:
        table.add_row(*(_cell(row.get(name)) for name in names))
    Console(width=None).print(table)
    left = returned["total"] - len(rows)
    more = [f"{left:,} more rows"] if left > 0 else []
    more += [f"page({returned['page']})"] if returned["page"] else []
    if more:
        typer.echo(f"… {': '.join(more)}")


def _cell(value: Any) -> str:
    text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    # rows are text of others: brackets are no markup, control characters no commands of the terminal
    printable = "".join(sign if sign.isprintable() else " " for sign in text)
    return printable[:80].replace("[", "\\[")


async def _prompt(service: Service, session: FolderSession, asked: dict[str, Any], at: AtPrograms) -> None:
    """Run the programs that are read from a prompt until its end, as *asked*; a plan is accepted for the first one."""
    history = at.state / HISTORY
    card = await service.client.read_resource("plasm://reference")
    completing = await asyncio.to_thread(_use_readline, history, words(str(card)))
    try:
        while (text := _line(PROMPT)) not in (None, "exit", "quit"):
            if text:
                try:
                    await _answered(service, session, text, asked, at)
                except ServiceError as error:
                    typer.echo(f"{error.code}: {error.message}", err=True)
                asked = {**asked, "plan_commit_ref": None}
    finally:
        if completing:
            with suppress(OSError):
                completing.write_history_file(history)


def _line(prompt: str) -> str | None:
    """Return the line that is typed, empty after Ctrl-C, None at the end of the input."""
    # the handler of asyncio cancels its task, but input() would return only after Enter
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return input(prompt).strip()
    except KeyboardInterrupt:
        typer.echo()
        return ""
    except EOFError:
        return None
    finally:
        signal.signal(signal.SIGINT, before)


async def _answered(service: Service, session: FolderSession, text: str, asked: dict[str, Any], at: AtPrograms) -> None:
    """Run a program of the prompt; a plan that needs a review is shown first."""
    try:
        found = await call(service, session, text, asked)
    except ServiceError as error:
        if error.code != "plan_requires_review":
            raise
        plan = await call(service, session, text, {"mode": "plan"})
        show(plan)
        if (_line("Run it? [y/N] ") or "").lower() not in ("y", "yes"):
            return
        found = await call(service, session, text, {**asked, "plan_commit_ref": plan["plan_commit_ref"]})
    _print(found, at)


def _print(found: dict[str, Any], at: AtPrograms) -> None:
    if at.as_json:
        at.say(found, "")
    else:
        show(found)


def words(card: str) -> list[str]:
    """Return what can be completed: the names on the reference card, and the methods of the language."""
    return sorted({*METHODS, *re.findall(r"[A-Za-z]\w{2,}", card)})


def completions(known: Iterable[str], typed: str) -> list[str]:
    """Return the words that begin with what is typed after the last sign."""
    head, last = re.fullmatch(r"(.*?)(\w*)", typed, re.DOTALL).groups()  # type: ignore[union-attr]
    return [head + word for word in known if last and word.startswith(last)]


def _use_readline(history: Path, known: list[str]) -> Any:
    """Let the prompt complete *known* words and remember what was typed; None where Python has no readline."""
    try:
        readline: Any = importlib.import_module("readline")
    except ImportError:
        return None

    def complete(typed: str, place: int) -> str | None:
        found = completions(known, typed)
        return found[place] if place < len(found) else None

    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
    with suppress(OSError):
        readline.read_history_file(history)
    return readline
