/** From a strategic plan to the implementation plans that were made from it, or to the first one. */
import type { ApiError } from "../api/client.ts";
import { makeFromPlan, plansMadeFrom } from "../api/implementation.ts";
import { useSession } from "../api_context.ts";
import { Icon } from "../parts/icon.tsx";
import { go, paths } from "../route.ts";
import { asApiError, useLoaded } from "../use_loaded.ts";

export function MadeFrom({ planId, failed }: { planId: string; failed: (error: ApiError) => void }) {
  const { api } = useSession();
  const found = useLoaded((signal) => plansMadeFrom(api, planId, signal), `${planId}/made-from`);
  if (!found.data) return null;
  const make = () => {
    makeFromPlan(api, planId).then(
      (made) => go(paths.implementation(made.planId)),
      (error: unknown) => failed(asApiError(error)),
    );
  };
  if (found.data.length === 0)
    return (
      <button type="button" className="button" onClick={make}>
        <Icon name="graph" />
        Make an implementation plan
      </button>
    );
  return found.data.map((plan) => (
    <a key={plan.planId} className="button" href={paths.implementation(plan.planId)} title={`${plan.title}, revision ${plan.revision}`}>
      <Icon name="graph" />
      Implementation plan
      <small className="muted">
        {plan.statusCounts.done ?? 0} of {plan.stepCount} done
      </small>
    </a>
  ));
}
