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
                lens.name,
                instructions.format(name=lens.name, question=lens.question),
                (*shared, *desk.excerpts(*lens.reads)),
                answer,
                partial(outline, lens.name),
            )
            for lens in lenses
        )
    )
