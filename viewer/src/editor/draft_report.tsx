/** The result of reading a Markdown plan: what is missing, and what could not be placed. */
import type { PlanDraft } from "../api/implementation.ts";
import type { PlanDocument } from "../plan/document.ts";

export function DraftReport({ draft }: { draft: PlanDraft }) {
  const { errors } = draft.validation;
  const count = (draft.plan as unknown as PlanDocument).steps.length;
  return (
    <div className={`notice block ${errors.length > 0 ? "bad" : "held"}`} role="alert">
      <strong>{count === 1 ? "1 step was read." : `${count} steps were read.`}</strong>
      {errors.length > 0 && (
        <>
          <p>Missing in the text:</p>
          <ul className="bullets">
            {errors.map((each) => (
              <li key={`${each.path}${each.code}`}>
                <code>{each.path}</code> {each.message}
              </li>
            ))}
          </ul>
        </>
      )}
      {draft.unplaced.length > 0 && (
        <>
          <p>Not placed in the plan:</p>
          <ul className="bullets">
            {draft.unplaced.map((each, index) => (
              <li key={`${each.line}-${index}`}>
                <span>Line {each.line}:</span> <q>{each.text}</q> <span>({each.reason})</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
