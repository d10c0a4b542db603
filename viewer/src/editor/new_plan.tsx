/** A new plan: from a Markdown plan, which the registry turns into a draft, or from JSON as it is. */
import { type FormEvent, useState } from "react";
import { type Context, createPlan, draftFromMarkdown, type PlanDraft } from "../api/implementation.ts";
import { useSession } from "../api_context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { go, paths } from "../route.ts";
import { asApiError } from "../use_loaded.ts";
import { DraftReport } from "./draft_report.tsx";

const NOWHERE = { repo: "", ref: "", stack: "" };
const FIELDS: [name: keyof typeof NOWHERE, title: string, hint: string][] = [
  ["repo", "Repository", "shop-api"],
  ["ref", "Branch or commit", "main"],
  ["stack", "Stack", "python, react"],
];

export function NewPlan({ close }: { close: () => void }) {
  const { api } = useSession();
  const [text, setText] = useState("");
  const [where, setWhere] = useState(NOWHERE);
  const [draft, setDraft] = useState<PlanDraft | null>(null);
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const json = text.trimStart().startsWith("{");

  const changed = (next: string) => {
    setText(next);
    setDraft(null);
    setError("");
  };
  const store = async (plan: unknown, source: object) => go(paths.implementation((await createPlan(api, plan, source)).planId));
  const work = async (what: () => Promise<void>) => {
    setBusy(true);
    setError("");
    try {
      await what();
    } catch (refused) {
      setError(refused instanceof SyntaxError ? `This is no JSON: ${refused.message}` : asApiError(refused).message);
    }
    setBusy(false);
  };
  const make = async () => {
    if (json) return store(JSON.parse(text), { origin: "viewer" });
    const read = await draftFromMarkdown(api, text, contextOf(where));
    // nothing of the text is dropped unseen
    if (read.validation.isValid && read.unplaced.length === 0) return store(read.plan, read.source);
    setDraft(read);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void work(draft?.validation.isValid ? () => store(draft.plan, draft.source) : make);
  };

  return (
    <Dialog title="New implementation plan" close={close}>
      <form className="form" onSubmit={submit}>
        <label className="field">
          <span>Markdown, with a heading or a list item for each step; or JSON of schema 1.0.0</span>
          <textarea rows={draft ? 7 : 12} className="code" spellCheck={false} value={text} onChange={(event) => changed(event.target.value)} />
        </label>
        {!json && (
          <div className="in-row">
            {FIELDS.map(([name, title, hint]) => (
              <label className="field" key={name}>
                <span>{title}</span>
                <input
                  placeholder={hint}
                  value={where[name]}
                  onChange={(event) => {
                    setWhere({ ...where, [name]: event.target.value });
                    setDraft(null);
                  }}
                />
              </label>
            ))}
          </div>
        )}
        {draft && <DraftReport draft={draft} />}
        {error && (
          <p className="notice bad" role="alert">
            {error}
          </p>
        )}
        <div className="dialog-foot">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          {draft && !draft.validation.isValid && (
            <button type="button" className="button" onClick={() => changed(JSON.stringify(draft.plan, null, 2))}>
              Complete it as JSON
            </button>
          )}
          <button type="submit" className="button primary" disabled={busy || !text.trim()}>
            {busy ? "Making…" : draft?.validation.isValid ? "Make it without these" : "Make the plan"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Return what was typed beside the text; what was left empty the text has to say. */
function contextOf({ repo, ref, stack }: typeof NOWHERE): Context {
  const listed = stack.split(",").map((each) => each.trim()).filter(Boolean);
  return {
    ...(repo.trim() && { repo: repo.trim() }),
    ...(ref.trim() && { ref: ref.trim() }),
    ...(listed.length > 0 && { stack: listed }),
  };
}
