/** One strategic plan: how far it is, its pipeline, its files, its report. */
import { useState } from "react";
import { ApiError } from "../api/client.ts";
import { planTitle } from "../api/artifacts.ts";
import { type PlanStatus, planFile, planStatus, stopPlan } from "../api/plans.ts";
import { planGraph } from "../api/watching.ts";
import { useSession } from "../api_context.ts";
import { PipelineGraph } from "../graph/stage_graph.tsx";
import { Icon } from "../parts/icon.tsx";
import { StatePill, tone } from "../parts/state_pill.tsx";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { go, paths } from "../route.ts";
import { asApiError, useLoaded } from "../use_loaded.ts";
import { Figures } from "./strategic_figures.tsx";
import { Files } from "./strategic_files.tsx";
import { useLive } from "./use_live.ts";

export function StrategicScreen({ planId, tab }: { planId: string; tab: string }) {
  const { api } = useSession();
  const status = useLoaded((signal) => planStatus(api, planId, signal), planId);
  const graph = useLoaded((signal) => planGraph(api, planId, signal), planId);
  const plan = status.data;
  useLive(planId, plan, () => {
    status.reload();
    graph.reload();
  });
  if (!plan)
    return (
      <main id="main" className="page wide" tabIndex={-1}>
        {status.error ? <Trouble error={status.error} again={status.reload} /> : <Waiting />}
      </main>
    );
  return (
    <main id="main" className="page wide" tabIndex={-1}>
      <Heading plan={plan} reload={status.reload} />
      {status.error && <Trouble error={status.error} again={status.reload} />}
      <div className={`progress ${tone(plan.state)}`}>
        <progress className="visually-hidden" max={100} value={plan.progress_percentage} aria-label="Progress" />
        <i style={{ width: `${plan.progress_percentage}%` }} />
      </div>
      {plan.error && (
        <div className="notice bad" role="alert">
          <div>
            <strong>{plan.error.failed_step ? `It failed at ${plan.error.failed_step}.` : "It failed."}</strong>
            <p>{plan.error.message}</p>
            <p>{plan.error.recoverable ? "A resume can help: it goes on where it stopped." : "A resume cannot help; draft it again."}</p>
          </div>
        </div>
      )}
      <Figures plan={plan} />
      <nav className="tabs" aria-label="Of this plan">
        <a href={paths.strategic(planId)} aria-current={tab === "progress" ? "page" : undefined}>
          Pipeline
        </a>
        <a href={paths.strategic(planId, "files")} aria-current={tab === "files" ? "page" : undefined}>
          Files <span className="muted">{plan.files_count}</span>
        </a>
      </nav>
      {tab === "progress" ? (
        <>
          {graph.data && <PipelineGraph graph={graph.data} open={(step) => go(paths.strategic(planId, `files-${step}`))} />}
          {!graph.data && graph.loading && <Waiting rows={3} />}
          {!graph.data && graph.error && <Trouble error={graph.error} again={graph.reload} />}
        </>
      ) : (
        <Files planId={planId} count={plan.files_count} start={tab.replace(/^files-?/, "")} />
      )}
    </main>
  );
}

function Heading({ plan, reload }: { plan: PlanStatus; reload: () => void }) {
  const { api } = useSession();
  // the first stage names the plan, in the heading of what it writes
  const title = useLoaded((signal) => planTitle(api, plan.plan_id, signal), `${plan.plan_id}/${plan.steps_completed > 0}`);
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const under = plan.state === "processing" || plan.state === "pending";

  async function open(file: "report" | "zip") {
    try {
      const found = await planFile(api, plan.plan_id, file);
      if (found) window.open(found.download_url, "_blank", "noopener");
      else setTrouble(new ApiError(0, "NOT_READY", "It is not ready yet."));
    } catch (error) {
      setTrouble(asApiError(error));
    }
  }

  async function stop() {
    try {
      await stopPlan(api, plan.plan_id);
      reload();
    } catch (error) {
      setTrouble(asApiError(error));
    }
  }

  return (
    <>
      <div className="heading-line">
        <div className="heading">
          <h1>{title.data ?? titleOf(plan)}</h1>
          <p className="row-facts" aria-live="polite">
            <StatePill state={plan.state} />
            <span>
              {plan.steps_completed} of {plan.steps_total} stages
            </span>
            {plan.current_step && under && <span>now: {plan.current_step}</span>}
            <code>{plan.plan_id}</code>
          </p>
        </div>
        {under && (
          <button type="button" className="button danger" onClick={() => void stop()}>
            <Icon name="stop" />
            Stop
          </button>
        )}
        {plan.state === "completed" && (
          <button type="button" className="button primary" onClick={() => void open("report")}>
            <Icon name="open" />
            Open the report
          </button>
        )}
        {!under && plan.files_count > 0 && (
          <button type="button" className="button" onClick={() => void open("zip")}>
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
