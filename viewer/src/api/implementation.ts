/** Implementation plans over HTTP. */
import type { PlanDocument } from "../plan/document.ts";
import type { Schema } from "../plan/schema.ts";
import type { Answer } from "./answers.ts";
import type { Client } from "./client.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];

export type PlanLine = Schemas["PlanLine"];
export type PlanMeta = Schemas["PlanMeta"];
export type PlanSaved = Schemas["PlanSaved"];
export type Validation = Schemas["ValidationInfo"];
export type Revision = Schemas["RevisionInfo"];
export type PlanDiff = Schemas["PlanDiff"];
export type Comment = Schemas["CommentInfo"];

/** The document is described by its own schema, which no OpenAPI can hold: here it gets its type. */
export type PlanRead = Omit<Schemas["PlanRead"], "plan"> & { plan: PlanDocument };

export interface Filters {
  planType: string;
  status: string;
  q: string;
}

const HOME = "implementation-plans";

function home(planId: string, rest = ""): string {
  return `${HOME}/${encodeURIComponent(planId)}${rest}`;
}

export function listImplementationPlans(
  api: Client,
  filters: Filters,
  before: string | null,
  signal?: AbortSignal,
): Promise<Schemas["PlanLines"]> {
  return api.json(HOME, { query: { ...filters, limit: 20, before }, signal });
}

/** Read a plan, or one of its earlier revisions. */
export function readPlan(api: Client, planId: string, signal?: AbortSignal, revision?: number): Promise<PlanRead> {
  return api.json(home(planId), { query: { revision }, signal });
}

export async function planSchema(api: Client, signal?: AbortSignal): Promise<Schema> {
  const format = await api.json<Schemas["PlanFormat"]>(`${HOME}/schema`, { signal });
  return format.jsonSchema as Schema;
}

/** Save *plan* as the revision after *revision*. Raises ApiError REVISION_CONFLICT where that is no longer the last. */
export function savePlan(api: Client, planId: string, plan: PlanDocument, revision: number): Promise<PlanSaved> {
  return api.json(home(planId), { method: "PUT", body: { plan, revision } });
}

export function createPlan(api: Client, plan: unknown, source: object): Promise<PlanSaved> {
  return api.json(HOME, { method: "POST", body: { plan, source } });
}

export function validatePlan(api: Client, plan: PlanDocument, signal?: AbortSignal): Promise<Validation> {
  return api.json(`${HOME}/validate`, { method: "POST", body: { plan }, signal });
}

export async function planRevisions(api: Client, planId: string, signal?: AbortSignal): Promise<Revision[]> {
  return (await api.json<Schemas["PlanHistory"]>(home(planId, "/history"), { signal })).revisions;
}

/** Return what changed between two revisions, by default up to the current one. */
export function planDiff(api: Client, planId: string, from: number, to?: number, signal?: AbortSignal): Promise<PlanDiff> {
  return api.json(home(planId, "/diff"), { query: { from, to }, signal });
}

export async function planComments(api: Client, planId: string, signal?: AbortSignal): Promise<Comment[]> {
  return (await api.json<Schemas["CommentList"]>(home(planId, "/comments"), { signal })).comments;
}

export function addComment(api: Client, planId: string, text: string, stepId: string | null): Promise<Comment> {
  return api.json(home(planId, "/comments"), { method: "POST", body: { text, ...(stepId ? { stepId } : {}) } });
}

export type PlanDraft = Answer<"implementation_draft_from_markdown">;

/** Where a plan is to be carried out; what is left out the text has to say. */
export type Context = { repo?: string; ref?: string; stack?: string[] };

/** Read a plan out of Markdown, as far as it can be read; nothing is stored. */
export function draftFromMarkdown(api: Client, markdown: string, context: Context = {}): Promise<PlanDraft> {
  return api.json(`${HOME}/from-markdown`, { method: "POST", body: { markdown, context } });
}

/** List the implementation plans that were made of a strategic one, last saved first. */
export async function plansMadeFrom(api: Client, planId: string, signal?: AbortSignal): Promise<PlanLine[]> {
  return (await api.json<Schemas["PlanLines"]>(`plans/${encodeURIComponent(planId)}/implementation-plans`, { signal })).plans;
}

/** Make an implementation plan of a completed strategic one. */
export function makeFromPlan(api: Client, planId: string): Promise<PlanSaved> {
  return api.json(`${HOME}/from-plan`, { method: "POST", body: { plan_id: planId, client_request_id: `viewer-${planId}` } });
}
