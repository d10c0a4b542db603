/** Who saved what, and when; each revision opens to what it changed, and an earlier one can be brought back. */
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import { planDiff, planRevisions, readPlan, type Revision } from "../api/implementation.ts";
import { useSession } from "../api_context.ts";
import { ago, exactly } from "../parts/times.ts";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { asApiError, useLoaded } from "../use_loaded.ts";
import { BeforeAfter } from "./before_after.tsx";
import type { Editor } from "./use_editor.ts";

export function Revisions({ planId, editor }: { planId: string; editor: Editor }) {
  const { api } = useSession();
  const found = useLoaded((signal) => planRevisions(api, planId, signal), `${planId}/history/${editor.revision}`);
  if (found.error) return <Trouble error={found.error} again={found.reload} />;
  if (!found.data) return <Waiting rows={3} />;
  return (
    <ul className="items">
      {found.data.map((each) => (
        <Saved key={each.revision} planId={planId} revision={each} editor={editor} />
      ))}
    </ul>
  );
}

function Saved({ planId, revision, editor }: { planId: string; revision: Revision; editor: Editor }) {
  const { api } = useSession();
  const [open, setOpen] = useState(false);
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const number = revision.revision;
  const bringBack = () => {
    readPlan(api, planId, undefined, number).then(
      (found) => editor.edit(() => found.plan),
      (error: unknown) => setTrouble(asApiError(error)),
    );
  };
  return (
    <li>
      <strong>Revision {number}</strong>
      {revision.note && <p>{revision.note}</p>}
      <p className="hint">
        {revision.author} ·{" "}
        <time dateTime={revision.createdAt} title={exactly(revision.createdAt)}>
          {ago(revision.createdAt)}
        </time>
      </p>
      <p className="chips">
        {revision.changeCount > 0 && (
          <button type="button" className="button small" aria-expanded={open} onClick={() => setOpen(!open)}>
            {revision.changeCount} {revision.changeCount === 1 ? "change" : "changes"}
          </button>
        )}
        {number < editor.revision && (
          <button type="button" className="button small" onClick={bringBack} title="Restore this revision in the editor; then save or undo it">
            Bring back
          </button>
        )}
      </p>
      {trouble && <Trouble error={trouble} />}
      {open && <Changes planId={planId} revision={number} />}
    </li>
  );
}

function Changes({ planId, revision }: { planId: string; revision: number }) {
  const { api } = useSession();
  const found = useLoaded((signal) => planDiff(api, planId, revision - 1, revision, signal), `${planId}/diff/${revision}`);
  if (found.error) return <Trouble error={found.error} again={found.reload} />;
  if (!found.data) return <Waiting rows={1} />;
  return (
    <div className="changes">
      {found.data.changes.map((change) => (
        <div key={`${change.path}${change.op}`}>
          {change.stepId && <span className="muted">{change.stepId} </span>}
          <code>{change.path}</code>
          <BeforeAfter before={change.before} after={change.after} />
        </div>
      ))}
    </div>
  );
}
