"""The id of what a plan means: equal for programs that do the same, whatever their names, spacing and order."""

from hashlib import sha256

from pydantic_core import to_json

from planloom.planes.programs.plan import ProgramPlan


def commit_id(plan: ProgramPlan) -> str:
    """Return the SHA-256, in hex, over version, nodes, edges, topological order and returns of *plan*.

    A node is named by the hash of its operation, its arguments and the nodes that it takes, so that the names of
    bindings and the order of nodes that do not depend on each other change nothing.
    """
    by_id = plan.by_id
    names: dict[str, str] = {}
    depths: dict[str, int] = {}
    edges: list[str] = []
    for node_id in plan.topological_order:
        node = by_id[node_id]
        inputs = [names[each] for each in node.inputs]
        after = sorted([names[each] for each in node.after]) if node.after else []
        # a plan has the names within args in one order, however its program was written
        name = names[node_id] = sha256(to_json([node.op, node.args, inputs, after])).hexdigest()[:32]
        depths[node_id] = max([depths[each] + 1 for each in (*node.inputs, *node.after)], default=0)
        edges += [f"{before} {name}" for before in {*inputs, *after}]
    order = [name for _, name in sorted((depths[each], names[each]) for each in plan.topological_order)]
    semantic = {
        "version": plan.version,
        "nodes": sorted(order),
        "edges": sorted(edges),
        "topological_order": order,
        "returns": [names[each] for each in plan.returns],
    }
    return sha256(to_json(semantic)).hexdigest()
