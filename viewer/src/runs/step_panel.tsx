/** One step of a graph or of its run: arguments, result, error, log. */
import type { ReactNode } from "react";
import { type GraphStep, type RunEvent, type RunStep, runStep } from "../api/graphs.ts";
import { useSession } from "../api_context.ts";
import { Icon } from "../parts/icon.tsx";
import { JsonText } from "../parts/json_text.tsx";
import { saveFile } from "../parts/save_file.ts";
import { StatePill } from "../parts/state_pill.tsx";
import { bytes, exactly, span } from "../parts/times.ts";
import { Trouble } from "../parts/trouble.tsx";
import { useLoaded } from "../use_loaded.ts";
import { EventList } from "./event_list.tsx";
import { shownState } from "./steps.ts";

export function Panel({ kind, title, close, children }: { kind: ReactNode; title: string; close: () => void; children: ReactNode }) {
  return (
    <aside className="panel" aria-label={title} onKeyDown={(event) => event.key === "Escape" && close()}>
      <header className="panel-head">
        <div className="panel-kind">
          {kind}
          <span className="push" />
          <button type="button" className="button ghost small square" onClick={close} aria-label="Close">
            <Icon name="close" />
          </button>
        </div>
        <h2>{title}</h2>
      </header>
      <div className="panel-body">{children}</div>
    </aside>
  );
}

export function GraphStepPanel({ step, close }: { step: GraphStep; close: () => void }) {
  return (
    <Panel kind={<code>{step.index}</code>} title={step.title || step.tool} close={close}>
      <Written step={step} />
    </Panel>
  );
}

interface RunStepProps {
  runId: string;
  step: RunStep;
  /** Undefined where the graph was deleted. */
  written: GraphStep | undefined;
  events: readonly RunEvent[];
  close: () => void;
}

export function RunStepPanel({ runId, step, written, events, close }: RunStepProps) {
  const state = shownState(step.state);
  return (
    <Panel
      kind={
        <>
          <code>{step.step}</code> <StatePill state={state} />
        </>
      }
      title={step.title || step.tool}
      close={close}
    >
      <p className="row-facts">
        <code>{step.tool}</code>
        {typeof step.seconds === "number" && <span>{span(step.seconds)}</span>}
        {(step.calls ?? 0) > 0 && <span>{step.calls === 1 ? "1 call" : `${step.calls} calls`}</span>}
        {step.ended_at && <time dateTime={step.ended_at}>{exactly(step.ended_at)}</time>}
      </p>
      {step.error && (
        <div className="notice bad" role="alert">
          <div>
            <strong>{step.code ?? "Error"}</strong>
            <p>{step.error}</p>
          </div>
        </div>
      )}
      {step.approval && <Answered approval={step.approval} rejected={step.code === "REJECTED"} />}
      {(step.value_bytes ?? 0) > 0 && <Result runId={runId} step={step} />}
      {step.args !== null && step.args !== undefined && (
        <section>
          <h3>Arguments</h3>
          <JsonText value={step.args} label="Arguments" />
        </section>
      )}
      {written && <Written step={written} />}
      <section>
        <h3>Log</h3>
        <EventList events={events.filter((event) => event.step === step.step)} />
      </section>
    </Panel>
  );
}

/** Who answered the approval of a destructive step, and with which key. */
function Answered({ approval, rejected }: { approval: NonNullable<RunStep["approval"]>; rejected: boolean }) {
  return (
    <p className="row-facts">
      {approval.by ? (
        <span>
          {rejected ? "Rejected" : "Approved"} by <b>{approval.by}</b>{" "}
          {approval.key ? (
            <>
              with the key <code>{approval.key}…</code>
            </>
          ) : (
            "by a signed link"
          )}
        </span>
      ) : (
        <span>Nobody answered in time</span>
      )}
      {approval.comment && <span>{approval.comment}</span>}
    </p>
  );
}

/** The result; a large one is read when it is asked for. */
function Result({ runId, step }: { runId: string; step: RunStep }) {
  const small = step.value !== null && step.value !== undefined;
  return (
    <section>
      <h3>
        Result <span className="muted">{bytes(step.value_bytes ?? 0)}</span>
      </h3>
      {small ? (
        <JsonText value={step.value} label="Result" />
      ) : (
        <details>
          <summary>Show the result</summary>
          <WholeResult runId={runId} step={step.step} />
        </details>
      )}
    </section>
  );
}

function WholeResult({ runId, step }: { runId: string; step: string }) {
  const { api } = useSession();
  const whole = useLoaded((signal) => runStep(api, runId, step, signal), `${runId}/${step}`);
  if (whole.error) return <Trouble error={whole.error} again={whole.reload} />;
  if (!whole.data) return <p className="muted">Loading…</p>;
  const { value } = whole.data;
  if (value === null || value === undefined) {
    return <p className="hint">It has more than 4 MB and is not shown here. Steps that need it get it whole.</p>;
  }
  const save = () => saveFile(`${step}.json`, new Blob([JSON.stringify(value)], { type: "application/json" }));
  return (
    <>
      <JsonText value={value} label="Result" />
      <button type="button" className="button small" onClick={save}>
        Save as a file
      </button>
    </>
  );
}

function Written({ step }: { step: GraphStep }) {
  const { index: _index, title: _title, ...rest } = step;
  const given = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined);
  return (
    <section>
      <h3>In the graph</h3>
      <JsonText value={Object.fromEntries(given)} label="In the graph" />
    </section>
  );
}
