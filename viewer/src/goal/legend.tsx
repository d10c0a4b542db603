/** Which kinds of facts are marked in a goal, how each is drawn, and which of them are shown. */
import type { GoalPart } from "../api/facts.ts";
import { countKinds, KINDS } from "./parts.ts";

interface LegendProps {
  parts: readonly GoalPart[];
  hidden: ReadonlySet<string>;
  setHidden: (hidden: ReadonlySet<string>) => void;
}

export function Legend({ parts, hidden, setHidden }: LegendProps) {
  const counts = countKinds(parts);
  if (counts.length === 0) return null;
  const toggle = (kind: string) => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    setHidden(next);
  };
  return (
    <div className="legend" role="group" aria-label="What is marked">
      {counts.map(([kind, count]) => (
        <button key={kind} type="button" aria-pressed={!hidden.has(kind)} onClick={() => toggle(kind)}>
          <mark className={hidden.has(kind) ? "" : `k-${kind}`}>{KINDS[kind]}</mark> {count}
        </button>
      ))}
    </div>
  );
}
