/** The goal of a strategic plan with what was understood of it, and the way to correct that. */
import { useState } from "react";
import { correctedGoal, type FactsGiven, planGoal } from "../api/facts.ts";
import type { PlanStatus } from "../api/plans.ts";
import { useSession } from "../api_context.ts";
import { hasCorrections } from "../goal/fields.ts";
import { Unclear } from "../goal/left_open.tsx";
import { MarkedGoal } from "../goal/marked_goal.tsx";
import { Understood } from "../goal/understood.tsx";
import { Icon } from "../parts/icon.tsx";
import { Empty, Trouble, Waiting } from "../parts/trouble.tsx";
import { useLoaded } from "../use_loaded.ts";
import { CorrectionDialog } from "./correction_dialog.tsx";

/** States in which the facts of a plan may be corrected. */
const ENDED = new Set(["completed", "failed", "stopped"]);

export function Goal({ plan }: { plan: PlanStatus }) {
  const { api } = useSession();
  const [correcting, setCorrecting] = useState(false);
  const [given, setGiven] = useState<FactsGiven>({});
  const [confirming, setConfirming] = useState(false);
  const found = useLoaded((signal) => planGoal(api, plan.plan_id, signal), `${plan.plan_id}/goal/${plan.steps_completed > 0}`);
  const changed = hasCorrections(given);
  const preview = useLoaded(
    async (signal) => (changed ? correctedGoal(api, plan.plan_id, given, signal) : null),
    `${plan.plan_id}/${JSON.stringify(given)}`,
  );
  if (found.error && !found.data) return <Trouble error={found.error} again={found.reload} />;
  if (!found.data) return <Waiting />;
  const { goal, facts } = found.data;
  const end = () => {
    setCorrecting(false);
    setGiven({});
  };
  if (!facts)
    return (
      <div className="goal-tab">
        <MarkedGoal parts={goal} />
        <Empty title="Not read yet">The first step says what is understood of the goal.</Empty>
      </div>
    );
  return (
    <div className="goal-tab">
      <section aria-label="The goal">
        <MarkedGoal parts={preview.data?.goal ?? goal} />
      </section>
      <div className="new-read">
        <section aria-labelledby="understood">
          <div className="heading-line">
            <h2 id="understood" className="push">
              What was understood
            </h2>
            {ENDED.has(plan.state) && !correcting && (
              <button type="button" className="button small" onClick={() => setCorrecting(true)}>
                <Icon name="edit" size={14} />
                Correct
              </button>
            )}
          </div>
          <p className="hint">{facts.read_by === "model" ? "A model read the goal, and programs verified each fact." : "Read by rules, which state only what is explicit."}</p>
          <Understood facts={facts} given={given} {...(correcting && { give: setGiven })} />
          {preview.error && <Trouble error={preview.error} again={preview.reload} />}
          {correcting && (
            <div className="chips">
              <button type="button" className="button" onClick={end}>
                {changed ? "Discard the corrections" : "Cancel"}
              </button>
              <button type="button" className="button primary" disabled={!changed || !preview.data} onClick={() => setConfirming(true)}>
                See what is made again
              </button>
            </div>
          )}
        </section>
        <Unclear facts={facts} parts={goal} />
      </div>
      {confirming && preview.data && <CorrectionDialog plan={plan} corrected={preview.data} close={() => setConfirming(false)} stored={end} />}
    </div>
  );
}
