/** What a person enters or decides at a node of a workflow: JSON and documents that the executor checks. */
import { useMemo, useState } from "react";
import type { ApiError } from "../api/client.ts";
import { type Submission, submitResult, type WorkflowNode } from "../api/workflows.ts";
import { useSession } from "../api_context.ts";
import { Trouble } from "../parts/trouble.tsx";
import { asApiError } from "../use_loaded.ts";
import { DocumentField } from "./document_field.tsx";
import { wantedDocuments } from "./wanted_documents.ts";

interface Props {
  runId: string;
  contract: WorkflowNode["contract"];
  /** The schema of what is entered, if the node has one. */
  schema: unknown;
  submitted: () => void;
}

export function SubmitForm({ runId, contract, schema, submitted }: Props) {
  const { api } = useSession();
  const [text, setText] = useState(() => JSON.stringify(blank(schema), null, 2));
  const [answer, setAnswer] = useState<Submission | null>(null);
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const wanted = useMemo(() => wantedDocuments(contract), [contract]);
  const [pointers, setPointers] = useState<Record<number, string>>({});
  const missing = wanted.filter((each, index) => each.required && !pointers[index]).map((each) => each.name);
  const value = parsed(text);
  const submit = () => {
    setBusy(true);
    setTrouble(null);
    const documents = wanted.map(({ name, kind }, index) => ({ name, kind, pointer: pointers[index] ?? "" }));
    submitResult(api, runId, contract.id, value, documents.filter((each) => each.pointer))
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
      {wanted.map((each, index) => (
        <DocumentField
          key={index}
          runId={runId}
          wanted={each}
          pointer={pointers[index] ?? ""}
          change={(pointer) => setPointers((was) => ({ ...was, [index]: pointer }))}
        />
      ))}
      {missing.length > 0 && <p className="hint">Still missing: {missing.join(", ")}</p>}
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
