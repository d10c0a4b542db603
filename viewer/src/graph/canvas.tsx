/** The graph of an implementation plan: cards that can be moved, connected and deleted. */
import {
  applyNodeChanges,
  Background,
  BackgroundVariant,
  type Connection,
  Controls,
  type Edge,
  MiniMap,
  type NodeChange,
  ReactFlow,
} from "@xyflow/react";
import { useMemo, useState } from "react";
import type { PlanDocument, Positions } from "../plan/document.ts";
import { Band } from "./band.tsx";
import { bandsOf, type CardNode, cardsOf, edgesOf, type FlowNode, type Grouping, positionsOf } from "./flow.ts";
import { StepCard } from "./step_card.tsx";

const NODE_TYPES = { step: StepCard, band: Band };

/** Of longer plans the first steps are shown to begin with: all at once they could not be read. */
const MANY = 40;

export interface CanvasProps {
  plan: PlanDocument;
  grouping: Grouping;
  selected: string | null;
  /** Classes of cards by step: dimmed, wrong. */
  marks: ReadonlyMap<string, string>;
  select: (id: string | null) => void;
  moved: (positions: Positions) => void;
  connected: (from: string, to: string) => void;
  removed: (steps: string[], edges: { from: string; to: string }[]) => void;
}

export function Canvas({ plan, grouping, selected, marks, select, moved, connected, removed }: CanvasProps) {
  const drawn = useMemo(
    () => cardsOf(plan, positionsOf(plan, grouping), marks).map((card) => ({ ...card, selected: card.id === selected })),
    [plan, grouping, marks, selected],
  );
  const [shown, setShown] = useState<{ from: CardNode[]; cards: CardNode[] }>({ from: drawn, cards: drawn });
  // what is dragged lives here until it is let go; whatever else changes starts from the plan again
  const cards = shown.from === drawn ? shown.cards : drawn;
  if (shown.from !== drawn) setShown({ from: drawn, cards: drawn });
  const settled = shown.from === drawn ? shown.from : drawn;
  const bands = useMemo(() => bandsOf(settled, grouping), [settled, grouping]);
  const nodes = useMemo<FlowNode[]>(() => [...bands, ...cards], [bands, cards]);
  const [edges, setEdges] = useState<{ plan: PlanDocument; list: Edge[] }>({ plan, list: edgesOf(plan) });
  if (edges.plan !== plan) setEdges({ plan, list: edgesOf(plan) });

  const start = useMemo(() => (plan.steps.length > MANY ? plan.steps.slice(0, MANY).map(({ id }) => ({ id })) : undefined), [plan]);
  const change = (changes: NodeChange<FlowNode>[]) => {
    const choices = changes.filter((each) => each.type === "select");
    const chosen = choices.find((each) => each.selected);
    if (chosen) select(chosen.id);
    else if (choices.length > 0) select(null);
    // what is deleted goes by way of the plan
    const own = changes.filter((each) => each.type === "position" || each.type === "dimensions") as NodeChange<CardNode>[];
    if (own.length > 0) setShown((was) => ({ ...was, cards: applyNodeChanges(own, was.cards) }));
  };

  return (
    <ReactFlow<FlowNode, Edge>
      // another grouping is another drawing: it is looked at from its beginning
      key={grouping}
      nodes={nodes}
      edges={edges.list}
      nodeTypes={NODE_TYPES}
      onNodesChange={change}
      onEdgesChange={(changes) =>
        setEdges((was) => ({ ...was, list: was.list.map((edge) => marked(edge, changes)) }))
      }
      multiSelectionKeyCode={null}
      selectionKeyCode={null}
      onNodeDragStop={(_, __, dragged) => {
        const now = new Map(cards.map((card) => [card.id, card.position]));
        for (const node of dragged) now.set(node.id, node.position);
        moved(now);
      }}
      onConnect={({ source, target }: Connection) => connected(source, target)}
      onDelete={({ nodes: gone, edges: cut }) =>
        removed(
          gone.map((node) => node.id),
          cut.map((edge) => ({ from: edge.source, to: edge.target })),
        )
      }
      deleteKeyCode={["Delete", "Backspace"]}
      onlyRenderVisibleElements
      edgesFocusable={false}
      elevateNodesOnSelect={false}
      nodeDragThreshold={2}
      minZoom={0.08}
      maxZoom={2}
      fitView
      fitViewOptions={{ padding: 0.12, maxZoom: 1, minZoom: 0.35, nodes: start }}
      proOptions={{ hideAttribution: true }}
      aria-label="Graph of the steps"
    >
      <Background variant={BackgroundVariant.Dots} gap={22} size={1.4} />
      <Controls showInteractive={false} fitViewOptions={{ padding: 0.12, maxZoom: 1 }} />
      <MiniMap pannable zoomable nodeClassName={mapClass} ariaLabel="Map of the graph" />
    </ReactFlow>
  );
}

function marked(edge: Edge, changes: readonly { type: string; id?: string; selected?: boolean }[]): Edge {
  const change = changes.find((each) => each.type === "select" && each.id === edge.id);
  return change ? { ...edge, selected: change.selected ?? false } : edge;
}

function mapClass(node: FlowNode): string {
  return node.type === "step" ? `map-${node.data.step.ui.status}` : "map-band";
}
