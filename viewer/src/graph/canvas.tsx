/** The graph of an implementation plan: cards that can be moved, connected and deleted. */
import {
  applyNodeChanges,
  Background,
  BackgroundVariant,
  type Connection,
  Controls,
  type Edge,
  type EdgeChange,
  MiniMap,
  type NodeChange,
  ReactFlow,
} from "@xyflow/react";
import { useCallback, useEffect, useMemo, useState } from "react";
import type { PlanDocument, Positions } from "../plan/document.ts";
import { Band } from "./band.tsx";
import { bandsOf, type CardNode, cardsOf, edgesOf, type FlowNode, type Grouping, positionsOf } from "./flow.ts";
import { KeepInSight } from "./keep_in_sight.tsx";
import { beginningOf } from "./sight.ts";
import { StepCard } from "./step_card.tsx";

const NODE_TYPES = { step: StepCard, band: Band };

/** Plans that fit into the window need no map of themselves. */
const MAPPED = 25;
/** The map comes so much after the cards (milliseconds). */
const LATE = 400;

// React Flow redraws everything if a property changes: constants are defined outside of the component
const DELETES = ["Delete", "Backspace"];
const OPTIONS = { hideAttribution: true };
const FIT = { padding: 0.05, maxZoom: 1 };

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
  const [edges, setEdges] = useState<{ plan: PlanDocument; list: Edge[] }>(() => ({ plan, list: edgesOf(plan) }));
  if (edges.plan !== plan) setEdges({ plan, list: edgesOf(plan) });

  const [begin] = useState(() => beginningOf(nodes, window.innerWidth, window.innerHeight, cards));
  const change = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      const choices = changes.filter((each) => each.type === "select");
      const chosen = choices.find((each) => each.selected);
      if (chosen) select(chosen.id);
      else if (choices.length > 0) select(null);
      // what is deleted goes by way of the plan
      const own = changes.filter((each) => each.type === "position" || each.type === "dimensions") as NodeChange<CardNode>[];
      if (own.length > 0) setShown((was) => ({ ...was, cards: applyNodeChanges(own, was.cards) }));
      // let go by the mouse, or moved by the keyboard
      const put = own.flatMap((each) => (each.type === "position" && each.position && !each.dragging ? [each] : []));
      if (put.length === 0) return;
      const now = new Map(drawn.map((card) => [card.id, card.position]));
      for (const each of put) if (each.position) now.set(each.id, each.position);
      moved(now);
    },
    [drawn, select, moved],
  );
  const changeEdges = useCallback(
    (changes: EdgeChange[]) => setEdges((was) => ({ ...was, list: was.list.map((edge) => marked(edge, changes)) })),
    [],
  );
  const connect = useCallback(({ source, target }: Connection) => connected(source, target), [connected]);
  const remove = useCallback(
    ({ nodes: gone, edges: cut }: { nodes: FlowNode[]; edges: Edge[] }) =>
      removed(
        gone.map((node) => node.id),
        cut.map((edge) => ({ from: edge.source, to: edge.target })),
      ),
    [removed],
  );

  return (
    <ReactFlow<FlowNode, Edge>
      // a new grouping makes a new drawing: it is shown from its beginning
      key={grouping}
      nodes={nodes}
      edges={edges.list}
      nodeTypes={NODE_TYPES}
      onNodesChange={change}
      onEdgesChange={changeEdges}
      multiSelectionKeyCode={null}
      selectionKeyCode={null}
      onConnect={connect}
      onDelete={remove}
      deleteKeyCode={DELETES}
      onlyRenderVisibleElements
      edgesFocusable={false}
      elevateNodesOnSelect={false}
      selectNodesOnDrag={false}
      nodeDragThreshold={2}
      minZoom={0.08}
      maxZoom={2}
      fitView={!begin}
      fitViewOptions={FIT}
      defaultViewport={begin}
      proOptions={OPTIONS}
      aria-label="Graph of the steps"
    >
      <Background variant={BackgroundVariant.Dots} gap={22} size={1.4} />
      <Controls showInteractive={false} fitViewOptions={FIT} />
      {plan.steps.length > MAPPED && <LateMap />}
      <KeepInSight id={selected} />
    </ReactFlow>
  );
}

/** The map of the graph: it draws every card, in sight or not, and so comes after those in sight. */
function LateMap() {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), LATE);
    return () => clearTimeout(timer);
  }, []);
  return due && <MiniMap pannable zoomable nodeClassName={mapClass} ariaLabel="Map of the graph" />;
}

function marked(edge: Edge, changes: readonly { type: string; id?: string; selected?: boolean }[]): Edge {
  const change = changes.find((each) => each.type === "select" && each.id === edge.id);
  return change ? { ...edge, selected: change.selected ?? false } : edge;
}

function mapClass(node: FlowNode): string {
  return node.type === "step" ? `map-${node.data.step.ui.status}` : "map-band";
}
