/** What is understood of a goal, over HTTP: of one that is being written, and of a plan's. */
import { type Client, pause } from "./client.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];

export type ShownFacts = Schemas["ShownFacts"];
export type FactsGiven = Schemas["FactsGiven"];
export type GoalPart = Schemas["GoalPart"];
export type PlanGoal = Schemas["PlanGoal"];
export type CorrectedGoal = Schemas["CorrectedGoal"];
export type Remade = Schemas["PlanInvalidated"];
export type ArtifactEdited = Schemas["ArtifactEdited"];

/** The file of a plan that holds its facts. */
const START = "001-1-start.json";

export type PlanFacts = Schemas["PlanFacts"];
export type Quote = Schemas["PlanQuote"];

/** What is asked of a goal. `rules_only`: no model, so that nothing is paid for while somebody writes. */
export type Ask = Schemas["FactsRequest"];

export type ModelProfile = NonNullable<Ask["model_profile"]>;

export type Detail = NonNullable<Ask["detail"]>;

/** Have a goal read; call *show* with each answer until the last. Raises ApiError; ends silently with *signal*. */
export async function readGoal(api: Client, ask: Ask, show: (answer: PlanFacts) => void, signal: AbortSignal): Promise<void> {
  let answer = await api.json<PlanFacts>("facts", { method: "POST", body: ask, signal });
  for (;;) {
    if (signal.aborted) return;
    show(answer);
    if (answer.state !== "reading") return;
    await pause(1000 * (answer.poll_after_sec ?? 3), signal);
    answer = await api.json<PlanFacts>(`facts/${encodeURIComponent(answer.facts_id)}`, { query: { detail: ask.detail }, signal });
  }
}

export function planGoal(api: Client, planId: string, signal?: AbortSignal): Promise<PlanGoal> {
  return api.json<PlanGoal>(`plans/${encodeURIComponent(planId)}/goal`, { signal });
}

/** Return the goal as corrections would have it understood, with the file that holds them. */
export function correctedGoal(api: Client, planId: string, facts: FactsGiven, signal?: AbortSignal): Promise<CorrectedGoal> {
  return api.json<CorrectedGoal>(`plans/${encodeURIComponent(planId)}/goal/corrected`, { method: "POST", body: { facts }, signal });
}

/** Return what is made again where the facts are corrected, and its cost at most; nothing is changed. */
export function remadeByCorrection(api: Client, planId: string, signal?: AbortSignal): Promise<Remade> {
  const body = { artifacts: [START], dry_run: true };
  return api.json<Remade>(`plans/${encodeURIComponent(planId)}/invalidate`, { method: "POST", body, signal });
}

/** Store corrected facts; a completed plan gives a plan derived from it, which is drafted at once. */
export function storeCorrection(api: Client, planId: string, corrected: CorrectedGoal, requestId: string): Promise<ArtifactEdited> {
  const body = { content: corrected.content, expected_sha256: corrected.sha256, client_request_id: requestId };
  return api.json<ArtifactEdited>(`plans/${encodeURIComponent(planId)}/artifacts/${START}`, { method: "PUT", body });
}
