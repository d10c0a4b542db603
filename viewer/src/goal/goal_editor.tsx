/** The field in which a goal is written; what was understood is marked behind its text, and never delays the typing. */
import { type MouseEvent, useDeferredValue, useMemo, useState } from "react";
import type { GoalPart } from "../api/facts.ts";
import { Legend } from "./legend.tsx";
import { classesOf, FEWEST_WORDS, fitted, partAt, wordsOf } from "./parts.ts";

interface GoalEditorProps {
  goal: string;
  /** What was understood of the goal as it was when it was read last. */
  parts: readonly GoalPart[];
  reading: boolean;
  change: (goal: string) => void;
}

export function GoalEditor({ goal, parts, reading, change }: GoalEditorProps) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [caret, setCaret] = useState(0);
  const [over, setOver] = useState("");
  const marked = useMemo(() => fitted(parts, goal), [parts, goal]);
  const words = wordsOf(useDeferredValue(goal));
  const here = partAt(marked, caret);
  const said = over || (here?.kinds.length ? labelled(here) : "");

  return (
    <div className="goal-editor">
      <Legend parts={marked} hidden={hidden} setHidden={setHidden} />
      <div className="goal-scroll">
        <div className="goal-layers">
          <div className="goal-text goal-behind" dir="auto" aria-hidden="true">
            {marked.map((part, index) => {
              const classes = classesOf(part, hidden);
              return classes ? (
                <mark key={index} className={classes} data-label={labelled(part)}>
                  {part.text}
                </mark>
              ) : (
                part.text
              );
            })}
            {/* the line that a text's last line break begins */}
            {"\n"}
          </div>
          <textarea
            className="goal-text"
            dir="auto"
            aria-label="Goal"
            aria-describedby="goal-words goal-here"
            placeholder="What is to be done, why, by when, with how much money, by whom, where, and what is ruled out? 300 to 800 words make a good plan."
            value={goal}
            onChange={(event) => change(event.target.value)}
            onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
            onMouseMove={(event) => setOver(labelUnder(event))}
            onMouseLeave={() => setOver("")}
          />
        </div>
      </div>
      <div className="goal-foot">
        <span id="goal-words">
          {words.toLocaleString("en")} {words === 1 ? "word" : "words"}
          {words > 0 && words < FEWEST_WORDS && `; it is read from ${FEWEST_WORDS} on`}
        </span>
        <span id="goal-here" className="goal-here">
          {said}
        </span>
        <span role="status" className="muted">
          {reading ? "Reading…" : ""}
        </span>
      </div>
    </div>
  );
}

function labelled(part: GoalPart): string {
  return part.labels.join(" · ");
}

/** Return what the mark under the pointer says; the text that is typed covers the marks. */
function labelUnder(event: MouseEvent): string {
  const found = document.elementsFromPoint(event.clientX, event.clientY).find((each) => each.tagName === "MARK");
  return (found instanceof HTMLElement && found.dataset.label) || "";
}
