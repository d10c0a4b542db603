/** Write the draft of a workflow as JSON, see what is wrong with it, and start it. */
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import { checkDraft, startWorkflow } from "../api/workflows.ts";
import { useSession } from "../api_context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { type Checked, JsonEditor } from "../parts/json_editor.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { asApiError } from "../use_loaded.ts";

export function DraftDialog({ start, started, close }: { start: unknown; started: (runId: string) => void; close: () => void }) {
  const { api } = useSession();
  const [text, setText] = useState(() => JSON.stringify(start, null, 2));
  const [draft, setDraft] = useState<object | null>(null);
  const [workstream, setWorkstream] = useState("");
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const check = async (written: unknown, signal: AbortSignal): Promise<Checked> => {
    const found = await checkDraft(api, written as object, signal);
    return {
      issues: found.issues.map((each) => ({ ...each, blocking: each.severity === "blocking" })),
      summary: found.isValid ? `Valid: ${found.nodeCount} nodes in ${found.order.length} batches.` : "",
    };
  };
  const begin = () => {
    if (!draft) return;
    setBusy(true);
    setTrouble(null);
    startWorkflow(api, draft, workstream.trim(), crypto.randomUUID())
      .then((run) => started(run.runId), (error: unknown) => setTrouble(asApiError(error)))
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title="New workflow" close={close}>
      <JsonEditor text={text} change={setText} check={check} found={setDraft} />
      <label className="field">
        <span>Workstream; by default that of the account</span>
        <input value={workstream} maxLength={100} onChange={(event) => setWorkstream(event.target.value)} />
      </label>
      {trouble && <Trouble error={trouble} />}
      <div className="dialog-foot">
        <button type="button" className="button primary" disabled={busy || !draft} onClick={begin}>
          Start
        </button>
      </div>
    </Dialog>
  );
}
