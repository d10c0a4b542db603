/** What a person enters or decides at a node of a workflow: JSON that the executor checks. */
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import { type Submission, submitResult } from "../api/workflows.ts";
import { useSession } from "../api_context.ts";
import { Trouble } from "../parts/trouble.tsx";
import { asApiError } from "../use_loaded.ts";

interface Props {
  runId: string;
  nodeId: string;
  /** The schema of what is entered, if the node has one. */
  schema: unknown;
  submitted: () => void;
}

export function SubmitForm({ runId, nodeId, schema, submitted }: Props) {
  const { api } = useSession();
  const [text, setText] = useState(() => JSON.stringify(blank(schema), null, 2));
  const [answer, setAnswer] = useState<Submission | null>(null);
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const value = parsed(text);
  const submit = () => {
    setBusy(true);
    setTrouble(null);
    submitResult(api, runId, nodeId, value)
      .then(
        (found) => {
          setAnswer(found);
          if (found.accepted) submitted();
        },
        (error: unknown) => setTrouble(asApiError(error)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <section className="form">
      <label className="field">
        <span>What you enter or decide, as JSON</span>
        <textarea className="code" rows={6} spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <ul className="checks" aria-live="polite">
        {answer?.failedChecks.flatMap((check) =>
          check.findings.map((finding, index) => (
            <li key={`${check.type}${index}`} className="bad">
              <code>{finding.path}</code> {finding.message} {finding.expected}
            </li>
          )),
        )}
      </ul>
      {trouble && <Trouble error={trouble} />}
      <div className="decisions">
        <button type="button" className="button primary" disabled={busy || value === undefined} onClick={submit}>
          Submit
        </button>
      </div>
    </section>
  );
}

/** Return what a person fills in: a field for each property of the schema. */
function blank(schema: unknown): object {
  const properties = (schema as { properties?: object } | undefined)?.properties ?? {};
  return Object.fromEntries(Object.keys(properties).map((name) => [name, null]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
