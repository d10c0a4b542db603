/** The inbox of approvals: what waits for a decision, and what was decided. */
import { useState } from "react";
import { type Approval, type Decision, delegate, listApprovals, respond } from "../api/approvals.ts";
import type { ApiError } from "../api/client.ts";
import { useSession } from "../api_context.ts";
import { JsonText } from "../parts/json_text.tsx";
import { StatePill } from "../parts/state_pill.tsx";
import { ago, exactly } from "../parts/times.ts";
import { Empty, Trouble, Waiting } from "../parts/trouble.tsx";
import { paths } from "../route.ts";
import { type Artifact, ArtifactItem } from "../runs/artifact_item.tsx";
import { asApiError } from "../use_loaded.ts";
import { useFollowedPages } from "../use_followed_pages.ts";

const FOLLOWED = { id: (approval: Approval) => approval.approval_id, live: (approval: Approval) => approval.state === "pending" };
const DECISIONS: readonly [Decision, string, string][] = [
  ["reject", "Reject", "danger"],
  ["request_changes", "Request changes", ""],
  ["approve", "Approve", "primary"],
];

export function ApprovalsScreen() {
  const { api } = useSession();
  const [state, setState] = useState<"pending" | "ended">("pending");
  const [said, setSaid] = useState("");
  const pages = useFollowedPages(
    async (before, signal) => {
      const found = await listApprovals(api, state, before, signal);
      return { items: found.approvals, next: found.next ?? null };
    },
    state,
    FOLLOWED,
  );
  const none = pages.items.length === 0;
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="heading-line">
        <div className="heading">
          <h1>Approvals</h1>
          <p className="muted">What waits for a person, newest first.</p>
        </div>
        <div className="button-group">
          {(["pending", "ended"] as const).map((each) => (
            <button key={each} type="button" className="button" aria-pressed={state === each} onClick={() => setState(each)}>
              {each === "pending" ? "To decide" : "Decided"}
            </button>
          ))}
        </div>
      </div>
      <p role="status" className={said ? "notice good" : "visually-hidden"}>
        {said}
      </p>
      {pages.error && <Trouble error={pages.error} again={pages.reload} />}
      {none && pages.loading && <Waiting />}
      {none && !pages.loading && !pages.error && <Empty title={state === "pending" ? "Nothing waits for a decision" : "Nothing was decided yet"}>{null}</Empty>}
      {pages.items.map((approval) => (
        <ApprovalCard
          key={approval.approval_id}
          approval={approval}
          decided={(message) => {
            setSaid(message);
            pages.reload();
          }}
        />
      ))}
      {pages.more && (
        <button type="button" className="button wide" onClick={pages.more}>
          Show older approvals
        </button>
      )}
    </main>
  );
}

function ApprovalCard({ approval, decided }: { approval: Approval; decided: (message: string) => void }) {
  const { subject } = approval;
  const artifacts = artifactsOf(approval);
  const rule = approval.rule === "any" ? "One approver decides" : `${approval.needed} approvers must approve`;
  return (
    <article className="card approval" aria-label={subject.title}>
      <header className="heading">
        <h2>{subject.title}</h2>
        <p className="row-facts">
          <StatePill state={approval.state} />
          <span>{rule}</span>
          <time dateTime={approval.requested_at} title={exactly(approval.requested_at)}>
            asked {ago(approval.requested_at)}
          </time>
          {approval.expires_at && <span>until {exactly(approval.expires_at)}</span>}
          {subject.plane === "workflows" && <a href={paths.workflow(subject.run_id)}>workflow</a>}
          {subject.plane === "graphs" && <a href={paths.run(subject.run_id)}>run</a>}
        </p>
      </header>
      <JsonText value={subject.content} label="What is approved" />
      {artifacts.length > 0 && (
        <ul className="items">
          {artifacts.map((artifact) => (
            <ArtifactItem key={artifact.pointer} runId={subject.run_id} artifact={artifact} />
          ))}
        </ul>
      )}
      <p className="hint">
        {!subject.complete && "This is not all of it. "}
        SHA-256 <code title={subject.sha256}>{subject.sha256.slice(0, 16)}…</code>
        {approval.made_by.length > 0 && `, made by ${approval.made_by.join(", ")}`}
        {approval.separate_duties && ", who may not approve it"}
      </p>
      {Object.entries(approval.delegations).map(([approver, to]) => (
        <p key={approver} className="hint">
          {to} may respond in place of {approver}
        </p>
      ))}
      {approval.responses.length > 0 && (
        <ul className="items">
          {approval.responses.map((each) => (
            <li key={each.approver}>
              <b>{each.by}</b> {each.by !== each.approver && `for ${each.approver} `}
              {each.decision.replace("_", " ")}
              <Way byLink={each.by_link} used={each.key} />
              {each.comment && <p className="prose">{each.comment}</p>}
            </li>
          ))}
        </ul>
      )}
      {approval.state === "pending" && <Respond approval={approval} decided={decided} />}
    </article>
  );
}

/** How a response came. All approvers of steps of graphs have one name: the key says which of them it was. */
function Way({ byLink, used }: { byLink: boolean; used: string }) {
  if (byLink) return <span className="muted"> by a signed link</span>;
  if (!used) return null;
  return (
    <span className="muted">
      {" "}
      with the key <code>{used}…</code>
    </span>
  );
}

/** Return the artifacts whose content can be read here, so that nobody has to approve what they have not seen. */
function artifactsOf({ subject }: Approval): Artifact[] {
  if (subject.plane !== "workflows" || !subject.complete) return [];
  const content = JSON.parse(subject.content) as { artifacts?: Artifact[] };
  return (content.artifacts ?? []).filter((artifact) => artifact.verified);
}

function Respond({ approval, decided }: { approval: Approval; decided: (message: string) => void }) {
  const { api } = useSession();
  const [by, setBy] = useState(approval.people[0] ?? "");
  const [comment, setComment] = useState("");
  const [to, setTo] = useState("");
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const act = (work: Promise<string>) => {
    setBusy(true);
    setTrouble(null);
    work.then(decided, (error: unknown) => setTrouble(asApiError(error))).finally(() => setBusy(false));
  };
  const decide = (decision: Decision) => () => {
    if (decision === "request_changes" && !comment.trim()) {
      return setTrouble(null), document.getElementById(`comment-${approval.approval_id}`)?.focus();
    }
    act(respond(api, approval, by, decision, comment).then((answer) => `${approval.subject.title}: ${answer.message || answer.outcome}`));
  };
  const hand = () => act(delegate(api, approval, by, to.trim()).then(() => `${approval.subject.title}: ${to.trim()} may respond in place of ${by}`));
  return (
    <div className="form">
      <label className="field">
        <span>You are</span>
        <select value={by} onChange={(event) => setBy(event.target.value)}>
          {approval.people.map((person) => (
            <option key={person}>{person}</option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>Comment; needed for changes</span>
        <textarea
          id={`comment-${approval.approval_id}`}
          rows={2}
          maxLength={2000}
          value={comment}
          onChange={(event) => setComment(event.target.value)}
        />
      </label>
      {trouble && <Trouble error={trouble} />}
      <div className="decisions">
        {DECISIONS.map(([decision, title, look]) => (
          <button key={decision} type="button" className={`button ${look}`} disabled={busy} onClick={decide(decision)}>
            {title}
          </button>
        ))}
      </div>
      <details>
        <summary>Delegate to another person</summary>
        <div className="form">
          <label className="field">
            <span>Who may respond in your place; the first response counts</span>
            <input value={to} maxLength={200} onChange={(event) => setTo(event.target.value)} />
          </label>
          <div className="decisions">
            <button type="button" className="button" disabled={busy || !to.trim()} onClick={hand}>
              Delegate
            </button>
          </div>
        </div>
      </details>
    </div>
  );
}
