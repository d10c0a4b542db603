/** One run of a workflow: nodes with states and owners, contracts, and what happened. */
import { useMemo, useState } from "react";
import type { ApiError } from "../api/client.ts";
import { readWorkflow, resumeWorkflow, stopWorkflow, type Workflow, type WorkflowEvent } from "../api/workflows.ts";
import { useSession } from "../api_context.ts";
import { Tabs } from "../editor/tabs.tsx";
import { type StateStep, StateView } from "../graph/state_graph.tsx";
import { Icon } from "../parts/icon.tsx";
import { StatePill } from "../parts/state_pill.tsx";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { paths } from "../route.ts";
import { NodePanel } from "../runs/node_panel.tsx";
import { WorkflowEvents } from "../runs/workflow_events.tsx";
import { asApiError, useLoaded } from "../use_loaded.ts";
import { useLooking } from "../use_looking.ts";

/** Between two looks (milliseconds), until it has ended and then. */
const SOON = 3_000;
const SELDOM = 30_000;
/** The reason of a run that only another plan can continue. */
const REPLAN = "replan_required";
const NONE: ReadonlySet<string> = new Set();
const NO_EVENTS: readonly WorkflowEvent[] = [];

export function WorkflowScreen({ runId }: { runId: string }) {
  const { api } = useSession();
  const whole = useLoaded((signal) => readWorkflow(api, runId, signal), runId);
  const shown = whole.data;
  useLooking(
    (signal) => readWorkflow(api, runId, signal),
    (found) => found.run.version !== shown?.run.version && whole.replace(found),
    shown?.run.endedAt ? SELDOM : SOON,
    runId,
  );
  if (shown) return <OpenWorkflow workflow={shown} error={whole.error} reload={whole.reload} />;
  return (
    <main id="main" className="page" tabIndex={-1}>
      {whole.error ? <Trouble error={whole.error} again={whole.reload} /> : <Waiting />}
    </main>
  );
}

export function nodeSteps({ nodes, edges }: Pick<Workflow, "nodes" | "edges">): StateStep[] {
  const after = Map.groupBy(edges, (edge) => edge.target);
  return nodes.map(({ contract, status, attempts }) => ({
    id: contract.id,
    title: contract.label ?? "",
    by: `${contract.owner.executorType} ${contract.owner.ref}`,
    state: status,
    note: attempts > 1 ? `attempt ${attempts}` : "",
    after: after.get(contract.id)?.map((edge) => edge.source) ?? [],
  }));
}

function OpenWorkflow({ workflow, error, reload }: { workflow: Workflow; error: ApiError | undefined; reload: () => void }) {
  const { api } = useSession();
  const [tab, setTab] = useState("Nodes");
  const [selected, select] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const { run } = workflow;
  const steps = useMemo(() => nodeSteps(workflow), [workflow]);
  const node = workflow.nodes.find((each) => each.contract.id === selected);
  const act = (work: () => Promise<unknown>) => () => {
    setTrouble(null);
    work().then(reload, (refused: unknown) => setTrouble(asApiError(refused)));
  };
  const failed = trouble ?? error;
  return (
    <main id="main" className="desk" tabIndex={-1}>
      <div className="toolbar">
        <div className="toolbar-line">
          <a className="button ghost square" href={paths.workflowList} aria-label="All workflows">
            <Icon name="back" />
          </a>
          <h1 title={run.title}>{run.title}</h1>
          <span className="push" />
          {workflow.nodes.some((each) => each.approvalId && each.status === "awaiting-human") && (
            <a className="button primary" href={paths.approvalList}>
              Approvals
            </a>
          )}
          {run.status === "blocked" && run.reason !== REPLAN && (
            <button type="button" className="button primary" onClick={act(() => resumeWorkflow(api, run.runId))}>
              Resume
            </button>
          )}
          {!run.endedAt && (
            <button type="button" className="button danger" onClick={act(() => stopWorkflow(api, run.runId))}>
              <Icon name="stop" />
              Stop
            </button>
          )}
        </div>
        <p className="row-facts" aria-live="polite">
          <StatePill state={run.status} />
          <span>{workflow.percent} % of the nodes are done</span>
          <span>workstream {run.workstreamId}</span>
          {run.replacedBy && <a href={paths.workflow(run.replacedBy)}>replaced by another run</a>}
          {run.replacedRunId && <a href={paths.workflow(run.replacedRunId)}>replaced an earlier run</a>}
          <code>{run.runId}</code>
        </p>
        <Reason run={run} />
        {failed && <Trouble error={failed} again={reload} />}
      </div>
      <Tabs names={["Nodes", "Timeline"]} open={tab} choose={setTab} />
      <div className={`desk-body${node ? " with-panel" : ""}`}>
        <div className="desk-main" role="tabpanel" aria-label={tab} tabIndex={tab === "Nodes" ? undefined : 0}>
          {tab === "Nodes" && <StateView {...{ steps, critical: NONE, selected, select }} />}
          {tab === "Timeline" && <WorkflowEvents runId={run.runId} newest={workflow.events ?? NO_EVENTS} />}
        </div>
        {node && (
          <NodePanel
            key={node.contract.id}
            {...{ runId: run.runId, version: run.version, node }}
            schema={workflow.schemas[node.contract.outputSchemaRef ?? ""]}
            submitted={reload}
            close={() => select(null)}
          />
        )}
      </div>
    </main>
  );
}

function Reason({ run }: { run: Workflow["run"] }) {
  if (!run.reason) return null;
  if (run.reason !== REPLAN || run.endedAt) return <p className="hint">{run.reason}</p>;
  return (
    <div className="notice held">
      <div>
        <p>
          The plan must change. Write another draft and replace this run with it: <code>replaceExecutionPlan</code> over MCP, or
        </p>
        <code>planloom workflow replace {run.runId} DRAFT.json --carry-over</code>
      </div>
    </div>
  );
}
