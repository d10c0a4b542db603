/** A value before and after a change. */
export function BeforeAfter({ before, after }: { before: unknown; after: unknown }) {
  return (
    <div className="before-after">
      {has(before) && (
        <del>
          <span className="visually-hidden">before: </span>
          {said(before)}
        </del>
      )}
      {has(after) && (
        <ins>
          <span className="visually-hidden">after: </span>
          {said(after)}
        </ins>
      )}
    </div>
  );
}

function has(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function said(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}
