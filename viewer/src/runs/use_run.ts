/** A run as it is now: its state, its steps, its graph and its log, read again when it changes. */
import { type GraphRead, readGraph, type Run, type RunEvent, runEvents, type RunStep, runStatus, runSteps } from "../api/graphs.ts";
import { ApiError } from "../api/client.ts";
import { useSession } from "../api_context.ts";
import { type Loaded, useLoaded } from "../use_loaded.ts";
import { useLooking } from "../use_looking.ts";

/** Between two looks (milliseconds): while it runs, and while only a person can change it. */
const SOON = 1_500;
const SELDOM = 10_000;

export interface WholeRun {
  run: Run;
  steps: RunStep[];
  events: RunEvent[];
  /** Null where it was deleted. */
  graph: GraphRead | null;
}

export function useRun(runId: string): Omit<Loaded<WholeRun>, "replace"> {
  const { api } = useSession();
  const now = useLoaded(async (signal) => {
    const run = await runStatus(api, runId, signal);
    const [steps, events] = await Promise.all([runSteps(api, runId, signal), runEvents(api, runId, signal)]);
    return { run, steps, events };
  }, runId);
  const run = now.data?.run;
  // a run that continued with a revised graph has another revision
  const graph = useLoaded(
    async (signal) => (run ? readGraph(api, run.plan_id, signal, run.revision).catch(deleted) : undefined),
    run ? `${run.plan_id}/${run.revision}` : "",
  );
  useLooking(
    (signal) => runStatus(api, runId, signal),
    (found) => {
      // an active request would be cancelled
      if (!now.loading && run && JSON.stringify(found) !== JSON.stringify(run)) now.reload();
    },
    run?.state === "running" ? SOON : SELDOM,
    runId,
  );
  const { reload } = now;
  const read = graph.data;
  const error = now.error ?? graph.error;
  return { ...now, data: now.data && read !== undefined ? { ...now.data, graph: read } : undefined, error, reload: graph.error ? graph.reload : reload };
}

function deleted(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
}
