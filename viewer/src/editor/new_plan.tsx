/** A new plan: from a Markdown plan, which the registry turns into a draft, or from JSON as it is. */
import { type FormEvent, useState } from "react";
import { createPlan, draftFromMarkdown } from "../api/implementation.ts";
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
      const json = text.trimStart().startsWith("{");
      const draft = json ? null : await draftFromMarkdown(api, text);
      if (draft && !draft.validation.isValid) {
        // what the text left open is for its author to say: the draft takes its place, to be completed
        setText(JSON.stringify(draft.plan, null, 2));
        setError(`The text leaves open: ${draft.validation.errors.map((each) => `${each.path} ${each.message}`).join("; ")}`);
        setBusy(false);
        return;
      }
      const saved = await createPlan(api, draft ? draft.plan : JSON.parse(text), draft?.source ?? { origin: "viewer" });
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
          <span>Markdown, with a heading or a list item for each step; or JSON of schema 1.0.0</span>
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
            {busy ? "Making…" : "Make the plan"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
