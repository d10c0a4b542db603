/** Budgets of calls: set one, or choose the one whose calls a run takes. */
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import { type Budget, setBudget } from "../api/graphs.ts";
import { useSession } from "../api_context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { asApiError } from "../use_loaded.ts";

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Set *budget*, or a new one that has none of the names *taken*. */
export function BudgetDialog({ budget, taken, saved, close }: { budget?: Budget; taken: string[]; saved: () => void; close: () => void }) {
  const { api } = useSession();
  const [name, setName] = useState(budget?.name ?? "");
  const [calls, setCalls] = useState(String(budget?.calls ?? 1000));
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const wrong = nameError(name, NAME, 64) ?? (!budget && taken.includes(name) ? "There is a budget with this name. Change that one instead." : null);
  const valid = name !== "" && !wrong && /^\d{1,10}$/.test(calls);
  const save = () => {
    setBusy(true);
    setTrouble(null);
    setBudget(api, name, Number(calls))
      .then(saved, (error: unknown) => setTrouble(asApiError(error)))
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title={budget ? `Change the budget ${budget.name}` : "New budget"} close={close}>
      <p className="hint">All runs that name the budget may make so many calls of tools together.</p>
      {!budget && <NameField name={name} change={setName} wrong={wrong} />}
      <label className="field">
        <span>Calls at most</span>
        <input type="number" min={0} max={1_000_000_000} step={1} value={calls} onChange={(event) => setCalls(event.target.value)} />
      </label>
      {budget && <p className="hint">{budget.taken.toLocaleString("en")} calls are taken already; they stay taken.</p>}
      {trouble && <Trouble error={trouble} />}
      <div className="dialog-foot">
        <button type="button" className="button" onClick={close}>
          Cancel
        </button>
        <button type="button" className="button primary" disabled={busy || !valid} onClick={save}>
          {budget ? "Change" : "Create"}
        </button>
      </div>
    </Dialog>
  );
}

export function NameField({ name, change, wrong }: { name: string; change: (name: string) => void; wrong: string | null }) {
  return (
    <label className="field">
      <span>Name</span>
      <input value={name} aria-invalid={wrong !== null} onChange={(event) => change(event.target.value)} />
      {wrong && <span className="field-error">{wrong}</span>}
    </label>
  );
}

/** Return what is wrong with *name*; null while it is empty. */
export function nameError(name: string, allowed: RegExp, longest: number): string | null {
  if (!name || allowed.test(name)) return null;
  return `Use letters, digits, dots, hyphens and underscores, at most ${longest}. The first is a letter or a digit.`;
}

export function BudgetChoice({ budgets, chosen, choose }: { budgets: Budget[]; chosen: string; choose: (name: string) => void }) {
  return (
    <label className="field">
      <span>Shared budget</span>
      <select value={chosen} onChange={(event) => choose(event.target.value)}>
        <option value="">None</option>
        {budgets.map(({ name, left }) => (
          <option key={name} value={name}>
            {name}: {left.toLocaleString("en")} calls left
          </option>
        ))}
      </select>
    </label>
  );
}
