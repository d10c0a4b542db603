/** What is wrong with a plan: its shape by the schema, and the rules that a schema cannot say. */
import type { PlanDocument } from "./document.ts";
import { check, type Finding, type Schema } from "./schema.ts";

/** Return all findings, in the order of the document. */
export function validate(plan: PlanDocument, schema: Schema): Finding[] {
  return [...check(plan, schema), ...checkGraph(plan)];
}

/** Return what is wrong with ids and dependencies: ids used twice, steps that are not there, circles. */
export function checkGraph(plan: PlanDocument): Finding[] {
  const found: Finding[] = [];
  const seen = new Set<string>();
  for (const [index, step] of plan.steps.entries()) {
    if (seen.has(step.id)) found.push({ path: `/steps/${index}/id`, message: `another step is ${step.id} already` });
    seen.add(step.id);
  }
  for (const [index, step] of plan.steps.entries())
    for (const [place, id] of step.dependsOn.entries())
      if (!seen.has(id)) found.push({ path: `/steps/${index}/dependsOn/${place}`, message: `there is no step ${id}` });
  const circle = findCircle(plan);
  if (circle) {
    const index = plan.steps.findIndex((step) => step.id === circle[0]);
    found.push({ path: `/steps/${index}/dependsOn`, message: `waits for itself: ${[...circle, circle[0]].join(" → ")}` });
  }
  return found;
}

/** Return the steps of one circle of dependencies, or null where there is none. */
export function findCircle(plan: PlanDocument): string[] | null {
  const waits = new Map(plan.steps.map((step) => [step.id, step.dependsOn]));
  const done = new Set<string>();
  for (const start of waits.keys()) {
    const path: string[] = [];
    const onPath = new Set<string>();
    // a walk without recursion: plans may be long chains
    const todo: { id: string; leave: boolean }[] = [{ id: start, leave: false }];
    for (let at = todo.pop(); at; at = todo.pop()) {
      if (at.leave) {
        onPath.delete(at.id);
        path.pop();
        done.add(at.id);
      } else if (onPath.has(at.id)) return path.slice(path.indexOf(at.id));
      else if (!done.has(at.id)) {
        onPath.add(at.id);
        path.push(at.id);
        todo.push({ id: at.id, leave: true });
        for (const id of waits.get(at.id) ?? []) if (waits.has(id)) todo.push({ id, leave: false });
      }
    }
  }
  return null;
}

/** Return the findings that lie at *path* or below it. */
export function below(findings: readonly Finding[], path: string): Finding[] {
  return findings.filter((found) => found.path === path || found.path.startsWith(`${path}/`));
}
