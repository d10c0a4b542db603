/** All graphs of the account, last saved first. */
import { useState } from "react";
import { exampleGraph, type GraphInfo, listGraphs } from "../api/graphs.ts";
import { useSession } from "../api_context.ts";
import { Icon } from "../parts/icon.tsx";
import { ago, exactly } from "../parts/times.ts";
import { Empty, Trouble, Waiting } from "../parts/trouble.tsx";
import { go, paths } from "../route.ts";
import { GraphDialog } from "../runs/graph_dialog.tsx";
import { useLoaded } from "../use_loaded.ts";
import { useFollowedPages } from "../use_followed_pages.ts";

const FOLLOWED = { id: (graph: GraphInfo) => graph.plan_id, live: (graph: GraphInfo) => graph.revision === 0 };

export function GraphListScreen() {
  const { api } = useSession();
  const [writing, setWriting] = useState(false);
  const pages = useFollowedPages(
    async (before, signal) => {
      const found = await listGraphs(api, before, signal);
      return { items: found.plans, next: found.next };
    },
    "graphs",
    FOLLOWED,
  );
  const none = pages.items.length === 0;
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="heading-line">
        <div className="heading">
          <h1>Graphs</h1>
          <p className="muted">Plans of tool calls, last saved first.</p>
        </div>
        <a className="button" href={paths.scheduleList}>
          Schedules and budgets
        </a>
        <a className="button" href={paths.runList}>
          Runs
        </a>
        <button type="button" className="button primary" onClick={() => setWriting(true)}>
          <Icon name="plus" />
          New graph
        </button>
      </div>
      {pages.error && <Trouble error={pages.error} again={pages.reload} />}
      {none && pages.loading && <Waiting />}
      {none && !pages.loading && !pages.error && (
        <Empty title="No graphs yet">
          <p>
            Write one here, or let a model draft it for a goal: <code>planloom graph create "..."</code>, for agents <code>plan_create</code>.
          </p>
        </Empty>
      )}
      <ul className="rows">
        {pages.items.map((graph) => (
          <li key={graph.plan_id}>
            <a className="row" href={paths.graph(graph.plan_id)}>
              <span className="row-title">{graph.title || graph.plan_id}</span>
              <span className="row-facts">
                <span>{graph.revision === 0 ? "a model drafts it" : `revision ${graph.revision}`}</span>
                <span>{graph.step_count} steps</span>
                <time dateTime={graph.updated_at} title={exactly(graph.updated_at)}>
                  {ago(graph.updated_at)}
                </time>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {pages.more && (
        <button type="button" className="button wide" onClick={pages.more}>
          Show older graphs
        </button>
      )}
      {writing && <NewGraph close={() => setWriting(false)} />}
    </main>
  );
}

function NewGraph({ close }: { close: () => void }) {
  const { api } = useSession();
  const example = useLoaded((signal) => exampleGraph(api, signal), "example");
  if (!example.data) return example.error ? <Trouble error={example.error} again={example.reload} /> : null;
  return <GraphDialog start={example.data} saved={(graph) => go(paths.graph(graph.plan_id))} close={close} />;
}
