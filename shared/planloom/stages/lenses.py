"""One call for each lens, side by side: the same instructions and answer, another question and another excerpt."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from planloom.domain.frozen import Answer
from planloom.models.model import Part
from planloom.stages.desk import Desk
from planloom.stages.excerpt import Excerpt

A = TypeVar("A", bound=Answer)
N = TypeVar("N", bound=str)


@dataclass(frozen=True)
class Lens(Generic[N]):
    """One way to look at the plan: *name* names the call, *question* goes into the instructions.

    *reads* is what this lens sees beside what all lenses of the stage see.
    """

    name: N
    question: str
    reads: tuple[Excerpt, ...] = ()


async def through(
    desk: Desk,
    lenses: Sequence[Lens[N]],
    instructions: str,
    shared: tuple[Part, ...],
    answer: type[A],
    outline: Callable[[N], A],
) -> list[A]:
    """Ask once through each of *lenses*, in one round; return the answers in their order.

    ``{name}`` and ``{question}`` in *instructions* are the lens's; *outline* answers for the lens of a name. Raises
    what Desk.ask raises.
    """
    return await asyncio.gather(
        *(
            desk.ask(
                lens.name, _asks(lens, instructions), _sees(desk, lens, shared), answer, partial(outline, lens.name)
            )
            for lens in lenses
        )
    )


async def parts_through(
    desk: Desk,
    lenses: Sequence[Lens[N]],
    instructions: str,
    shared: tuple[Part, ...],
    answer: type[A],
    outline: Callable[[N], A],
) -> dict[N, A]:
    """Ask as :func:`through` does; return the answers by the names of their lenses, in the order of *lenses*.

    A lens without a usable answer is not among them, and the section says that it is missing.
    """
    found = await asyncio.gather(
        *(
            desk.ask_part(
                lens.name, _asks(lens, instructions), _sees(desk, lens, shared), answer, partial(outline, lens.name)
            )
            for lens in lenses
        )
    )
    return {lens.name: given for lens, given in zip(lenses, found, strict=True) if given}


def _asks(lens: Lens[N], instructions: str) -> str:
    return instructions.format(name=lens.name, question=lens.question)


def _sees(desk: Desk, lens: Lens[N], shared: tuple[Part, ...]) -> tuple[Part, ...]:
    return (*shared, *desk.excerpts(*lens.reads))
