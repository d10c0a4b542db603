/** Two people changed one plan: what each changed since the revision that both began with, and the two made one. */
import { type PlanDocument, type Step, storedLayout } from "./document.ts";
import { nextId, storeLayout } from "./edits.ts";

/** A part of a plan that is kept or replaced as a whole: a field of the plan, or a step. */
export interface Change {
  /** JSON Pointer; a step is named by its id, since its place may differ. */
  path: string;
  title: string;
  before: unknown;
  after: unknown;
}

export interface Meeting {
  mine: Change[];
  theirs: Change[];
  /** Paths that both changed, to different things. */
  conflicts: string[];
}

export type Side = "mine" | "theirs";

/** Return what changed from *before* to *after*, part by part, in the order of the document. */
export function changesOf(before: PlanDocument, after: PlanDocument): Change[] {
  const found: Change[] = [];
  for (const name of fieldsOf(before, after)) {
    const [was, is] = [field(before, name), field(after, name)];
    if (!same(was, is)) found.push({ path: `/${name}`, title: TITLES[name] ?? name, before: was, after: is });
  }
  const [old, now] = [byId(before), byId(after)];
  for (const id of new Set([...now.keys(), ...old.keys()])) {
    const [was, is] = [old.get(id), now.get(id)];
    if (!same(was, is))
      found.push({ path: `/steps/${id}`, title: `${id} ${(is ?? was)?.title ?? ""}`, before: was, after: is });
  }
  if (old.size === now.size && !same([...old.keys()], [...now.keys()]) && [...now.keys()].every((id) => old.has(id)))
    found.push({ path: "/order", title: "Order of the steps", before: [...old.keys()], after: [...now.keys()] });
  return found;
}

/** Say what each changed since *base*; my new steps get other ids where theirs have taken them for other steps. */
export function meet(base: PlanDocument, mine: PlanDocument, theirs: PlanDocument): Meeting {
  const [ours, others] = [changesOf(base, apart(base, mine, theirs)), changesOf(base, theirs)];
  const other = new Map(others.map((change) => [change.path, change]));
  const conflicts = ours.filter((change) => other.has(change.path) && !same(change.after, other.get(change.path)?.after));
  return { mine: ours, theirs: others, conflicts: conflicts.map((change) => change.path) };
}

/** Apply my changes to their plan; where both changed a part, *choose* says whose stays. */
export function merge(theirs: PlanDocument, meeting: Meeting, choose: ReadonlyMap<string, Side>): PlanDocument {
  const taken = meeting.mine.filter((change) => !meeting.conflicts.includes(change.path) || choose.get(change.path) !== "theirs");
  let merged: PlanDocument = theirs;
  for (const change of taken) merged = apply(merged, change);
  // a step that is gone on one side may still be waited for on the other
  const ids = new Set(merged.steps.map((step) => step.id));
  const steps = merged.steps.map((step) =>
    step.dependsOn.every((id) => ids.has(id)) ? step : { ...step, dependsOn: step.dependsOn.filter((id) => ids.has(id)) },
  );
  return { ...merged, steps };
}

/** Return the fields in which two versions of a part differ, for showing them side by side. */
export function differences(before: unknown, after: unknown): { name: string; before: unknown; after: unknown }[] {
  if (!isObject(before) || !isObject(after)) return [{ name: "", before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !same(before[name], after[name]))
    .map((name) => ({ name, before: before[name], after: after[name] }));
}

/** Compare by content; the order of an object's fields says nothing. */
export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, index) => same(each, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one).filter((name) => one[name] !== undefined);
  const others = Object.keys(other).filter((name) => other[name] !== undefined);
  return names.length === others.length && names.every((name) => same(one[name], other[name]));
}

/** Return *mine* with free ids for the steps that both sides added under the same id. */
function apart(base: PlanDocument, mine: PlanDocument, theirs: PlanDocument): PlanDocument {
  const [old, others] = [byId(base), byId(theirs)];
  const taken = mine.steps.filter((step) => !old.has(step.id) && others.has(step.id) && !same(step, others.get(step.id)));
  if (taken.length === 0) return mine;
  const free = Number(nextId({ ...mine, steps: [...mine.steps, ...theirs.steps] }).slice(1));
  const names = new Map(taken.map((step, index) => [step.id, `S${free + index}`]));
  const renamed = (id: string) => names.get(id) ?? id;
  const steps = mine.steps.map((step) => ({ ...step, id: renamed(step.id), dependsOn: step.dependsOn.map(renamed) }));
  const places = new Map([...storedLayout(mine)].map(([id, at]) => [renamed(id), at]));
  return places.size > 0 ? storeLayout({ ...mine, steps }, places) : { ...mine, steps };
}

const TITLES: Record<string, string> = {
  title: "Title",
  goal: "Goal",
  planType: "Type of plan",
  context: "Context",
  constraints: "Constraints",
  acceptanceCriteria: "Acceptance criteria",
  risks: "Risks",
  metadata: "Layout and other metadata",
};

function apply(plan: PlanDocument, change: Change): PlanDocument {
  if (change.path === "/order") {
    const order = change.after as string[];
    const place = (step: Step) => (order.includes(step.id) ? order.indexOf(step.id) : order.length);
    return { ...plan, steps: plan.steps.toSorted((a, b) => place(a) - place(b)) };
  }
  if (change.path.startsWith("/steps/")) return applyStep(plan, change.path.slice("/steps/".length), change.after as Step | undefined);
  const name = change.path.slice(1);
  if (change.after !== undefined) return { ...plan, [name]: change.after };
  const { [name]: _, ...rest } = plan as unknown as Record<string, unknown>;
  return rest as unknown as PlanDocument;
}

function applyStep(plan: PlanDocument, id: string, after: Step | undefined): PlanDocument {
  if (!after) return { ...plan, steps: plan.steps.filter((step) => step.id !== id) };
  const known = plan.steps.some((step) => step.id === id);
  return { ...plan, steps: known ? plan.steps.map((step) => (step.id === id ? after : step)) : [...plan.steps, after] };
}

function fieldsOf(...plans: PlanDocument[]): string[] {
  const names = new Set(plans.flatMap((plan) => Object.keys(plan)));
  return [...names].filter((name) => name !== "steps" && name !== "planId" && name !== "schemaVersion");
}

function field(plan: PlanDocument, name: string): unknown {
  return (plan as unknown as Record<string, unknown>)[name];
}

function byId(plan: PlanDocument): Map<string, Step> {
  return new Map(plan.steps.map((step) => [step.id, step]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
