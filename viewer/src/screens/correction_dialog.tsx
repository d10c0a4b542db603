/** Says what corrected facts have made again, and at what cost, before they are stored. */
import { useState } from "react";
import { type CorrectedGoal, type Remade, remadeByCorrection, storeCorrection } from "../api/facts.ts";
import type { ApiError } from "../api/client.ts";
import { type PlanStatus, runAgain } from "../api/plans.ts";
import { useSession } from "../api_context.ts";
import { requestId } from "../goal/draft.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { go, paths } from "../route.ts";
import { asApiError, useLoaded } from "../use_loaded.ts";

interface CorrectionDialogProps {
  plan: PlanStatus;
  corrected: CorrectedGoal;
  close: () => void;
  stored: () => void;
}

export function CorrectionDialog({ plan, corrected, close, stored }: CorrectionDialogProps) {
  const { api } = useSession();
  const found = useLoaded((signal) => remadeByCorrection(api, plan.plan_id, signal), `${plan.plan_id}/remade`);
  const [request] = useState(requestId);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const completed = plan.state === "completed";
  const store = async () => {
    setBusy(true);
    setError(null);
    try {
      const edited = await storeCorrection(api, plan.plan_id, corrected, request);
      // a failed or stopped plan was edited itself: continue it
      if (edited.plan_id === plan.plan_id) await runAgain(api, plan.plan_id, "resume");
      stored();
      close();
      go(paths.strategic(edited.plan_id));
    } catch (refused) {
      setError(asApiError(refused));
      setBusy(false);
    }
  };
  return (
    <Dialog title="Steps to repeat" close={close}>
      {found.error && <Trouble error={found.error} again={found.reload} />}
      {!found.data && found.loading && <Waiting rows={2} />}
      {found.data && <Steps remade={found.data} />}
      <p className="muted">
        {completed ? "This plan is not changed: the corrected plan is derived from it." : "This plan continues with the corrected facts."}
      </p>
      {error && <Trouble error={error} />}
      <div className="dialog-foot">
        <button type="button" className="button" onClick={close}>
          Cancel
        </button>
        <button type="button" className="button primary" disabled={busy || !found.data} onClick={() => void store()}>
          {busy ? "Storing…" : completed ? "Make the corrected plan" : "Correct and continue"}
        </button>
      </div>
    </Dialog>
  );
}

function Steps({ remade }: { remade: Remade }) {
  const { steps, cost_at_most: cost, credits_at_most: credits, edits_lost: lost } = remade;
  // the first step holds the corrections, and is kept
  const again = steps.filter(({ step }) => !step.startsWith("001"));
  const unmade = again.filter((each) => each.cost === null).length;
  const price = cost.price.known ? `, ${Number(cost.price.amount ?? 0).toFixed(2)} ${cost.price.currency}` : "";
  return (
    <>
      <p>
        At most {again.length} steps are made again, with {cost.calls.toLocaleString("en")} model calls{price}
        {credits !== null && `, ${credits.toLocaleString("en")} credits reserved`}. A step whose input stays the same is kept.
        {unmade > 0 && ` The figures leave out ${unmade} that were never made.`}
      </p>
      {lost.length > 0 && <p className="notice held">Edited files that are written anew: {lost.join(", ")}. Their versions stay readable.</p>}
      <details>
        <summary>The steps</summary>
        <ul className="bullets">
          {again.map(({ step, title }) => (
            <li key={step}>
              {title} <code>{step}</code>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
