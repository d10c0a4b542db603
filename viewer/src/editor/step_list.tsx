/** The steps as a list: in their order, grouped and filtered. */
import { bandOf, type Grouping } from "../graph/flow.ts";
import { lookOf } from "../graph/kinds.ts";
import { Drawing, Icon } from "../parts/icon.tsx";
import { StatePill } from "../parts/state_pill.tsx";
import type { PlanDocument, Step } from "../plan/document.ts";
import { moveStep } from "../plan/edits.ts";
import { type Filter, fits } from "./filter.ts";
import type { Editor } from "./use_editor.ts";

interface StepListProps {
  plan: PlanDocument;
  filter: Filter;
  grouping: Grouping;
  selected: string | null;
  select: (id: string | null) => void;
  edit: Editor["edit"];
}

export function StepList({ plan, filter, grouping, selected, select, edit }: StepListProps) {
  const shown = plan.steps.filter((step) => fits(step, filter));
  const groups = Map.groupBy(shown, (step) => bandOf(step, grouping));
  if (shown.length === 0)
    return (
      <div className="empty">
        <h2>Nothing fits</h2>
        <p>No step matches the filters.</p>
      </div>
    );
  return (
    <div className="step-list">
      {[...groups].map(([group, steps]) => (
        <section key={group} aria-label={group || "Steps"}>
          {group && (
            <h2 className="band-title">
              {group} <small>{steps.length}</small>
            </h2>
          )}
          <ol className="rows">
            {steps.map((step, index) => (
              <Line
                key={step.id}
                step={step}
                open={step.id === selected}
                select={() => select(step.id)}
                move={(by) => edit((was) => moveStep(was, step.id, by, steps.map((each) => each.id)))}
                first={index === 0}
                last={index === steps.length - 1}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

interface LineProps {
  step: Step;
  open: boolean;
  first: boolean;
  last: boolean;
  select: () => void;
  move: (by: number) => void;
}

function Line({ step, open, first, last, select, move }: LineProps) {
  const look = lookOf(step.kind);
  return (
    <li className={`step-line kind-${look.kind}${open ? " selected" : ""}`}>
      <button type="button" className="step-line-open" data-id={step.id} onClick={select} aria-current={open}>
        <span className="step-line-kind">
          <Drawing path={look.path} size={16} />
        </span>
        <span className="step-line-text">
          <span className="row-title">
            <code>{step.id}</code> {step.title}
          </span>
          <span className="row-facts">
            <StatePill state={step.ui.status} />
            <span>{look.title}</span>
            {step.dependsOn.length > 0 && <span>after {step.dependsOn.join(", ")}</span>}
          </span>
        </span>
      </button>
      <span className="step-line-move">
        <button type="button" className="button ghost small square" disabled={first} onClick={() => move(-1)} aria-label={`Move ${step.id} up`}>
          <Icon name="up" size={14} />
        </button>
        <button type="button" className="button ghost small square" disabled={last} onClick={() => move(1)} aria-label={`Move ${step.id} down`}>
          <Icon name="down" size={14} />
        </button>
      </span>
    </li>
  );
}
