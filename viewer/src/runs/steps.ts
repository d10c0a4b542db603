/** The steps of a graph, of a run and of both together, as they are drawn. */
import type { GraphStep, Run, RunStep } from "../api/graphs.ts";
import { criticalPath } from "../graph/critical.ts";
import type { StateStep } from "../graph/state_graph.tsx";
import { span } from "../parts/times.ts";

export function drawnSteps(steps: readonly GraphStep[]): StateStep[] {
  return steps.map((step) => ({
    id: step.index,
    title: step.title ?? "",
    by: step.server ? `${step.server}/${step.tool}` : step.tool,
    state: "",
    note: [step.for_each !== undefined && step.for_each !== null && "for each", step.when && "if"].filter(Boolean).join(", "),
    after: step.depends_on ?? [],
  }));
}

/** Return the steps of a run with their states; *graph* is empty where the graph was deleted: then without an order. */
export function runningSteps(steps: readonly RunStep[], graph: readonly GraphStep[]): StateStep[] {
  const after = new Map(graph.map((step) => [step.index, step.depends_on ?? []]));
  return steps.map((step) => ({
    id: step.step,
    title: step.title,
    by: step.tool,
    state: shownState(step.state),
    note: [typeof step.seconds === "number" && span(step.seconds), (step.calls ?? 0) > 1 && `${step.calls} calls`].filter(Boolean).join(", "),
    after: after.get(step.step) ?? [],
  }));
}

/** "waiting" is for an approval, in a run; elsewhere it is for other steps. */
export function shownState(state: string): string {
  return state === "waiting" ? "needs-approval" : state;
}

export function criticalOf(steps: readonly StateStep[], timed: readonly RunStep[] = []): ReadonlySet<string> {
  const seconds = timed.flatMap((step) => (typeof step.seconds === "number" ? [[step.step, step.seconds] as const] : []));
  return new Set(criticalPath(steps.map(({ id, after }) => ({ id, after, band: "" })), new Map(seconds)));
}

/** How many steps of a run need no further call. */
export function endedOf({ progress }: Run): number {
  return (progress.completed ?? 0) + (progress.skipped ?? 0);
}

export const isLive = (run: Run) => run.state === "running" || run.state === "waiting";
export const isResumable = (run: Run) => run.state === "failed" || run.state === "stopped" || run.state === "blocked";
