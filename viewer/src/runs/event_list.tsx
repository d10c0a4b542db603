/** What happened, oldest first. */
import { exactly } from "../parts/times.ts";

export interface ShownEvent {
  name: string;
  at: string;
  /** The step or node that it happened to. */
  step?: string | null;
  data?: Record<string, unknown> | null;
}

export function EventList({ events }: { events: readonly ShownEvent[] }) {
  if (events.length === 0) return <p className="muted">Nothing has happened yet.</p>;
  return (
    <ol className="events" aria-label="Log">
      {events.map((event, index) => (
        <li key={index}>
          <time dateTime={event.at} title={exactly(event.at)}>
            {event.at.slice(11, 19)}
          </time>
          <span>
            {event.step && <code>{event.step}</code>} <b>{event.name.replaceAll("_", " ")}</b>{" "}
            <span className="muted">{textOf(event.data)}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

function textOf(data: Record<string, unknown> | null | undefined): string {
  return Object.entries(data ?? {})
    .filter(([, value]) => value !== null && value !== "" && JSON.stringify(value) !== "[]" && JSON.stringify(value) !== "{}")
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ")
    .slice(0, 500);
}
