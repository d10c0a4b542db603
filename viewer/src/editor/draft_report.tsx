/** What became of a Markdown plan: what it leaves open, and what of it found no place. */
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
          <p>The text leaves open:</p>
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
          <p>This found no place in it:</p>
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
