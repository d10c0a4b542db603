/** Graphs of tool calls and their runs over HTTP. */
import type { Answer } from "./answers.ts";
import type { Client } from "./client.ts";

export type GraphInfo = Answer<"graphs_plan_list">["plans"][number];
export type GraphRead = Answer<"graphs_plan_get">;
export type GraphSaved = Answer<"graphs_plan_create">;
export type GraphCheck = Answer<"graphs_plan_validate">;
export type Problem = GraphCheck["problems"][number];
export type DryRun = Answer<"graphs_plan_dry_run">;
export type Quote = Answer<"graphs_plan_quote">;
export type Run = Answer<"graphs_run_status">;
export type RunStep = Answer<"graphs_run_steps">["steps"][number];
export type RunEvent = Answer<"graphs_run_events">["events"][number];
export type Schedule = Answer<"graphs_schedule_list">["schedules"][number];
export type Budget = Answer<"graphs_budget_list">["budgets"][number];

/** What is written of a schedule: it replaces a schedule of the same name. */
export interface NewSchedule {
  plan_id: string;
  when: string;
  timezone: string;
  variables: Record<string, unknown>;
  options: { allow_destructive: boolean; shared_budget: string | null };
}

/** A step as its graph writes it; the document is described by its own schema, which no OpenAPI can hold. */
export interface GraphStep {
  index: string;
  title?: string;
  tool: string;
  args?: Record<string, unknown>;
  depends_on?: string[];
  server?: string | null;
  when?: string | null;
  for_each?: unknown;
}

export interface GraphDocument {
  title?: string;
  variables?: Record<string, unknown>;
  steps: GraphStep[];
}

/** What a run is asked to do with a call of which it is not known whether it was made. */
export type OnUnknown = "retry" | "skip" | "value";

/** The longest log that is read (pages of 1,000 events). */
const MOST_PAGES = 5;

function graph(planId: string, rest = ""): string {
  return `graphs/${encodeURIComponent(planId)}${rest}`;
}

function run(runId: string, rest = ""): string {
  return `runs/${encodeURIComponent(runId)}${rest}`;
}

function named(kind: "schedules" | "budgets", name: string): string {
  return `${kind}/${encodeURIComponent(name)}`;
}

export function listGraphs(api: Client, before: string | null, signal?: AbortSignal, limit = 20): Promise<Answer<"graphs_plan_list">> {
  return api.json("graphs", { query: { limit, before }, signal });
}

export function readGraph(api: Client, planId: string, signal?: AbortSignal, revision?: number): Promise<GraphRead> {
  return api.json(graph(planId), { query: { revision }, signal });
}

export async function exampleGraph(api: Client, signal?: AbortSignal): Promise<unknown> {
  return (await api.json<Answer<"graphs_plan_format">>("graphs/schema", { signal })).example;
}

export function checkGraph(api: Client, document: unknown, signal?: AbortSignal): Promise<GraphCheck> {
  return api.json("graphs/validate", { method: "POST", body: { graph: document }, signal });
}

export function createGraph(api: Client, document: unknown): Promise<GraphSaved> {
  return api.json("graphs", { method: "POST", body: { graph: document, client_request_id: crypto.randomUUID() } });
}

/** Store *document* as the revision after *revision*. Raises ApiError GRAPH_CONFLICT where that is no longer the last. */
export function saveGraph(api: Client, planId: string, document: unknown, revision: number, note: string): Promise<GraphSaved> {
  return api.json(graph(planId), { method: "PUT", body: { graph: document, revision, note } });
}

export function dryRun(api: Client, planId: string, variables: object, signal?: AbortSignal): Promise<DryRun> {
  return api.json(graph(planId, "/dry-run"), { method: "POST", body: { variables }, signal });
}

export function quoteRun(api: Client, planId: string, signal?: AbortSignal): Promise<Quote> {
  return api.json(graph(planId, "/quote"), { method: "POST", body: {}, signal });
}

/** Start a run and return without waiting for it; a repeat with the same *requestId* starts no second one. */
export function startRun(api: Client, planId: string, options: object, requestId: string): Promise<Run> {
  return api.json(graph(planId, "/runs"), { method: "POST", body: { wait_sec: 0, client_request_id: requestId, ...options } });
}

export function listRuns(api: Client, before: string | null, signal?: AbortSignal): Promise<Answer<"graphs_run_list">> {
  return api.json("runs", { query: { limit: 20, before }, signal });
}

export function runStatus(api: Client, runId: string, signal?: AbortSignal): Promise<Run> {
  return api.json(run(runId), { signal });
}

/** Return all steps of a run, in the order of its graph. */
export async function runSteps(api: Client, runId: string, signal?: AbortSignal): Promise<RunStep[]> {
  const page = (after: number) => api.json<Answer<"graphs_run_steps">>(run(runId, "/steps"), { query: { after, limit: 100 }, signal });
  const first = await page(0);
  const more = Array.from({ length: Math.max(0, Math.ceil(first.total / 100) - 1) }, (_, index) => page((index + 1) * 100));
  return [first, ...(await Promise.all(more))].flatMap(({ steps }) => steps);
}

/** Return one step with its whole result. */
export function runStep(api: Client, runId: string, step: string, signal?: AbortSignal): Promise<RunStep> {
  return api.json(run(runId, `/steps/${encodeURIComponent(step)}`), { signal });
}

export async function runEvents(api: Client, runId: string, signal?: AbortSignal): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (let pages = 0, after = 0; pages < MOST_PAGES; pages++) {
    const page = await api.json<Answer<"graphs_run_events">>(run(runId, "/events"), { query: { after, limit: 1000 }, signal });
    events.push(...page.events);
    if (page.events.length < 1000) break;
    after = page.next;
  }
  return events;
}

export function stopRun(api: Client, runId: string): Promise<Run> {
  return api.json(run(runId, "/stop"), { method: "POST" });
}

/** Resume a run. Raises ApiError OUTCOME_UNKNOWN if the caller must state the outcome of a call. */
export function resumeRun(api: Client, runId: string, unknown?: { on_unknown: OnUnknown; value?: unknown }): Promise<Run> {
  return api.json(run(runId, "/resume"), { method: "POST", body: { ...unknown, client_request_id: crypto.randomUUID() } });
}

export function approveStep(api: Client, runId: string, step: string, approved: boolean): Promise<Run> {
  return api.json(run(runId, "/approve"), { method: "POST", body: { step, approved } });
}

export async function listSchedules(api: Client, signal?: AbortSignal): Promise<Schedule[]> {
  return (await api.json<Answer<"graphs_schedule_list">>("schedules", { signal })).schedules;
}

export function setSchedule(api: Client, name: string, schedule: NewSchedule): Promise<Schedule> {
  return api.json(named("schedules", name), { method: "PUT", body: schedule });
}

export function removeSchedule(api: Client, name: string): Promise<unknown> {
  return api.json(named("schedules", name), { method: "DELETE" });
}

export async function listBudgets(api: Client, signal?: AbortSignal): Promise<Budget[]> {
  return (await api.json<Answer<"graphs_budget_list">>("budgets", { signal })).budgets;
}

/** Set how many calls all runs with this budget may make together; what was taken stays taken. */
export function setBudget(api: Client, name: string, calls: number): Promise<Budget> {
  return api.json(named("budgets", name), { method: "PUT", body: { calls } });
}

export function removeBudget(api: Client, name: string): Promise<unknown> {
  return api.json(named("budgets", name), { method: "DELETE" });
}
