/** One run, live: where each step is, what it came to, and what can be done. */
import { useMemo, useState } from "react";
import type { ApiError } from "../api/client.ts";
import { resumeRun, type Run, stopRun } from "../api/graphs.ts";
import { useSession } from "../api_context.ts";
import { StateView } from "../graph/state_graph.tsx";
import { Icon } from "../parts/icon.tsx";
import { StatePill } from "../parts/state_pill.tsx";
import { exactly, span } from "../parts/times.ts";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { Tabs } from "../editor/tabs.tsx";
import { paths } from "../route.ts";
import { ApproveDialog } from "../runs/approve_dialog.tsx";
import { EventList } from "../runs/event_list.tsx";
import { ResumeDialog } from "../runs/resume_dialog.tsx";
import { RunStepPanel } from "../runs/step_panel.tsx";
import { criticalOf, endedOf, isLive, isResumable, runningSteps, shownState } from "../runs/steps.ts";
import { Timeline } from "../runs/timeline.tsx";
import { useRun, type WholeRun } from "../runs/use_run.ts";
import { asApiError } from "../use_loaded.ts";

export function RunScreen({ runId }: { runId: string }) {
  const whole = useRun(runId);
  if (whole.data) return <OpenRun whole={whole.data} error={whole.error} reload={whole.reload} />;
  return (
    <main id="main" className="page" tabIndex={-1}>
      {whole.error ? <Trouble error={whole.error} again={whole.reload} /> : <Waiting />}
    </main>
  );
}

function OpenRun({ whole, error, reload }: { whole: WholeRun; error: ApiError | undefined; reload: () => void }) {
  const [tab, setTab] = useState("Steps");
  const [selected, select] = useState<string | null>(null);
  const { run, events } = whole;
  const written = useMemo(() => whole.graph?.graph?.steps as Parameters<typeof runningSteps>[1] | undefined, [whole.graph]);
  const steps = useMemo(() => runningSteps(whole.steps, written ?? []), [whole.steps, written]);
  const critical = useMemo(() => criticalOf(steps, whole.steps), [steps, whole.steps]);
  const step = whole.steps.find((each) => each.step === selected);
  return (
    <main id="main" className="desk" tabIndex={-1}>
      <Heading run={run} reload={reload} />
      {error && (
        <div className="desk-notice">
          <Trouble error={error} again={reload} />
        </div>
      )}
      {run.failure && (
        <div className="desk-notice">
          <div className="notice bad" role="alert">
            <div>
              <strong>{run.failure.code}</strong>
              <p>{run.failure.message}</p>
            </div>
            {run.failure.steps?.[0] && (
              <button type="button" className="button" onClick={() => select(run.failure?.steps?.[0] ?? null)}>
                Show step {run.failure.steps[0]}
              </button>
            )}
          </div>
        </div>
      )}
      <Approvals whole={whole} reload={reload} />
      <Tabs names={["Steps", "Timeline", "Log"]} open={tab} choose={setTab} />
      <div className={`desk-body${step ? " with-panel" : ""}`}>
        <div className="desk-main" role="tabpanel" aria-label={tab} tabIndex={tab === "Steps" ? undefined : 0}>
          {tab === "Steps" && <StateView {...{ steps, critical, selected, select }} />}
          {tab === "Timeline" && <Timeline steps={whole.steps} events={events} select={select} />}
          {tab === "Log" && <EventList events={events} />}
        </div>
        {step && (
          <RunStepPanel
            key={step.step}
            {...{ runId: run.run_id, step, events }}
            written={written?.find((each) => each.index === step.step)}
            close={() => select(null)}
          />
        )}
      </div>
    </main>
  );
}

function Heading({ run, reload }: { run: Run; reload: () => void }) {
  const { api } = useSession();
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const [asked, setAsked] = useState(false);
  const act = (work: () => Promise<unknown>) => () => {
    setTrouble(null);
    work().then(reload, (error: unknown) => {
      const refused = asApiError(error);
      if (refused.code === "OUTCOME_UNKNOWN") setAsked(true);
      else setTrouble(refused);
    });
  };
  const seconds = run.ended_at ? (Date.parse(run.ended_at) - Date.parse(run.created_at)) / 1000 : null;
  return (
    <div className="toolbar">
      <div className="toolbar-line">
        <a className="button ghost square" href={paths.runList} aria-label="All runs">
          <Icon name="back" />
        </a>
        <h1 title={run.title}>{run.title || "Run"}</h1>
        <span className="push" />
        {isLive(run) && (
          <button type="button" className="button danger" onClick={act(() => stopRun(api, run.run_id))}>
            <Icon name="stop" />
            Stop
          </button>
        )}
        {isResumable(run) && (
          <button
            type="button"
            className="button primary"
            onClick={run.state === "blocked" ? () => setAsked(true) : act(() => resumeRun(api, run.run_id))}
          >
            Resume
          </button>
        )}
      </div>
      <p className="row-facts" aria-live="polite">
        <StatePill state={shownState(run.state)} />
        <span>
          {endedOf(run)} of {run.step_count} steps
        </span>
        <span>{run.progress.calls ?? 0} calls</span>
        {seconds !== null && <span>{span(seconds)}</span>}
        {run.number > 1 && <span>{run.number === 2 ? "resumed once" : `resumed ${run.number - 1} times`}</span>}
        {run.replanned && <span>continued with a revised graph</span>}
        {run.deadline && <span>until {exactly(run.deadline)}</span>}
        <a href={paths.graph(run.plan_id)}>graph, revision {run.revision}</a>
        <code>{run.run_id}</code>
      </p>
      {trouble && <Trouble error={trouble} />}
      {asked && <ResumeDialog run={run} close={() => setAsked(false)} resumed={() => (setAsked(false), reload())} />}
    </div>
  );
}

function Approvals({ whole, reload }: { whole: WholeRun; reload: () => void }) {
  const [open, setOpen] = useState<string | null>(null);
  const { run, graph, steps } = whole;
  const waiting = run.progress.waiting ?? [];
  if (run.state !== "waiting" && run.state !== "running") return null;
  return (
    <>
      {waiting.map((id) => (
        <div key={id} className="desk-notice">
          <div className="notice held">
            <div>
              <strong>
                Step {id} needs an approval: {steps.find((each) => each.step === id)?.tool}
              </strong>
            </div>
            <button type="button" className="button" onClick={() => setOpen(id)}>
              Decide…
            </button>
          </div>
        </div>
      ))}
      {open !== null && (
        <ApproveDialog
          runId={run.run_id}
          step={steps.find((each) => each.step === open)}
          written={(graph?.graph?.steps as { index: string }[] | undefined)?.find((each) => each.index === open)}
          id={open}
          close={() => setOpen(null)}
          decided={() => (setOpen(null), reload())}
        />
      )}
    </>
  );
}
