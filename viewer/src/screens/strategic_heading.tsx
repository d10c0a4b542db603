/** What a strategic plan is called, how far it is, and what can be done about it. */
import { useState } from "react";
import { planTitle } from "../api/artifacts.ts";
import { ApiError } from "../api/client.ts";
import { type PlanStatus, planFile, runAgain, stopPlan } from "../api/plans.ts";
import { useSession } from "../api_context.ts";
import { Icon } from "../parts/icon.tsx";
import { StatePill } from "../parts/state_pill.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { paths } from "../route.ts";
import { asApiError, useLoaded } from "../use_loaded.ts";
import { MadeFrom } from "./made_from.tsx";

export function Heading({ plan, tab, reload }: { plan: PlanStatus; tab: string; reload: () => void }) {
  const { api } = useSession();
  // the first stage names the plan, in the heading of what it writes
  const title = useLoaded((signal) => planTitle(api, plan.plan_id, signal), `${plan.plan_id}/${plan.steps_completed > 0}`);
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const under = plan.state === "processing" || plan.state === "pending";
  const act = (work: () => Promise<unknown>) => () => {
    setTrouble(null);
    work().then(reload, (error: unknown) => setTrouble(asApiError(error)));
  };
  const download = act(async () => {
    const found = await planFile(api, plan.plan_id, "zip");
    if (!found) throw new ApiError(0, "NOT_READY", "It is not ready yet.");
    window.open(found.download_url, "_blank", "noopener");
  });

  return (
    <>
      <div className="heading-line">
        <div className="heading">
          <h1>{title.data ?? titleOf(plan)}</h1>
          <p className="row-facts" aria-live="polite">
            <StatePill state={plan.state} />
            <span>
              {plan.steps_completed} of {plan.steps_total} steps
            </span>
            {plan.current_step && under && <span>now: {plan.current_step}</span>}
            {plan.queue_position && <span>waiting in the queue, position {plan.queue_position}</span>}
            {plan.derived_from && <a href={paths.strategic(plan.derived_from)}>derived from another plan</a>}
            <code>{plan.plan_id}</code>
          </p>
        </div>
        {under && (
          <button type="button" className="button danger" onClick={act(() => stopPlan(api, plan.plan_id))}>
            <Icon name="stop" />
            Stop
          </button>
        )}
        {(plan.state === "failed" || plan.state === "stopped") && (
          <>
            {plan.error?.recoverable !== false && (
              <button type="button" className="button primary" onClick={act(() => runAgain(api, plan.plan_id, "resume"))}>
                Resume
              </button>
            )}
            <button type="button" className="button" onClick={act(() => runAgain(api, plan.plan_id, "retry"))}>
              Retry
            </button>
          </>
        )}
        {plan.state === "completed" && tab !== "report" && (
          <a className="button primary" href={paths.strategic(plan.plan_id, "report")}>
            <Icon name="open" />
            Open the report
          </a>
        )}
        {plan.state === "completed" && <MadeFrom planId={plan.plan_id} failed={setTrouble} />}
        {!under && plan.files_count > 0 && (
          <button type="button" className="button" onClick={download}>
            <Icon name="download" />
            Zip
          </button>
        )}
      </div>
      {trouble && <Trouble error={trouble} />}
    </>
  );
}

function titleOf(plan: PlanStatus): string {
  return { completed: "Plan drafted", failed: "Plan failed", stopped: "Plan stopped" }[plan.state as string] ?? "Plan being drafted";
}
