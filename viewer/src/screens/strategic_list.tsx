/** All strategic plans of the account, newest first, as they are now. */
import { useState } from "react";
import { listPlans, type PlanSummary } from "../api/plans.ts";
import { useSession } from "../api_context.ts";
import { Icon } from "../parts/icon.tsx";
import { StatePill } from "../parts/state_pill.tsx";
import { ago, exactly } from "../parts/times.ts";
import { Empty, Trouble, Waiting } from "../parts/trouble.tsx";
import { paths } from "../route.ts";
import { useFollowedPages } from "../use_followed_pages.ts";

const FOLLOWED = {
  id: (plan: PlanSummary) => plan.plan_id,
  live: (plan: PlanSummary) => plan.state === "pending" || plan.state === "processing",
};

const STATES = ["pending", "processing", "completed", "failed", "stopped"] as const;

export function StrategicListScreen() {
  const { api } = useSession();
  const [state, setState] = useState("");
  const [words, setWords] = useState("");
  const load = async (before: string | null, signal: AbortSignal) => {
    const found = await listPlans(api, before, signal);
    return { items: found.plans, next: found.next_before };
  };
  const pages = useFollowedPages(load, "strategic", FOLLOWED);
  const shown = pages.items.filter((plan) => fits(plan, state, words));

  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="heading-line">
        <div className="heading">
          <h1>Strategic plans</h1>
          <p className="muted">
            Goals drafted into plans, newest first.{" "}
            <span role="status">{pages.missed && "The last look for changes failed; it is tried again."}</span>
          </p>
        </div>
        <a className="button primary" href={paths.strategicNew}>
          <Icon name="plus" />
          New plan
        </a>
      </div>
      <search className="filters">
        <input
          type="search"
          placeholder="Search goals"
          aria-label="Search goals"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <select aria-label="State" value={state} onChange={(event) => setState(event.target.value)}>
          <option value="">Any state</option>
          {STATES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </search>
      {pages.error && <Trouble error={pages.error} again={pages.reload} />}
      {pages.items.length === 0 && pages.loading && <Waiting />}
      {pages.items.length === 0 && !pages.loading && !pages.error && (
        <Empty title="No plans yet">
          <p>
            Write a goal, and see what is understood of it before anything is drafted. On the command line it is{" "}
            <code>planloom draft "Open a bakery …"</code>, for agents <code>plan_create</code>.
          </p>
          <a className="button primary" href={paths.strategicNew}>
            Write a goal
          </a>
        </Empty>
      )}
      {pages.items.length > 0 && shown.length === 0 && (
        <Empty title="Nothing fits">
          <p>No plan of those loaded here fits the filters.</p>
          <button type="button" className="button" onClick={() => (setState(""), setWords(""))}>
            Clear the filters
          </button>
        </Empty>
      )}
      <ul className="rows">
        {shown.map((plan) => (
          <Row key={plan.plan_id} plan={plan} />
        ))}
      </ul>
      {(pages.more || (pages.loading && pages.items.length > 0)) && (
        <button type="button" className="button wide" onClick={pages.more ?? undefined} disabled={pages.loading}>
          {pages.loading ? "Loading…" : "Show older plans"}
        </button>
      )}
    </main>
  );
}

function Row({ plan }: { plan: PlanSummary }) {
  return (
    <li>
      <a className="row" href={paths.strategic(plan.plan_id)}>
        <span className="row-title">{plan.prompt_excerpt}</span>
        <span className="row-facts">
          <StatePill state={plan.state} />
          {plan.state === "processing" && <span>{Math.round(plan.progress_percentage)} %</span>}
          <time dateTime={plan.created_at} title={exactly(plan.created_at)}>
            {ago(plan.created_at)}
          </time>
        </span>
      </a>
    </li>
  );
}

function fits(plan: PlanSummary, state: string, words: string): boolean {
  const text = plan.prompt_excerpt.toLowerCase();
  return (!state || plan.state === state) && words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}
