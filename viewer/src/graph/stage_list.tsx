/** The pipeline as a list, for windows in which its graph could not be read. */
import type { StageNode } from "../api/watching.ts";
import { StatePill } from "../parts/state_pill.tsx";
import { took } from "./stage_card.tsx";

export function StageList({ stages, open }: { stages: readonly StageNode[]; open: (step: string) => void }) {
  return (
    <ol className="rows" aria-label="Pipeline">
      {stages.map((stage) => (
        <li key={stage.name}>
          <button type="button" className="row stage-line" onClick={() => open(stage.step.slice(0, 3))}>
            <span className="row-title">
              <code>{stage.step.slice(0, 3)}</code> {stage.title}
            </span>
            <span className="row-facts">
              <span>{took(stage)}</span>
              <StatePill state={stage.state} />
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
