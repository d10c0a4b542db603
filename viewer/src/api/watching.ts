/** A strategic plan as it is being drafted: its graph of stages, and the stream of its events. */
import { type Client, isAbort, pause } from "./client.ts";
import { readEvents, type StreamEvent } from "./event_stream.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];

export type StageNode = Schemas["GraphNode"];
export type StageGraph = Schemas["PlanGraph"];

/** Which stage waits for which, by name. */
export interface StageEdge {
  from: string;
  to: string;
}

export function planGraph(api: Client, planId: string, signal?: AbortSignal): Promise<StageGraph> {
  return api.json(`plans/${encodeURIComponent(planId)}/graph`, { query: { format: "json" }, signal });
}

/** After an answer that held nothing, and after one that failed (milliseconds). */
const QUIET = 1_000;
const FAILED = 4_000;

/**
 * Call *heard* with each event of the plan until *signal* aborts. A stream that ended is opened again after the last event.
 * If there is no stream, *heard* is called without an event every few seconds, so that the caller polls.
 */
export async function follow(
  api: Client,
  planId: string,
  heard: (event?: StreamEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = "";
  while (!signal.aborted) {
    try {
      const before = last;
      const headers: Record<string, string> = { Accept: "text/event-stream" };
      if (last) headers["Last-Event-ID"] = last;
      const answer = await api.raw(`plans/${encodeURIComponent(planId)}/events`, { headers, query: { after: last }, signal });
      // the plan has ended, and all events were sent
      if (answer.status === 204) return heard();
      for await (const event of readEvents(answer)) {
        last = event.id || last;
        heard(event);
      }
      if (last === before) await pause(QUIET, signal);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      heard();
      await pause(FAILED, signal).catch(() => undefined);
    }
  }
}
