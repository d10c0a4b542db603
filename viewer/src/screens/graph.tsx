/** One graph: its steps, the chain that decides how long it takes, and what can be done with it. */
import { useMemo, useState } from "react";
import { type GraphDocument, type GraphRead, readGraph } from "../api/graphs.ts";
import { useSession } from "../api_context.ts";
import { columnsOf } from "../graph/layout.ts";
import { widthsOf } from "../graph/critical.ts";
import { StateView } from "../graph/state_graph.tsx";
import { Icon } from "../parts/icon.tsx";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { go, paths } from "../route.ts";
import { GraphDialog } from "../runs/graph_dialog.tsx";
import { RunDialog } from "../runs/run_dialog.tsx";
import { ScheduleDialog } from "../runs/schedule_dialog.tsx";
import { GraphStepPanel } from "../runs/step_panel.tsx";
import { criticalOf, drawnSteps } from "../runs/steps.ts";
import { useLoaded } from "../use_loaded.ts";
import { useLooking } from "../use_looking.ts";

/** Between two looks at a graph that a model drafts, and at any other (milliseconds). */
const SOON = 4_000;
const SELDOM = 30_000;

export function GraphScreen({ planId }: { planId: string }) {
  const { api } = useSession();
  const graph = useLoaded((signal) => readGraph(api, planId, signal), planId);
  const shown = graph.data;
  useLooking(
    (signal) => readGraph(api, planId, signal),
    (found) => JSON.stringify(found) !== JSON.stringify(shown) && graph.replace(found),
    shown?.draft ? SOON : SELDOM,
    planId,
  );
  if (shown?.graph) return <Graph read={shown} document={shown.graph as unknown as GraphDocument} reload={graph.reload} />;
  return (
    <main id="main" className="page" tabIndex={-1}>
      {graph.error && <Trouble error={graph.error} again={graph.reload} />}
      {!graph.error && !shown && <Waiting />}
      {shown?.draft && (
        <div className="empty">
          <h1>{shown.title || "A graph"}</h1>
          <p>{shown.draft.error ?? "A model drafts it. It appears here when it is ready."}</p>
        </div>
      )}
    </main>
  );
}

function Graph({ read, document, reload }: { read: GraphRead; document: GraphDocument; reload: () => void }) {
  const [open, setOpen] = useState<"run" | "edit" | "schedule" | null>(null);
  const [selected, select] = useState<string | null>(null);
  const steps = useMemo(() => drawnSteps(document.steps), [document]);
  const critical = useMemo(() => criticalOf(steps), [steps]);
  const widths = useMemo(() => widthsOf(columnsOf(steps.map(({ id, after }) => ({ id, after, band: "" })))), [steps]);
  const step = document.steps.find((each) => each.index === selected);
  return (
    <main id="main" className="desk" tabIndex={-1}>
      <div className="toolbar">
        <div className="toolbar-line">
          <a className="button ghost square" href={paths.graphList} aria-label="All graphs">
            <Icon name="back" />
          </a>
          <h1 title={read.title}>{read.title || "Graph"}</h1>
          <span className="push" />
          <button type="button" className="button" onClick={() => setOpen("edit")}>
            <Icon name="edit" />
            Edit
          </button>
          <button type="button" className="button" onClick={() => setOpen("schedule")}>
            Schedule…
          </button>
          <button type="button" className="button primary" onClick={() => setOpen("run")}>
            Run…
          </button>
        </div>
        <p className="row-facts">
          <span>revision {read.revision}</span>
          <span>
            {steps.length} steps in {widths.length} batches, at most {Math.max(0, ...widths)} at the same time
          </span>
          <span>critical path: {critical.size} steps</span>
          {read.note && <span>{read.note}</span>}
          <code>{read.plan_id}</code>
        </p>
      </div>
      <div className={`desk-body${step ? " with-panel" : ""}`}>
        <div className="desk-main">
          <StateView {...{ steps, critical, selected, select }} />
        </div>
        {step && <GraphStepPanel step={step} close={() => select(null)} />}
      </div>
      {open === "run" && <RunDialog graph={read} variables={document.variables ?? {}} close={() => setOpen(null)} />}
      {open === "schedule" && <ScheduleDialog graphs={[read]} saved={() => go(paths.scheduleList)} close={() => setOpen(null)} />}
      {open === "edit" && (
        <GraphDialog
          start={document}
          changes={{ planId: read.plan_id, revision: read.revision }}
          saved={() => {
            setOpen(null);
            reload();
          }}
          close={() => setOpen(null)}
        />
      )}
    </main>
  );
}
