/** When each step of a run was active. */
import type { RunEvent, RunStep } from "../api/graphs.ts";
import { tone } from "../parts/state_pill.tsx";
import { span } from "../parts/times.ts";
import { shownState } from "./steps.ts";

export interface Bar {
  step: RunStep;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
}

/** Return the bars of all steps that began, in the order in which they did; an active step ends *now*. */
export function barsOf(steps: readonly RunStep[], events: readonly RunEvent[], now: number): Bar[] {
  const started = new Map(events.filter((event) => event.name === "step_started").map((event) => [event.step, Date.parse(event.at)]));
  return steps
    .flatMap((step): Bar[] => {
      if (step.ended_at) return [{ step, start: Date.parse(step.ended_at) - (step.seconds ?? 0) * 1000, end: Date.parse(step.ended_at) }];
      const start = started.get(step.step);
      return start === undefined || step.state === "pending" ? [] : [{ step, start, end: Math.max(start, now) }];
    })
    .toSorted((a, b) => a.start - b.start);
}

export function Timeline({ steps, events, select }: { steps: readonly RunStep[]; events: readonly RunEvent[]; select: (id: string) => void }) {
  const newest = Math.max(0, ...events.map((event) => Date.parse(event.at)));
  const bars = barsOf(steps, events, newest);
  const from = Math.min(...bars.map((bar) => bar.start));
  const whole = Math.max(1, ...bars.map((bar) => bar.end - from));
  if (bars.length === 0) return <p className="muted spaced">No step has begun yet.</p>;
  return (
    <ol className="timeline" aria-label="Timeline">
      {bars.map(({ step, start, end }) => (
        <li key={step.step}>
          <button type="button" onClick={() => select(step.step)}>
            <span className="timeline-name">
              <code>{step.step}</code> {step.title || step.tool}
            </span>
            <span className={`timeline-line ${tone(shownState(step.state))}`}>
              <i style={{ marginLeft: `${((start - from) / whole) * 100}%`, width: `${((end - start) / whole) * 100}%` }} />
            </span>
            <span className="timeline-time">{span((end - start) / 1000)}</span>
          </button>
        </li>
      ))}
    </ol>
  );
}
