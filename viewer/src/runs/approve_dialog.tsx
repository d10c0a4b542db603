/** Approve or reject a step that waits for an approval. */
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import { approvalOf } from "../api/approvals.ts";
import { approveStep, type RunStep } from "../api/graphs.ts";
import { useSession } from "../api_context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { JsonText } from "../parts/json_text.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { asApiError, useLoaded } from "../use_loaded.ts";

interface Props {
  runId: string;
  id: string;
  step: RunStep | undefined;
  /** The step as its graph has it. */
  written: unknown;
  close: () => void;
  decided: () => void;
}

export function ApproveDialog({ runId, id, step, written, close, decided }: Props) {
  const { api } = useSession();
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const approval = useLoaded((signal) => approvalOf(api, runId, id, signal), `${runId}/${id}`);
  const decide = (approved: boolean) => () => {
    approveStep(api, runId, id, approved).then(decided, (error: unknown) => setTrouble(asApiError(error)));
  };
  return (
    <Dialog title={`Approve step ${id}?`} close={close}>
      {step?.title && <p className="prose">{step.title}</p>}
      <p>
        It calls <code>{step?.tool}</code>, which its server calls destructive.
      </p>
      <JsonText value={approval.data?.subject.content ?? written ?? "The graph was deleted: its arguments are not known here."} label="What is called" />
      <p className="hint">If you reject it, the step fails, and with it the run.</p>
      {trouble && <Trouble error={trouble} />}
      <div className="dialog-foot">
        <button type="button" className="button danger" onClick={decide(false)}>
          Reject
        </button>
        <button type="button" className="button primary" onClick={decide(true)}>
          Approve
        </button>
      </div>
    </Dialog>
  );
}
