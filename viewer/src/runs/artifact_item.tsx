/** An artifact of a workflow in a list. */
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import { artifactLink, type WorkflowNode } from "../api/workflows.ts";
import { useSession } from "../api_context.ts";
import { bytes } from "../parts/times.ts";
import { Trouble } from "../parts/trouble.tsx";
import { asApiError } from "../use_loaded.ts";

export type Artifact = WorkflowNode["artifacts"][number];

/** Content that is kept here can be downloaded; any other pointer is shown as it was submitted. */
export function ArtifactItem({ runId, artifact }: { runId: string; artifact: Artifact }) {
  const { api } = useSession();
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  // S3 sends it as an attachment, so that the page stays
  const download = () =>
    artifactLink(api, runId, artifact.pointer).then((url) => location.assign(url), (error: unknown) => setTrouble(asApiError(error)));
  return (
    <li>
      <b>{artifact.name}</b> {artifact.kind}{" "}
      {artifact.verified ? (
        <button type="button" className="button" onClick={download}>
          Download {bytes(artifact.size ?? 0)}
        </button>
      ) : (
        <>
          <code>{artifact.pointer}</code> <span className="muted">not verified</span>
        </>
      )}
      {artifact.sha256 && <p className="hint">SHA-256 {artifact.sha256.slice(0, 16)}…</p>}
      {trouble && <Trouble error={trouble} />}
    </li>
  );
}
