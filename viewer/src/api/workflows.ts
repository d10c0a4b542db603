/** Workflows over HTTP: runs, their nodes and records. */
import type { Answer } from "./answers.ts";
import type { Client } from "./client.ts";

export type WorkflowRun = Answer<"workflows_listExecutionRuns">["runs"][number];
export type Workflow = Answer<"workflows_getExecutionPlanRun">;
export type WorkflowNode = Workflow["nodes"][number];
export type WorkflowStarted = Answer<"workflows_createExecutionPlan">;
export type Submission = Answer<"workflows_submitExecutionNodeResult">;
export type WorkflowEvent = NonNullable<Workflow["events"]>[number];
export type DraftCheck = Answer<"workflows_validateExecutionPlan">;

export interface CheckResult {
  type: string;
  description: string;
  blocking: boolean;
  passed: boolean;
  findings: { path: string; message: string; expected: string }[];
}

/** A record that OpenAPI does not describe. */
export interface Attempt {
  id: string;
  nodeId: string;
  number: number;
  outcome: string;
  executor?: string;
  notes?: string;
  structuredOutput?: unknown;
  checks?: CheckResult[];
}

function run(runId: string, rest = ""): string {
  return `workflows/runs/${encodeURIComponent(runId)}${rest}`;
}

export function listWorkflows(api: Client, before: string | null, signal?: AbortSignal): Promise<Answer<"workflows_listExecutionRuns">> {
  return api.json("workflows/runs", { query: { limit: 50, before }, signal });
}

export function readWorkflow(api: Client, runId: string, signal?: AbortSignal): Promise<Workflow> {
  return api.json(run(runId), { query: { includeEvents: "true" }, signal });
}

export async function attemptsOf(api: Client, runId: string, nodeId: string, signal?: AbortSignal): Promise<Attempt[]> {
  const found: Attempt[] = [];
  let after: number | null = 0;
  while (after !== null) {
    const query = { kind: "planNodeAttempt", limit: 500, after };
    const page: Answer<"workflows_listExecutionRecords"> = await api.json(run(runId, "/records"), { query, signal });
    found.push(...(page.records as unknown as Attempt[]).filter((attempt) => attempt.nodeId === nodeId));
    after = page.next;
  }
  return found;
}

/** Return all events before a cursor, oldest first: they can be read from the beginning only. */
export async function eventsBefore(api: Client, runId: string, cursor: number): Promise<WorkflowEvent[]> {
  const found: WorkflowEvent[] = [];
  for (let after = 0; ; ) {
    const query = { after, limit: 1000 };
    const page: Answer<"workflows_getExecutionEvents"> = await api.json(run(runId, "/events"), { query });
    found.push(...page.events.filter((event) => event.cursor < cursor));
    after = page.next;
    if (page.events.length === 0 || after >= cursor) return found;
  }
}

export async function artifactLink(api: Client, runId: string, pointer: string): Promise<string> {
  return (await api.json<Answer<"workflows_readArtifact">>(run(runId, "/artifact"), { query: { pointer } })).url;
}

/** A document that is submitted: its pointer is that of an upload, or a link to where it is. */
export interface Document {
  name: string;
  kind: string;
  pointer: string;
}

/** What the service takes as a media type. */
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

/** Upload a file and return the pointer to submit. */
export async function uploadArtifact(api: Client, runId: string, file: Blob): Promise<string> {
  const body = { size: file.size, contentType: MEDIA_TYPE.test(file.type) ? file.type : undefined };
  const to = await api.json<Answer<"workflows_createArtifactUpload">>(run(runId, "/uploads"), { method: "POST", body });
  await api.put(to.url, file, to.contentType);
  return to.pointer;
}

export function submitResult(
  api: Client,
  runId: string,
  nodeId: string,
  structuredOutput: unknown,
  artifacts: readonly Document[],
): Promise<Submission> {
  const body = { result: { structuredOutput, artifacts }, clientRequestId: crypto.randomUUID() };
  return api.json(run(runId, `/nodes/${encodeURIComponent(nodeId)}/results`), { method: "POST", body });
}

export function stopWorkflow(api: Client, runId: string): Promise<unknown> {
  return api.json(run(runId, "/stop"), { method: "POST", body: {} });
}

export function resumeWorkflow(api: Client, runId: string): Promise<unknown> {
  return api.json(run(runId, "/resume"), { method: "POST", body: { clientRequestId: crypto.randomUUID() } });
}

export async function exampleDraft(api: Client, signal?: AbortSignal): Promise<unknown> {
  return (await api.json<Answer<"workflows_getPlanDraftFormat">>("workflows/schema", { signal })).example;
}

export function checkDraft(api: Client, draft: object, signal?: AbortSignal): Promise<DraftCheck> {
  return api.json("workflows/validate", { method: "POST", body: draft, signal });
}

export function startWorkflow(api: Client, draft: object, workstreamId: string, requestId: string): Promise<WorkflowStarted> {
  return api.json("workflows/runs", {
    method: "POST",
    body: { ...draft, ...(workstreamId && { workstreamId }), clientRequestId: requestId },
  });
}
