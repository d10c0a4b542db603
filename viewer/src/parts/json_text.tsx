/** A value as JSON text; it may come from a tool or a model, and is never anything else than text. */

/** Longer texts make the page slow (characters). */
const LONGEST = 100_000;

export function JsonText({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  return (
    <>
      <pre className="json" aria-label={label} tabIndex={0}>
        {text.slice(0, LONGEST)}
      </pre>
      {text.length > LONGEST && <p className="hint">The first {LONGEST.toLocaleString("en")} of {text.length.toLocaleString("en")} characters.</p>}
    </>
  );
}

/** Read what somebody typed as a value: JSON, or else the text as it is. */
export function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
