/** Strategic plans over HTTP. */
import type { Client } from "./client.ts";
import type { Detail, FactsGiven, ModelProfile } from "./facts.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];

export type PlanSummary = Schemas["PlanSummary"];
export type PlanList = Schemas["PlanList"];
export type PlanStatus = Schemas["PlanStatus"];
export type PlanFileInfo = Schemas["PlanFileInfo"];
export type ModelProfiles = Schemas["ModelProfiles"];
export type ExamplePrompts = Schemas["ExamplePrompts"];
type PlanCreated = Schemas["PlanCreated"];

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

/** Resume a plan, or restart it from the beginning. */
export function runAgain(api: Client, planId: string, how: "resume" | "retry"): Promise<unknown> {
  return api.json(`plans/${encodeURIComponent(planId)}/${how}`, { method: "POST", body: {} });
}

export function modelProfiles(api: Client, signal?: AbortSignal): Promise<ModelProfiles> {
  return api.json<ModelProfiles>("model-profiles", { signal });
}

export function examplePrompts(api: Client, signal?: AbortSignal): Promise<ExamplePrompts> {
  return api.json<ExamplePrompts>("example-prompts", { signal });
}

/** What a plan is drafted from. A repeat with the same `client_request_id` is the same plan. */
export interface NewPlan {
  prompt: string;
  model_profile: ModelProfile;
  detail: Detail;
  facts?: FactsGiven;
  client_request_id: string;
}

export function createPlan(api: Client, plan: NewPlan): Promise<PlanCreated> {
  return api.json<PlanCreated>("plans", { method: "POST", body: plan });
}
