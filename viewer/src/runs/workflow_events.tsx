/** The events of a workflow: the newest, and older ones page by page. */
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import { eventsBefore, type WorkflowEvent } from "../api/workflows.ts";
import { useSession } from "../api_context.ts";
import { Trouble } from "../parts/trouble.tsx";
import { asApiError } from "../use_loaded.ts";
import { EventList } from "./event_list.tsx";

const PAGE = 100;
/** The first event of every run. */
const FIRST = "plan_created";

/** Return *known* with *newest*; what is known no longer counts if events between them are missing. */
export function joinEvents(known: readonly WorkflowEvent[], newest: readonly WorkflowEvent[]): readonly WorkflowEvent[] {
  const from = newest[0]?.cursor ?? Infinity;
  const touches = known.some((event) => event.cursor >= from);
  return touches ? [...known.filter((event) => event.cursor < from), ...newest] : newest;
}

/** *newest* is the end of the list, as it was last read. */
export function WorkflowEvents({ runId, newest }: { runId: string; newest: readonly WorkflowEvent[] }) {
  const { api } = useSession();
  const [{ from, all, start }, setState] = useState({ from: newest, all: newest, start: newest[0]?.cursor ?? Infinity });
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  if (from !== newest) {
    const joined = joinEvents(all, newest);
    setState({ from: newest, all: joined, start: joined === newest ? (newest[0]?.cursor ?? Infinity) : start });
  }
  const shown = all.filter((event) => event.cursor >= start);
  const showOlder = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      const loaded = all.filter((event) => event.cursor < start);
      const older = loaded.length > 0 ? loaded : await eventsBefore(api, runId, start);
      setState((was) => ({
        ...was,
        all: [...older, ...was.all.filter((event) => event.cursor >= start)],
        start: older.at(-PAGE)?.cursor ?? 0,
      }));
    } catch (error) {
      setTrouble(asApiError(error));
    }
    setBusy(false);
  };
  return (
    <>
      {trouble && <Trouble error={trouble} />}
      {shown[0]?.name !== FIRST && (
        <p className="spaced">
          <button type="button" className="button" disabled={busy} onClick={() => void showOlder()}>
            Older events
          </button>
        </p>
      )}
      <EventList events={shown.map((event) => ({ ...event, step: event.nodeId }))} />
    </>
  );
}
