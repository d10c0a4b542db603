/** A step of an implementation plan as a card. */
import { Handle, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import { Drawing } from "../parts/icon.tsx";
import { StatePill } from "../parts/state_pill.tsx";
import type { CardNode } from "./flow.ts";
import { lookOf } from "./kinds.ts";

export const StepCard = memo(function StepCard({ data, selected }: NodeProps<CardNode>) {
  const { step } = data;
  const look = lookOf(step.kind);
  return (
    <div className={`step-card kind-${look.kind}${selected ? " selected" : ""}`}>
      <Handle type="target" position={Position.Left} />
      <div className="step-card-head">
        <Drawing path={look.path} size={15} />
        <span>{look.title}</span>
        <span className="push" />
        <code>{step.id}</code>
      </div>
      <div className="step-card-title">{step.title}</div>
      <div className="step-card-foot">
        <StatePill state={step.ui.status} />
        <span className="push" />
        <Counts step={step} />
      </div>
      <Handle type="source" position={Position.Right} />
    </div>
  );
});

function Counts({ step }: { step: CardNode["data"]["step"] }) {
  const counts: [string, string, number][] = [
    ["target", "◎", step.targets?.length ?? 0],
    ["action", "▸", step.actions.length],
    ["verification", "✓", step.verification.length],
  ];
  return (
    <span className="counts">
      {counts.map(([name, sign, count]) => (
        <span key={name} title={`${count} ${name}${count === 1 ? "" : "s"}`} className={count === 0 ? "none" : ""}>
          {sign} {count}
        </span>
      ))}
    </span>
  );
}
