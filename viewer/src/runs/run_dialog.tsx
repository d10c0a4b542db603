/** Start a run of a graph: variables, what it would take, and a try without calls. */
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import { type DryRun, dryRun, type GraphRead, listBudgets, quoteRun, startRun } from "../api/graphs.ts";
import { useSession } from "../api_context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { JsonText } from "../parts/json_text.tsx";
import { span } from "../parts/times.ts";
import { Trouble } from "../parts/trouble.tsx";
import { go, paths } from "../route.ts";
import { asApiError, useLoaded } from "../use_loaded.ts";
import { BudgetChoice } from "./budget_dialog.tsx";
import { textsOf, VariableFields, valuesOf } from "./variable_fields.tsx";

export function RunDialog({ graph, variables, close }: { graph: GraphRead; variables: Record<string, unknown>; close: () => void }) {
  const { api } = useSession();
  const [texts, setTexts] = useState(() => textsOf(variables));
  const [budget, setBudget] = useState("");
  const [destructive, setDestructive] = useState(false);
  const [trial, setTrial] = useState<DryRun | null>(null);
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const [requestId] = useState(() => crypto.randomUUID());
  const quote = useLoaded((signal) => quoteRun(api, graph.plan_id, signal), graph.plan_id);
  const budgets = useLoaded((signal) => listBudgets(api, signal), "budgets");
  const values = () => valuesOf(texts, variables);
  const act = (work: () => Promise<void>) => () => {
    setTrouble(null);
    setBusy(true);
    work()
      .catch((error: unknown) => setTrouble(asApiError(error)))
      .finally(() => setBusy(false));
  };
  const start = act(async () => {
    const options = { allow_destructive: destructive, shared_budget: budget || null };
    const run = await startRun(api, graph.plan_id, { variables: values(), ...options }, requestId);
    go(paths.run(run.run_id));
  });
  const attempt = act(async () => setTrial(await dryRun(api, graph.plan_id, values())));
  const risky = quote.data?.destructive ?? [];

  return (
    <Dialog title={`Run ${graph.title || "the graph"}`} close={close}>
      <VariableFields texts={texts} change={setTexts} />
      {budgets.data && budgets.data.length > 0 && <BudgetChoice budgets={budgets.data} chosen={budget} choose={setBudget} />}
      {quote.data && (
        <p className="hint">
          At least {quote.data.calls} calls of tools
          {quote.data.seconds !== null && quote.data.seconds !== undefined && `, about ${span(quote.data.seconds)} by the last ${quote.data.measured_runs} runs`}.
        </p>
      )}
      {risky.length > 0 && (
        <label className="check">
          <input type="checkbox" checked={destructive} onChange={(event) => setDestructive(event.target.checked)} />
          Do not ask before destructive steps: {risky.join(", ")}
        </label>
      )}
      {trouble && <Trouble error={trouble} />}
      {trial && <Trial trial={trial} />}
      <div className="dialog-foot">
        <button type="button" className="button" disabled={busy} onClick={attempt}>
          Dry run
        </button>
        <button type="button" className="button primary" disabled={busy} onClick={start}>
          Run
        </button>
      </div>
    </Dialog>
  );
}

function Trial({ trial }: { trial: DryRun }) {
  return (
    <section aria-label="Dry run" className="trial">
      <h3>What it would call; nothing was called</h3>
      {trial.problems.map((problem) => (
        <p key={problem.path + problem.code} className="field-error">
          <code>{problem.path}</code> {problem.message}
        </p>
      ))}
      <ol className="items">
        {trial.steps.map((step) => (
          <li key={step.step}>
            <code>{step.step}</code> <b>{step.tool}</b> {step.title}
            <JsonText value={step.args} label={`Arguments of ${step.step}`} />
            {step.unresolved.length > 0 && <p className="field-error">Names nothing: {step.unresolved.join(", ")}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
