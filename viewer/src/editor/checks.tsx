/** The errors and warnings of the current plan, as the service reports them. */
import { useEffect, useEffectEvent, useState } from "react";
import type { ApiError } from "../api/client.ts";
import { type Validation, validatePlan } from "../api/implementation.ts";
import { useSession } from "../api_context.ts";
import { Trouble } from "../parts/trouble.tsx";
import { asApiError } from "../use_loaded.ts";
import type { Editor } from "./use_editor.ts";

/** After the last keystroke (milliseconds). */
const QUIET = 400;

export function Checks({ editor, select }: { editor: Editor; select: (id: string) => void }) {
  const { api } = useSession();
  const [found, setFound] = useState<Validation | ApiError | null>(null);
  const ask = useEffectEvent((signal: AbortSignal) => {
    validatePlan(api, editor.plan, signal).then(setFound, (error: unknown) => !signal.aborted && setFound(asApiError(error)));
  });
  useEffect(() => {
    const ended = new AbortController();
    const timer = setTimeout(() => ask(ended.signal), QUIET);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [editor.plan]);
  if (!found) return <p className="muted">Checking…</p>;
  if (found instanceof Error) return <Trouble error={found} />;
  const all = [...found.errors.map((each) => ({ ...each, tone: "bad" })), ...found.warnings.map((each) => ({ ...each, tone: "held" }))];
  if (all.length === 0) return <p className="notice good">No errors: the plan is valid.</p>;
  return (
    <ul className="items">
      {all.map((each) => (
        <li key={`${each.path}${each.code}`}>
          <span className={`pill ${each.tone}`}>{each.code.replaceAll("_", " ").toLowerCase()}</span>{" "}
          <Place path={each.path} editor={editor} select={select} />
          <p>{each.message}</p>
          {each.hint && <p className="muted">{each.hint}</p>}
        </li>
      ))}
    </ul>
  );
}

/** The place of a finding, with a button to its step if it is in one. */
function Place({ path, editor, select }: { path: string; editor: Editor; select: (id: string) => void }) {
  const step = editor.plan.steps[Number(/^\/steps\/(\d+)/.exec(path)?.[1])];
  if (!step) return <code>{path || "/"}</code>;
  return (
    <button type="button" className="link" onClick={() => select(step.id)} title={`Open ${step.id}`}>
      <code>{path}</code>
    </button>
  );
}
