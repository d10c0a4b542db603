/** Schedule a graph: when it runs, with which variables, and from which budget it takes its calls. */
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import { type Budget, type GraphDocument, type GraphInfo, listBudgets, listSchedules, readGraph, setSchedule } from "../api/graphs.ts";
import { useSession } from "../api_context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Trouble, Waiting } from "../parts/trouble.tsx";
import { asApiError, useLoaded } from "../use_loaded.ts";
import { BudgetChoice, NameField, nameError } from "./budget_dialog.tsx";
import { textsOf, VariableFields, valuesOf } from "./variable_fields.tsx";
import { DAYS, expressionOf, type Often, type Times } from "./when.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;
const OFTEN: Record<Often, string> = {
  daily: "Every day",
  weekly: "Every week",
  once: "Once",
  cron: "By a cron expression",
};
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = [...new Set(["UTC", HERE, ...Intl.supportedValuesOf("timeZone")])];

interface Props {
  /** The graphs that can be chosen, at least one. */
  graphs: Pick<GraphInfo, "plan_id" | "title">[];
  saved: () => void;
  close: () => void;
}

export function ScheduleDialog({ graphs, saved, close }: Props) {
  const { api } = useSession();
  const [planId, setPlanId] = useState(graphs[0]?.plan_id ?? "");
  const found = useLoaded(async (signal) => {
    const [graph, budgets, schedules] = await Promise.all([readGraph(api, planId, signal), listBudgets(api, signal), listSchedules(api, signal)]);
    return { variables: (graph.graph as GraphDocument | null)?.variables ?? {}, budgets, taken: schedules.map(({ name }) => name) };
  }, planId);
  return (
    <Dialog title="Schedule a graph" close={close}>
      {graphs.length > 1 ? (
        <label className="field">
          <span>Graph</span>
          <select value={planId} onChange={(event) => setPlanId(event.target.value)}>
            {graphs.map((graph) => (
              <option key={graph.plan_id} value={graph.plan_id}>
                {graph.title || graph.plan_id}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <p>
          Graph: <strong>{graphs[0]?.title || planId}</strong>
        </p>
      )}
      {found.error && <Trouble error={found.error} again={found.reload} />}
      {!found.data && found.loading && <Waiting rows={2} />}
      {found.data && <Form key={planId} planId={planId} {...found.data} saved={saved} close={close} />}
    </Dialog>
  );
}

interface FormProps {
  planId: string;
  variables: Record<string, unknown>;
  budgets: Budget[];
  taken: string[];
  saved: () => void;
  close: () => void;
}

function Form({ planId, variables, budgets, taken, saved, close }: FormProps) {
  const { api } = useSession();
  const [name, setName] = useState("");
  const [times, setTimes] = useState<Times>({ often: "daily", time: "08:00", day: "MON", moment: "", cron: "cron(0 8 ? * MON-FRI *)" });
  const [zone, setZone] = useState(HERE);
  const [texts, setTexts] = useState(() => textsOf(variables));
  const [budget, setBudget] = useState("");
  const [destructive, setDestructive] = useState(false);
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const wrong = nameError(name, NAME, 40);
  const when = expressionOf(times);
  const save = () => {
    setBusy(true);
    setTrouble(null);
    const options = { allow_destructive: destructive, shared_budget: budget || null };
    setSchedule(api, name, { plan_id: planId, when, timezone: zone, variables: valuesOf(texts, variables), options })
      .then(saved, (error: unknown) => setTrouble(asApiError(error)))
      .finally(() => setBusy(false));
  };
  return (
    <>
      <NameField name={name} change={setName} wrong={wrong} />
      <div className="in-row">
        <label className="field">
          <span>How often</span>
          <select value={times.often} onChange={(event) => setTimes({ ...times, often: event.target.value as Often })}>
            {Object.entries(OFTEN).map(([often, title]) => (
              <option key={often} value={often}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <TimeFields times={times} change={setTimes} />
        <label className="field">
          <span>Time zone</span>
          <select value={zone} onChange={(event) => setZone(event.target.value)}>
            {ZONES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      </div>
      {times.often === "cron" && <p className="hint">cron(minute hour day-of-month month day-of-week year), with ? for one of the two days.</p>}
      <VariableFields texts={texts} change={setTexts} />
      {budgets.length > 0 && <BudgetChoice budgets={budgets} chosen={budget} choose={setBudget} />}
      <label className="check">
        <input type="checkbox" checked={destructive} onChange={(event) => setDestructive(event.target.checked)} />
        Do not ask before destructive steps; otherwise a run waits for an approval.
      </label>
      {taken.includes(name) && <p className="notice held">There is a schedule with this name. It is replaced.</p>}
      {trouble && <Trouble error={trouble} />}
      <div className="dialog-foot">
        <button type="button" className="button" onClick={close}>
          Cancel
        </button>
        <button type="button" className="button primary" disabled={busy || !name || wrong !== null || !when} onClick={save}>
          {taken.includes(name) ? "Replace" : "Schedule"}
        </button>
      </div>
    </>
  );
}

function TimeFields({ times, change }: { times: Times; change: (times: Times) => void }) {
  const input = (title: string, field: "time" | "moment" | "cron", type: string) => (
    <label className="field">
      <span>{title}</span>
      <input type={type} value={times[field]} onChange={(event) => change({ ...times, [field]: event.target.value })} />
    </label>
  );
  if (times.often === "once") return input("Date and time", "moment", "datetime-local");
  if (times.often === "cron") return input("Expression", "cron", "text");
  return (
    <>
      {times.often === "weekly" && (
        <label className="field">
          <span>Day</span>
          <select value={times.day} onChange={(event) => change({ ...times, day: event.target.value })}>
            {Object.entries(DAYS).map(([day, title]) => (
              <option key={day} value={day}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      {input("Time", "time", "time")}
    </>
  );
}
