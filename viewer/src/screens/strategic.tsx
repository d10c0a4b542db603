/** One strategic plan: how far it is, its pipeline, its files, its report. */
import { type PlanStatus, planStatus } from "../api/plans.ts";
import { planGraph, type StageGraph } from "../api/watching.ts";
import { useSession } from "../api_context.ts";
import { PipelineGraph } from "../graph/stage_graph.tsx";
import { StageList } from "../graph/stage_list.tsx";
import { tone } from "../parts/state_pill.tsx";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { go, paths } from "../route.ts";
import { useLoaded } from "../use_loaded.ts";
import { useNarrow } from "../use_narrow.ts";
import { Figures } from "./strategic_figures.tsx";
import { Files } from "./strategic_files.tsx";
import { Goal } from "./strategic_goal.tsx";
import { Heading } from "./strategic_heading.tsx";
import { Report } from "./strategic_report.tsx";
import { useLive } from "./use_live.ts";

export function StrategicScreen({ planId, tab = "progress" }: { planId: string; tab?: string }) {
  const { api } = useSession();
  const status = useLoaded((signal) => planStatus(api, planId, signal), planId);
  const graph = useLoaded((signal) => planGraph(api, planId, signal), planId);
  const plan = status.data;
  useLive(planId, plan, status.loading || graph.loading, () => {
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
      <Heading plan={plan} tab={tab} reload={status.reload} />
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
            <p>{plan.error.recoverable ? "Resume continues where it stopped." : "Resume cannot help: retry to draft it again."}</p>
          </div>
        </div>
      )}
      <Figures plan={plan} />
      <PlanTabs plan={plan} tab={tab} />
      {tab === "progress" && (
        <>
          {graph.data && <Pipeline graph={graph.data} open={(step) => go(paths.strategic(planId, `files-${step}`))} />}
          {!graph.data && graph.loading && <Waiting rows={3} />}
          {!graph.data && graph.error && <Trouble error={graph.error} again={graph.reload} />}
        </>
      )}
      {tab === "goal" && <Goal plan={plan} />}
      {tab === "report" && <Report planId={planId} />}
      {tab.startsWith("files") && <Files planId={planId} count={plan.files_count} start={tab.replace(/^files-?/, "")} />}
    </main>
  );
}

function Pipeline({ graph, open }: { graph: StageGraph; open: (step: string) => void }) {
  const narrow = useNarrow();
  return narrow ? <StageList stages={graph.nodes} open={open} /> : <PipelineGraph graph={graph} open={open} />;
}

function PlanTabs({ plan, tab }: { plan: PlanStatus; tab: string }) {
  const link = (name: string) => ({ href: paths.strategic(plan.plan_id, name), "aria-current": tab.startsWith(name) ? ("page" as const) : undefined });
  return (
    <nav className="tabs" aria-label="Of this plan">
      <a {...link("progress")}>Pipeline</a>
      <a {...link("goal")}>Goal</a>
      <a {...link("files")}>
        Files <span className="muted">{plan.files_count}</span>
      </a>
      {plan.state === "completed" && <a {...link("report")}>Report</a>}
    </nav>
  );
}
