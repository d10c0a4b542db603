/** A document that a node wants: a file to upload, or a link to where the document is. */
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import { uploadArtifact } from "../api/workflows.ts";
import { useSession } from "../api_context.ts";
import { Trouble } from "../parts/trouble.tsx";
import { asApiError } from "../use_loaded.ts";
import type { Wanted } from "./wanted_documents.ts";

interface Props {
  runId: string;
  wanted: Wanted;
  pointer: string;
  change: (pointer: string) => void;
}

export function DocumentField({ runId, wanted, pointer, change }: Props) {
  const { api } = useSession();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const upload = (file: File | undefined) => {
    if (!file) return;
    setBusy(true);
    setTrouble(null);
    uploadArtifact(api, runId, file)
      .then(change, (error: unknown) => setTrouble(asApiError(error)))
      .finally(() => setBusy(false));
  };
  return (
    <fieldset className="document">
      <legend>
        {wanted.name} <span className="muted">{wanted.kind}{wanted.required ? ", required" : ""}</span>
      </legend>
      {wanted.description && <p className="hint">{wanted.description}</p>}
      <label className="field">
        <span>File to upload</span>
        <input type="file" disabled={busy} onChange={(event) => upload(event.target.files?.[0])} />
      </label>
      <label className="field">
        <span>or a link to it</span>
        <input value={pointer} maxLength={2000} disabled={busy} onChange={(event) => change(event.target.value.trim())} />
      </label>
      {busy && <p className="hint">Uploading…</p>}
      {trouble && <Trouble error={trouble} />}
    </fieldset>
  );
}
