/** A stage of the pipeline as a small card: its state and how long it took. */
import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { memo } from "react";
import type { StageNode } from "../api/watching.ts";
import { tone, word } from "../parts/state_pill.tsx";
import { span } from "../parts/times.ts";

export type StageFlowNode = Node<{ stage: StageNode }, "stage">;

export const StageCard = memo(function StageCard({ data, selected }: NodeProps<StageFlowNode>) {
  const { stage } = data;
  return (
    <div className={`stage-card ${tone(stage.state)} ${stage.state}${selected ? " selected" : ""}`}>
      <Handle type="target" position={Position.Top} isConnectable={false} />
      <div className="stage-card-title">
        {stage.step.slice(0, 3)} {stage.title}
      </div>
      <div className="stage-card-facts">
        <b>{word(stage.state)}</b>
        <span>{took(stage)}</span>
      </div>
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  );
});

export function took(stage: StageNode): string {
  if (!stage.started_at || !stage.ended_at) return "";
  return span(Math.max(0, Date.parse(stage.ended_at) - Date.parse(stage.started_at)) / 1000);
}
