/** What can be done to a plan: each edit takes a document and returns the next one; what did not change is shared. */
import type { Kind, PlanDocument, Positions, Step } from "./document.ts";

export function editStep(plan: PlanDocument, id: string, change: Partial<Step>): PlanDocument {
  return { ...plan, steps: plan.steps.map((step) => (step.id === id ? { ...step, ...change } : step)) };
}

/** Return the next free id of a step. */
export function nextId(plan: PlanDocument): string {
  const numbers = plan.steps.map((step) => Number(step.id.slice(1))).filter(Number.isFinite);
  return `S${Math.max(0, ...numbers) + 1}`;
}

/** Add a step after *after*, which it then waits for, or at the end; return the plan and the new step's id. */
export function addStep(plan: PlanDocument, kind: Kind, after?: string): [PlanDocument, string] {
  const id = nextId(plan);
  const before = plan.steps.find((step) => step.id === after) ?? plan.steps.at(-1);
  const made: Step = {
    id,
    kind,
    title: "New step",
    intent: "Say what this step is for.",
    dependsOn: after ? [after] : [],
    actions: [{ type: "search", query: "what to look for" }],
    verification: [],
    ui: { status: "todo", group: before?.ui.group ?? "main", ...(before?.ui.lane ? { lane: before.ui.lane } : {}) },
  };
  const place = after ? plan.steps.findIndex((step) => step.id === after) + 1 : plan.steps.length;
  return [{ ...plan, steps: plan.steps.toSpliced(place, 0, made) }, id];
}

/** Delete steps, all dependencies on them, and their positions in the layout. */
export function deleteSteps(plan: PlanDocument, ids: ReadonlySet<string>): PlanDocument {
  const steps = plan.steps
    .filter((step) => !ids.has(step.id))
    .map((step) =>
      step.dependsOn.some((id) => ids.has(id))
        ? { ...step, dependsOn: step.dependsOn.filter((id) => !ids.has(id)) }
        : step,
    );
  const layout = plan.metadata?.layout as { nodes?: { id: string }[] } | undefined;
  if (!Array.isArray(layout?.nodes)) return { ...plan, steps };
  const nodes = layout.nodes.filter((node) => !ids.has(node?.id));
  return { ...plan, steps, metadata: { ...plan.metadata, layout: { ...layout, nodes } } };
}

/** Let *step* depend on *other*. Returns the plan unchanged if it does already, or if it would make a cycle. */
export function connect(plan: PlanDocument, step: string, other: string): PlanDocument {
  const found = plan.steps.find((each) => each.id === step);
  if (!found || step === other || found.dependsOn.includes(other) || reaches(plan, other, step)) return plan;
  return editStep(plan, step, { dependsOn: [...found.dependsOn, other] });
}

export function disconnect(plan: PlanDocument, step: string, other: string): PlanDocument {
  const found = plan.steps.find((each) => each.id === step);
  if (!found?.dependsOn.includes(other)) return plan;
  return editStep(plan, step, { dependsOn: found.dependsOn.filter((id) => id !== other) });
}

/** Say whether *from* waits, directly or through others, for *to*. */
export function reaches(plan: PlanDocument, from: string, to: string): boolean {
  const waits = new Map(plan.steps.map((step) => [step.id, step.dependsOn]));
  const seen = new Set<string>();
  const todo = [from];
  for (let id = todo.pop(); id !== undefined; id = todo.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    todo.push(...(waits.get(id) ?? []));
  }
  return false;
}

/**
 * Move a step by *by* places among *shown*, the ids of the steps that are listed with it (all by default), in the order of the
 * document; it stays where it is at the ends.
 */
export function moveStep(plan: PlanDocument, id: string, by: number, shown?: readonly string[]): PlanDocument {
  const among = shown ?? plan.steps.map((step) => step.id);
  const neighbour = among[among.indexOf(id) + by];
  const from = plan.steps.findIndex((step) => step.id === id);
  const to = plan.steps.findIndex((step) => step.id === neighbour);
  const step = plan.steps[from];
  if (!step || to < 0 || !among.includes(id)) return plan;
  return { ...plan, steps: plan.steps.toSpliced(from, 1).toSpliced(to, 0, step) };
}

/** Store the positions of the cards. */
export function storeLayout(plan: PlanDocument, positions: Positions): PlanDocument {
  const nodes = plan.steps.flatMap((step) => {
    const at = positions.get(step.id);
    return at ? [{ id: step.id, x: Math.round(at.x), y: Math.round(at.y) }] : [];
  });
  const layout = { ...(plan.metadata?.layout as object | undefined), nodes };
  return { ...plan, metadata: { ...plan.metadata, layout } };
}

/** Delete the positions of the cards, so that they are arranged again. */
export function forgetLayout(plan: PlanDocument): PlanDocument {
  if (!plan.metadata || !("layout" in plan.metadata)) return plan;
  const { layout: _, ...rest } = plan.metadata;
  if (Object.keys(rest).length > 0) return { ...plan, metadata: rest };
  const { metadata: __, ...bare } = plan;
  return bare;
}
