/** The board of workflows: runs by what they wait for. */
import { useState } from "react";
import { exampleDraft, listWorkflows, type WorkflowRun } from "../api/workflows.ts";
import { useSession } from "../api_context.ts";
import { Icon } from "../parts/icon.tsx";
import { StatePill } from "../parts/state_pill.tsx";
import { ago, exactly } from "../parts/times.ts";
import { Empty, Trouble, Waiting } from "../parts/trouble.tsx";
import { go, paths } from "../route.ts";
import { DraftDialog } from "../runs/draft_dialog.tsx";
import { useLoaded } from "../use_loaded.ts";
import { useFollowedPages } from "../use_followed_pages.ts";

const COLUMNS: readonly [string, readonly string[]][] = [
  ["For people", ["awaiting-human", "blocked"]],
  ["Running", ["running"]],
  ["Ended", ["completed", "failed", "aborted"]],
];
const FOLLOWED = { id: (run: WorkflowRun) => run.runId, live: (run: WorkflowRun) => !run.endedAt };

export function WorkflowListScreen() {
  const { api } = useSession();
  const [drafting, setDrafting] = useState(false);
  const pages = useFollowedPages(
    async (before, signal) => {
      const found = await listWorkflows(api, before, signal);
      return { items: found.runs, next: found.next };
    },
    "workflows",
    FOLLOWED,
  );
  const none = pages.items.length === 0;
  return (
    <main id="main" className="page wide" tabIndex={-1}>
      <div className="heading-line">
        <div className="heading">
          <h1>Workflows</h1>
          <p className="muted">Plans that agents and people carry out together.</p>
        </div>
        <button type="button" className="button primary" onClick={() => setDrafting(true)}>
          <Icon name="plus" />
          New workflow
        </button>
      </div>
      {pages.error && <Trouble error={pages.error} again={pages.reload} />}
      {none && pages.loading && <Waiting />}
      {none && !pages.loading && !pages.error && (
        <Empty title="No workflows yet">
          <p>
            Write a draft here, or start one with <code>planloom workflow start</code>.
          </p>
        </Empty>
      )}
      {!none && (
        <div className="board">
          {COLUMNS.map(([title, states]) => (
            <Column key={title} title={title} runs={pages.items.filter((run) => states.includes(run.status))} />
          ))}
        </div>
      )}
      {pages.more && (
        <button type="button" className="button wide" onClick={pages.more}>
          Show older workflows
        </button>
      )}
      {drafting && <NewDraft close={() => setDrafting(false)} />}
    </main>
  );
}

function Column({ title, runs }: { title: string; runs: readonly WorkflowRun[] }) {
  return (
    <section>
      <h2>
        {title} <span className="muted">{runs.length}</span>
      </h2>
      <ul className="rows">
        {runs.map((run) => (
          <li key={run.runId}>
            <a className="row" href={paths.workflow(run.runId)}>
              <span className="row-title">{run.title}</span>
              <span className="row-facts">
                <StatePill state={run.status} />
                <span>{progressOf(run)}</span>
                <span>{run.workstreamId}</span>
                <time dateTime={run.updatedAt} title={exactly(run.updatedAt)}>
                  {ago(run.updatedAt)}
                </time>
              </span>
              {run.reason && <span className="hint">{run.reason}</span>}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function progressOf({ progress }: WorkflowRun): string {
  const counts = progress as Record<string, number>;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `${(counts.completed ?? 0) + (counts.partial ?? 0) + (counts.skipped ?? 0)} of ${all} nodes`;
}

function NewDraft({ close }: { close: () => void }) {
  const { api } = useSession();
  const example = useLoaded((signal) => exampleDraft(api, signal), "example");
  if (!example.data) return example.error ? <Trouble error={example.error} again={example.reload} /> : null;
  return <DraftDialog start={example.data} started={(runId) => go(paths.workflow(runId))} close={close} />;
}
