/** Write a graph as JSON: a new one, or the next revision. */
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import { checkGraph, createGraph, type GraphSaved, saveGraph } from "../api/graphs.ts";
import { useSession } from "../api_context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { type Checked, JsonEditor } from "../parts/json_editor.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { asApiError } from "../use_loaded.ts";

interface Props {
  start: unknown;
  /** The graph that is changed; undefined where a new one is written. */
  changes?: { planId: string; revision: number };
  saved: (saved: GraphSaved) => void;
  close: () => void;
}

export function GraphDialog({ start, changes, saved, close }: Props) {
  const { api } = useSession();
  const [text, setText] = useState(() => JSON.stringify(start, null, 2));
  const [note, setNote] = useState("");
  const [document, setDocument] = useState<object | null>(null);
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const check = async (written: unknown, signal: AbortSignal): Promise<Checked> => {
    const { problems, batches } = await checkGraph(api, written, signal);
    const widest = Math.max(0, ...batches.map((batch) => batch.length));
    return {
      issues: problems.map((each) => ({ ...each, blocking: each.severity !== "warning" })),
      summary: batches.length > 0 ? `Valid: ${batches.length} batches, at most ${widest} steps at the same time.` : "",
    };
  };
  const save = () => {
    setBusy(true);
    setTrouble(null);
    const storing = changes ? saveGraph(api, changes.planId, document, changes.revision, note) : createGraph(api, document);
    storing.then(saved, (error: unknown) => setTrouble(asApiError(error))).finally(() => setBusy(false));
  };
  return (
    <Dialog title={changes ? `Change the graph, revision ${changes.revision}` : "New graph"} close={close}>
      <JsonEditor text={text} change={setText} check={check} found={setDocument} />
      {changes && (
        <label className="field">
          <span>Why you changed it</span>
          <input value={note} maxLength={500} onChange={(event) => setNote(event.target.value)} />
        </label>
      )}
      {trouble && <Trouble error={trouble} />}
      <div className="dialog-foot">
        <button type="button" className="button primary" disabled={busy || !document} onClick={save}>
          {changes ? `Save as revision ${changes.revision + 1}` : "Create"}
        </button>
      </div>
    </Dialog>
  );
}
