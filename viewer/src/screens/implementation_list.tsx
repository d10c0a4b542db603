/** All implementation plans of the account, last saved first. */
import { useDeferredValue, useState } from "react";
import { type Filters, listImplementationPlans, type PlanLine } from "../api/implementation.ts";
import { useSession } from "../api_context.ts";
import { NewPlan } from "../editor/new_plan.tsx";
import { Icon } from "../parts/icon.tsx";
import { StatePill, word } from "../parts/state_pill.tsx";
import { ago, exactly } from "../parts/times.ts";
import { Empty, Trouble, Waiting } from "../parts/trouble.tsx";
import { PLAN_TYPES, STATUSES } from "../plan/document.ts";
import { paths } from "../route.ts";
import { usePages } from "../use_pages.ts";

const NONE: Filters = { planType: "", status: "", q: "" };

export function ImplementationListScreen() {
  const { api } = useSession();
  const [filters, setFilters] = useState(NONE);
  const [making, setMaking] = useState(false);
  const asked = useDeferredValue(filters);
  const pages = usePages(async (before, signal) => {
    const found = await listImplementationPlans(api, asked, before, signal);
    return { items: found.plans, next: found.nextBefore };
  }, JSON.stringify(asked));
  const filtered = JSON.stringify(filters) !== JSON.stringify(NONE);
  const none = pages.items.length === 0;
  const set = (change: Partial<Filters>) => setFilters((was) => ({ ...was, ...change }));

  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="heading-line">
        <div className="heading">
          <h1>Implementation plans</h1>
          <p className="muted">What coding agents work from: steps, their order, and what proves that they are done.</p>
        </div>
        <button type="button" className="button primary" onClick={() => setMaking(true)}>
          <Icon name="plus" />
          New plan
        </button>
      </div>
      <search className="filters">
        <input
          type="search"
          placeholder="Search titles, goals, repositories"
          aria-label="Search plans"
          value={filters.q}
          onChange={(event) => set({ q: event.target.value })}
        />
        <Choice label="Type" any="Any type" value={filters.planType} options={PLAN_TYPES} choose={(planType) => set({ planType })} />
        <Choice label="Status" any="Any status" value={filters.status} options={STATUSES} choose={(status) => set({ status })} />
      </search>
      {pages.error && <Trouble error={pages.error} again={pages.reload} />}
      {none && pages.loading && <Waiting />}
      {none && !pages.loading && !pages.error && (
        <Empty title={filtered ? "Nothing fits" : "No implementation plans yet"}>
          {filtered ? (
            <button type="button" className="button" onClick={() => setFilters(NONE)}>
              Clear the filters
            </button>
          ) : (
            <p>
              Your agent stores them with <code>create_plan</code>, or start one here from Markdown.
            </p>
          )}
        </Empty>
      )}
      <ul className="rows">
        {pages.items.map((plan) => (
          <Row key={plan.planId} plan={plan} />
        ))}
      </ul>
      {(pages.more || (pages.loading && !none)) && (
        <button type="button" className="button wide" onClick={pages.more ?? undefined} disabled={pages.loading}>
          {pages.loading ? "Loading…" : "Show older plans"}
        </button>
      )}
      {making && <NewPlan close={() => setMaking(false)} />}
    </main>
  );
}

function Choice(props: {
  label: string;
  any: string;
  value: string;
  options: readonly string[];
  choose: (value: string) => void;
}) {
  return (
    <select aria-label={props.label} value={props.value} onChange={(event) => props.choose(event.target.value)}>
      <option value="">{props.any}</option>
      {props.options.map((each) => (
        <option key={each} value={each}>
          {word(each)}
        </option>
      ))}
    </select>
  );
}

function Row({ plan }: { plan: PlanLine }) {
  const done = plan.statusCounts.done ?? 0;
  return (
    <li>
      <a className="row" href={paths.implementation(plan.planId)}>
        <span className="row-title">{plan.title}</span>
        <span className="row-facts">
          <StatePill state={plan.status} />
          <span className="share good" aria-hidden="true">
            <Part width={done / Math.max(1, plan.stepCount)} />
          </span>
          <span>
            {done} of {plan.stepCount} steps done
          </span>
          <span>{plan.planType}</span>
          <code>{plan.repo}</code>
          <time dateTime={plan.updatedAt} title={exactly(plan.updatedAt)}>
            {ago(plan.updatedAt)}
          </time>
        </span>
      </a>
    </li>
  );
}

function Part({ width }: { width: number }) {
  return <i style={{ width: `${Math.round(width * 100)}%` }} />;
}
