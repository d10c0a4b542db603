/** A document that is edited as JSON, with what a check finds beside it while it is written. */
import { useEffect, useState } from "react";
import type { ApiError } from "../api/client.ts";
import { asApiError } from "../use_loaded.ts";
import { Trouble } from "./trouble.tsx";

export interface Issue {
  path: string;
  message: string;
  hint?: string;
  /** It prevents that the document is stored. */
  blocking: boolean;
}

export interface Checked {
  issues: Issue[];
  summary: string;
}

interface Props {
  text: string;
  change: (text: string) => void;
  check: (document: unknown, signal: AbortSignal) => Promise<Checked>;
  /** Called with the document once the check allows it to be stored, else with null. */
  found: (document: object | null) => void;
}

/** The check waits for a pause in the typing (milliseconds). */
const PAUSE = 600;

export function JsonEditor({ text, change, check, found }: Props) {
  const [result, setResult] = useState<Checked & { error?: ApiError }>({ issues: [], summary: "" });
  useEffect(() => {
    found(null);
    const ended = new AbortController();
    const timer = setTimeout(() => {
      let document: unknown;
      try {
        document = JSON.parse(text);
        if (typeof document !== "object" || document === null) throw new SyntaxError("A document is an object: {...}");
      } catch (error) {
        return setResult({ issues: [{ path: "", message: `This is no JSON: ${(error as Error).message}`, blocking: true }], summary: "" });
      }
      check(document, ended.signal).then(
        (checked) => {
          setResult(checked);
          if (!checked.issues.some((issue) => issue.blocking)) found(document as object);
        },
        (error: unknown) => {
          if (!ended.signal.aborted) setResult({ issues: [], summary: "", error: asApiError(error) });
        },
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only another text needs another check
  }, [text]);
  return (
    <div className="json-editor">
      <textarea className="code" aria-label="JSON" spellCheck={false} value={text} onChange={(event) => change(event.target.value)} />
      <div className="json-issues" aria-live="polite">
        {result.error && <Trouble error={result.error} />}
        {result.summary && <p className="hint">{result.summary}</p>}
        <ul className="items">
          {result.issues.map((issue, index) => (
            <li key={index} className={issue.blocking ? "bad" : "held"}>
              <code>{issue.path || "/"}</code>
              <p>{issue.message}</p>
              {issue.hint && <p className="muted">{issue.hint}</p>}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
