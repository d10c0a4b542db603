/** Schedules of graphs, and budgets of calls that runs share: listed, added, changed, removed. */
import { useState } from "react";
import { type Budget, type GraphInfo, listBudgets, listGraphs, listSchedules, removeBudget, removeSchedule, type Schedule } from "../api/graphs.ts";
import type { Client } from "../api/client.ts";
import { useSession } from "../api_context.ts";
import { Icon } from "../parts/icon.tsx";
import { ago, exactly } from "../parts/times.ts";
import { Empty, Trouble, Waiting } from "../parts/trouble.tsx";
import { paths } from "../route.ts";
import { BudgetDialog } from "../runs/budget_dialog.tsx";
import { RemoveDialog } from "../runs/remove_dialog.tsx";
import { ScheduleDialog } from "../runs/schedule_dialog.tsx";
import { inWords } from "../runs/when.ts";
import { useLoaded } from "../use_loaded.ts";
import { useLooking } from "../use_looking.ts";

/** Between two looks at what is due and taken (milliseconds). */
const PAUSE = 10_000;

/** The dialog that is open, with what it is about. */
type Open = { kind: "schedule" } | { kind: "remove schedule"; name: string } | { kind: "budget"; budget?: Budget } | { kind: "remove budget"; name: string };

interface Found {
  schedules: Schedule[];
  budgets: Budget[];
  /** The graphs that were saved last; one that a model still drafts cannot run. */
  graphs: GraphInfo[];
}

async function read(api: Client, signal: AbortSignal): Promise<Found> {
  const [schedules, budgets, graphs] = await Promise.all([listSchedules(api, signal), listBudgets(api, signal), listGraphs(api, null, signal, 100)]);
  return { schedules, budgets, graphs: graphs.plans.filter(({ revision }) => revision > 0) };
}

export function ScheduleListScreen() {
  const { api } = useSession();
  const found = useLoaded((signal) => read(api, signal), "schedules");
  useLooking((signal) => read(api, signal), found.replace, PAUSE, "schedules");
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const done = () => {
    close();
    found.reload();
  };
  const { schedules, budgets, graphs } = found.data ?? { schedules: [], budgets: [], graphs: [] };
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="heading-line">
        <div className="heading">
          <h1>Schedules and budgets</h1>
          <p className="muted">When graphs run without being asked, and how many calls of tools their runs may make together.</p>
        </div>
        <a className="button" href={paths.graphList}>
          Graphs
        </a>
      </div>
      {found.error && <Trouble error={found.error} again={found.reload} />}
      {!found.data && found.loading && <Waiting />}
      {found.data && (
        <>
          <section className="listed" aria-labelledby="schedules">
            <div className="heading-line">
              <h2 id="schedules">Schedules</h2>
              {graphs.length > 0 && (
                <button type="button" className="button primary" onClick={() => setOpen({ kind: "schedule" })}>
                  <Icon name="plus" />
                  New schedule
                </button>
              )}
            </div>
            {schedules.length === 0 && (
              <Empty title="No schedules yet">
                {graphs.length > 0 ? (
                  <p>Choose a graph and when it runs: every day, every week, or once.</p>
                ) : (
                  <p>
                    A schedule runs a graph, and you have none. <a href={paths.graphList}>Write a graph</a>, then schedule it here.
                  </p>
                )}
              </Empty>
            )}
            <ul className="rows">
              {schedules.map((schedule) => (
                <ScheduleRow
                  key={schedule.name}
                  schedule={schedule}
                  title={graphs.find(({ plan_id }) => plan_id === schedule.plan_id)?.title || schedule.plan_id}
                  remove={() => setOpen({ kind: "remove schedule", name: schedule.name })}
                />
              ))}
            </ul>
          </section>
          <section className="listed" aria-labelledby="budgets">
            <div className="heading-line">
              <h2 id="budgets">Budgets</h2>
              <button type="button" className="button" onClick={() => setOpen({ kind: "budget" })}>
                <Icon name="plus" />
                New budget
              </button>
            </div>
            {budgets.length === 0 && (
              <Empty title="No budgets yet">
                <p>A budget limits the calls that several runs make together. Add one, then choose it when you run or schedule a graph.</p>
              </Empty>
            )}
            <ul className="rows">
              {budgets.map((budget) => (
                <BudgetRow
                  key={budget.name}
                  budget={budget}
                  change={() => setOpen({ kind: "budget", budget })}
                  remove={() => setOpen({ kind: "remove budget", name: budget.name })}
                />
              ))}
            </ul>
          </section>
        </>
      )}
      {open?.kind === "schedule" && <ScheduleDialog graphs={graphs} saved={done} close={close} />}
      {open?.kind === "remove schedule" && (
        <RemoveDialog
          what={`the schedule ${open.name}`}
          effect="The graph is not run at these times any more. Runs that the schedule started stay."
          remove={() => removeSchedule(api, open.name)}
          removed={done}
          close={close}
        />
      )}
      {open?.kind === "budget" && <BudgetDialog budget={open.budget} taken={budgets.map(({ name }) => name)} saved={done} close={close} />}
      {open?.kind === "remove budget" && (
        <RemoveDialog
          what={`the budget ${open.name}`}
          effect="Runs and schedules that name it make no further call."
          remove={() => removeBudget(api, open.name)}
          removed={done}
          close={close}
        />
      )}
    </main>
  );
}

function ScheduleRow({ schedule, title, remove }: { schedule: Schedule; title: string; remove: () => void }) {
  const { name, next_due: next, last_due: last, last_run: run, missed } = schedule;
  return (
    <li className="row with-acts">
      <div className="row">
        <span className="row-title">{name}</span>
        <span className="row-facts">
          <span>
            {inWords(schedule.when)}, {schedule.timezone}
          </span>
          {next ? (
            <time dateTime={next}>
              next {exactly(next)}, {ago(next)}
            </time>
          ) : (
            <span>not due again</span>
          )}
          <a href={paths.graph(schedule.plan_id)}>{title}</a>
          {run && (
            <a href={paths.run(run)} title={last ? `Due ${exactly(last)}` : undefined}>
              last run
            </a>
          )}
        </span>
        {missed.length > 0 && (
          <details>
            <summary>
              <span className="pill held">{missed.length} missed</span>
            </summary>
            <ul className="bullets hint">
              {missed.toReversed().map(({ due, reason }) => (
                <li key={due}>
                  <time dateTime={due}>{exactly(due)}</time>: {reason}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <button type="button" className="button small danger" aria-label={`Remove the schedule ${name}`} onClick={remove}>
        Remove
      </button>
    </li>
  );
}

function BudgetRow({ budget, change, remove }: { budget: Budget; change: () => void; remove: () => void }) {
  const { name, calls, taken, left } = budget;
  return (
    <li className="row with-acts">
      <div className="row">
        <span className="row-title">{name}</span>
        <span className="row-facts">
          <span className={`share ${left > 0 ? "busy" : "bad"}`} aria-hidden="true">
            <i style={{ width: `${left > 0 ? (taken / calls) * 100 : 100}%` }} />
          </span>
          <span>{calls.toLocaleString("en")} calls</span>
          <span>{taken.toLocaleString("en")} taken</span>
          {left > 0 ? <span>{left.toLocaleString("en")} left</span> : <span className="pill bad">none left</span>}
        </span>
      </div>
      <button type="button" className="button small" aria-label={`Change the budget ${name}`} onClick={change}>
        Change
      </button>
      <button type="button" className="button small danger" aria-label={`Remove the budget ${name}`} onClick={remove}>
        Remove
      </button>
    </li>
  );
}
