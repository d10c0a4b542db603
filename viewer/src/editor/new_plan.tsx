/** A new plan: from a Markdown plan, which the registry turns into a draft, or from JSON as it is. */
import { type FormEvent, useState } from "react";
import { createPlan } from "../api/implementation.ts";
import { useSession } from "../api_context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { go, paths } from "../route.ts";
import { asApiError } from "../use_loaded.ts";

export function NewPlan({ close }: { close: () => void }) {
  const { api } = useSession();
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);

  async function create(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setError("");
    try {
      const saved = await createPlan(api, parsed(text), { origin: "viewer" });
      go(paths.implementation(saved.planId));
    } catch (refused) {
      setError(refused instanceof SyntaxError ? `This is no JSON: ${refused.message}` : asApiError(refused).message);
      setBusy(false);
    }
  }

  return (
    <Dialog title="New implementation plan" close={close}>
      <form className="form" onSubmit={create}>
        <label className="field">
          <span>The plan as JSON (schema 1.0.0)</span>
          <textarea rows={14} className="code" spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        {error && (
          <p className="notice bad" role="alert">
            {error}
          </p>
        )}
        <div className="dialog-foot">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={busy || !text.trim()}>
            {busy ? "Storing…" : "Check and store"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function parsed(text: string): unknown {
  return JSON.parse(text);
}
