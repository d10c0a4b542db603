"""Strongly connected components of a graph, without recursion. Source: Tarjan 1972."""

from collections.abc import Iterator, Mapping, Sequence


def strongly_connected_components(graph: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Yield the strongly connected components of *graph* (node -> nodes it points to); linear in nodes and edges.

    Nodes that are pointed to and are not in the graph are passed over.
    """
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    for root in graph:
        todo = [] if root in number else [(root, iter(graph[root]))]
        if todo:
            _enter(root, number, low, stack, on_stack)
        while todo:
            node, targets = todo[-1]
            fresh = _next(node, targets, graph, number, low, on_stack)
            if fresh is not None:
                _enter(fresh, number, low, stack, on_stack)
                todo.append((fresh, iter(graph[fresh])))
                continue
            todo.pop()
            if todo:
                low[todo[-1][0]] = min(low[todo[-1][0]], low[node])
            if low[node] == number[node]:
                yield _leave(node, stack, on_stack)


def _enter(node: str, number: dict[str, int], low: dict[str, int], stack: list[str], on_stack: set[str]) -> None:
    number[node] = low[node] = len(number)
    stack.append(node)
    on_stack.add(node)


def _next(
    node: str,
    targets: Iterator[str],
    graph: Mapping[str, Sequence[str]],
    number: Mapping[str, int],
    low: dict[str, int],
    on_stack: set[str],
) -> str | None:
    """Return the next target that was not seen yet; merge those that were into *low*."""
    for target in targets:
        if target in graph and target not in number:
            return target
        if target in on_stack:
            low[node] = min(low[node], number[target])
    return None


def _leave(node: str, stack: list[str], on_stack: set[str]) -> list[str]:
    place = stack.index(node)
    component = stack[place:]
    del stack[place:]
    on_stack.difference_update(component)
    return component
