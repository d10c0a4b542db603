/** A strategic plan in figures: time, calls, price, quality. */
import type { ReactNode } from "react";
import type { PlanStatus } from "../api/plans.ts";
import { ago, span } from "../parts/times.ts";

export function Figures({ plan }: { plan: PlanStatus }) {
  const { quality, timing, usage } = plan;
  return (
    <dl className="figures">
      <Figure title="Time">
        {span(timing.elapsed_sec)}
        {timing.started_at && <small> begun {ago(timing.started_at)}</small>}
      </Figure>
      <Figure title="Profile">{plan.model_profile}</Figure>
      <Figure title="Model calls">
        {usage.calls}
        {usage.retries > 0 && <small> {usage.retries} repeated</small>}
      </Figure>
      <Figure title="Tokens">
        {(usage.input_tokens + usage.output_tokens).toLocaleString("en")}
        {usage.price?.known && (
          <small>
            {" "}
            {Number(usage.price.amount ?? 0).toFixed(2)} {usage.price.currency}
          </small>
        )}
      </Figure>
      {quality && (
        <Figure title="Quality">
          {quality.score === null ? "not scored" : Math.round(quality.score)}
          <small>
            {" "}
            {quality.score === null ? "" : "of 100 "}· {quality.findings.high} high, {quality.findings.medium} medium
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
