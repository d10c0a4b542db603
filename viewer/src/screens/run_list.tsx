/** All runs of graphs of the account, newest first, as they are now. */
import { listRuns, type Run } from "../api/graphs.ts";
import { useSession } from "../api_context.ts";
import { StatePill, tone } from "../parts/state_pill.tsx";
import { ago, exactly } from "../parts/times.ts";
import { Empty, Trouble, Waiting } from "../parts/trouble.tsx";
import { paths } from "../route.ts";
import { endedOf, isLive, shownState } from "../runs/steps.ts";
import { useFollowedPages } from "../use_followed_pages.ts";

const FOLLOWED = { id: (run: Run) => run.run_id, live: isLive };

export function RunListScreen() {
  const { api } = useSession();
  const pages = useFollowedPages(
    async (before, signal) => {
      const found = await listRuns(api, before, signal);
      return { items: found.runs, next: found.next };
    },
    "runs",
    FOLLOWED,
  );
  const none = pages.items.length === 0;
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="heading-line">
        <div className="heading">
          <h1>Runs</h1>
          <p className="muted">
            Runs of graphs, newest first. <span role="status">{pages.missed && "The last look for changes failed; it is tried again."}</span>
          </p>
        </div>
        <a className="button" href={paths.graphList}>
          Graphs
        </a>
      </div>
      {pages.error && <Trouble error={pages.error} again={pages.reload} />}
      {none && pages.loading && <Waiting />}
      {none && !pages.loading && !pages.error && (
        <Empty title="No runs yet">
          <p>Open a graph and run it.</p>
        </Empty>
      )}
      <ul className="rows">
        {pages.items.map((run) => (
          <li key={run.run_id}>
            <a className="row" href={paths.run(run.run_id)}>
              <span className="row-title">{run.title || run.run_id}</span>
              <span className="row-facts">
                <StatePill state={shownState(run.state)} />
                <span className={`share ${tone(shownState(run.state))}`} aria-hidden="true">
                  <i style={{ width: `${(endedOf(run) / Math.max(1, run.step_count)) * 100}%` }} />
                </span>
                <span>
                  {endedOf(run)} of {run.step_count} steps
                </span>
                <time dateTime={run.created_at} title={exactly(run.created_at)}>
                  {ago(run.created_at)}
                </time>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {pages.more && (
        <button type="button" className="button wide" onClick={pages.more}>
          Show older runs
        </button>
      )}
    </main>
  );
}
