/** Approvals of all planes over HTTP. */
import type { Answer } from "./answers.ts";
import type { Client } from "./client.ts";

export type Approval = Answer<"approvals_approval_list">["approvals"][number];
export type Responded = Answer<"approvals_approval_respond">;
export type Decision = "approve" | "request_changes" | "reject";

export function listApprovals(
  api: Client,
  state: "pending" | "ended",
  before: string | null,
  signal?: AbortSignal,
): Promise<Answer<"approvals_approval_list">> {
  return api.json("approvals", { query: { state, limit: 20, before }, signal });
}

/** The approval that a step of a run waits for; undefined where there is none among the newest hundred. */
export async function approvalOf(api: Client, runId: string, step: string, signal?: AbortSignal): Promise<Approval | undefined> {
  const query = { state: "pending", plane: "graphs", limit: 100 };
  const found = await api.json<Answer<"approvals_approval_list">>("approvals", { query, signal });
  return found.approvals.find(({ subject }) => subject.run_id === runId && subject.node_id === step);
}

/** Let *to* respond in place of the approver *by*, who may still respond. */
export function delegate(api: Client, approval: Approval, by: string, to: string): Promise<Approval> {
  return api.json(`approvals/${encodeURIComponent(approval.approval_id)}/delegate`, { method: "POST", body: { by, to } });
}

/** Respond in the name of *by* to the version that *approval* shows; another one is refused (ANOTHER_VERSION). */
export function respond(api: Client, approval: Approval, by: string, decision: Decision, comment: string): Promise<Responded> {
  const body = { by, decision, comment, sha256: approval.subject.sha256 };
  return api.json(`approvals/${encodeURIComponent(approval.approval_id)}/respond`, { method: "POST", body });
}
