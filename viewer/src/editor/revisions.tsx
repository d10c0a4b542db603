/** Who saved what, and when; each revision opens to what it changed. */
import { useState } from "react";
import { planDiff, planRevisions, type Revision } from "../api/implementation.ts";
import { useSession } from "../api_context.ts";
import { ago, exactly } from "../parts/times.ts";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { useLoaded } from "../use_loaded.ts";
import { BeforeAfter } from "./before_after.tsx";

export function Revisions({ planId, revision }: { planId: string; revision: number }) {
  const { api } = useSession();
  const found = useLoaded((signal) => planRevisions(api, planId, signal), `${planId}/history/${revision}`);
  if (found.error) return <Trouble error={found.error} again={found.reload} />;
  if (!found.data) return <Waiting rows={3} />;
  return (
    <ul className="items">
      {found.data.map((each) => (
        <Saved key={each.revision} planId={planId} revision={each} />
      ))}
    </ul>
  );
}

function Saved({ planId, revision }: { planId: string; revision: Revision }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <strong>Revision {revision.revision}</strong>
      {revision.note && <p>{revision.note}</p>}
      <p className="hint">
        {revision.author} ·{" "}
        <time dateTime={revision.createdAt} title={exactly(revision.createdAt)}>
          {ago(revision.createdAt)}
        </time>
      </p>
      {revision.changeCount > 0 && (
        <button type="button" className="button small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {revision.changeCount} {revision.changeCount === 1 ? "change" : "changes"}
        </button>
      )}
      {open && <Changes planId={planId} revision={revision.revision} />}
    </li>
  );
}

function Changes({ planId, revision }: { planId: string; revision: number }) {
  const { api } = useSession();
  const found = useLoaded((signal) => planDiff(api, planId, revision, signal), `${planId}/diff/${revision}`);
  if (found.error) return <Trouble error={found.error} again={found.reload} />;
  if (!found.data) return <Waiting rows={1} />;
  return (
    <div className="changes">
      {found.data.changes.map((change) => (
        <div key={`${change.path}${change.op}`}>
          <code>{change.path}</code>
          <BeforeAfter before={change.before} after={change.after} />
        </div>
      ))}
    </div>
  );
}
