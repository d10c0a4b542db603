/** A goal with what was understood of it marked: one stop for the keyboard, arrows go from mark to mark. */
import { type KeyboardEvent, useRef, useState } from "react";
import type { GoalPart } from "../api/facts.ts";
import { Legend } from "./legend.tsx";
import { classesOf } from "./parts.ts";

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function MarkedGoal({ parts }: { parts: readonly GoalPart[] }) {
  const box = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [stop, setStop] = useState(-1);
  const [over, setOver] = useState(-1);
  const classes = parts.map((part) => classesOf(part, hidden));
  const marks = classes.flatMap((each, index) => (each ? [index] : []));
  const current = marks.includes(stop) ? stop : marks[0];
  const move = (event: KeyboardEvent) => {
    const next = marks[marks.indexOf(current ?? -1) + (STEPS[event.key] ?? 0)];
    if (!(event.key in STEPS) || next === undefined) return;
    event.preventDefault();
    box.current?.querySelector<HTMLElement>(`[data-part="${next}"]`)?.focus();
  };
  const said = parts[over >= 0 ? over : stop]?.labels.join(" · ");

  return (
    <div className="goal-shown">
      <Legend parts={parts} hidden={hidden} setHidden={setHidden} />
      <div className="goal-text" dir="auto" ref={box} onKeyDown={move}>
        {parts.map((part, index) =>
          classes[index] ? (
            <mark
              key={index}
              data-part={index}
              className={classes[index]}
              title={part.labels.join("\n")}
              tabIndex={index === current ? 0 : -1}
              aria-description={part.labels.join(", ")}
              onFocus={() => setStop(index)}
              onMouseEnter={() => setOver(index)}
              onMouseLeave={() => setOver(-1)}
            >
              {part.text}
            </mark>
          ) : (
            part.text
          ),
        )}
      </div>
      <p className="goal-foot">
        <span className="goal-here">{said || "Point at a mark, or use the arrow keys to go from mark to mark."}</span>
      </p>
    </div>
  );
}
