/** A strategic plan in figures: time, calls, price, quality. */
import type { ReactNode } from "react";
import type { PlanStatus } from "../api/plans.ts";
import { ago, span } from "../parts/times.ts";

/** What newer services say beside: read where it is there. */
interface Extras {
  quality?: { score: number; findings: { high: number; medium: number; low: number } } | null;
  usage: { price?: { amount: number | string | null; currency: string; known: boolean } | null };
}

export function Figures({ plan }: { plan: PlanStatus }) {
  const { quality, usage: paid } = plan as unknown as Extras;
  const { timing, usage } = plan;
  return (
    <dl className="figures">
      <Figure title="Time">
        {span(timing.elapsed_sec)}
        {timing.started_at && <small> since {ago(timing.started_at)}</small>}
      </Figure>
      <Figure title="Profile">{plan.model_profile}</Figure>
      <Figure title="Model calls">
        {usage.calls}
        {usage.retries > 0 && <small> {usage.retries} repeated</small>}
      </Figure>
      <Figure title="Tokens">
        {(usage.input_tokens + usage.output_tokens).toLocaleString("en")}
        {paid.price?.known && (
          <small>
            {" "}
            {Number(paid.price.amount ?? 0).toFixed(2)} {paid.price.currency}
          </small>
        )}
      </Figure>
      {quality && (
        <Figure title="Quality">
          {Math.round(quality.score)}
          <small> of 100</small>
          <small>
            {" "}
            · {quality.findings.high} high, {quality.findings.medium} medium
          </small>
        </Figure>
      )}
    </dl>
  );
}

function Figure({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}
