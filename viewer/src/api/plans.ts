/** Strategic plans over HTTP. */
import type { Client } from "./client.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];

export type PlanSummary = Schemas["PlanSummary"];
export type PlanList = Schemas["PlanList"];
export type PlanStatus = Schemas["PlanStatus"];
export type PlanFileInfo = Schemas["PlanFileInfo"];

export function listPlans(api: Client, before: string | null, signal?: AbortSignal): Promise<PlanList> {
  return api.json<PlanList>("plans", { query: { limit: 25, before }, signal });
}

export function planStatus(api: Client, planId: string, signal?: AbortSignal): Promise<PlanStatus> {
  return api.json<PlanStatus>(`plans/${encodeURIComponent(planId)}`, { signal });
}

/** Return the link to the report or the zip; undefined while it is not ready. */
export function planFile(api: Client, planId: string, file: "report" | "zip"): Promise<PlanFileInfo | undefined> {
  return api.json<PlanFileInfo | undefined>(`plans/${encodeURIComponent(planId)}/files/${file}`);
}

export function stopPlan(api: Client, planId: string): Promise<unknown> {
  return api.json(`plans/${encodeURIComponent(planId)}/stop`, { method: "POST" });
}

/** Go on where a plan stopped, or draft it anew from its beginning. */
export function runAgain(api: Client, planId: string, how: "resume" | "retry"): Promise<unknown> {
  return api.json(`plans/${encodeURIComponent(planId)}/${how}`, { method: "POST", body: {} });
}
