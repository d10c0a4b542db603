/** The pipeline of a strategic plan: which stage waits for which, and how far it has come. */
import { Controls, MarkerType, Position, ReactFlow } from "@xyflow/react";
import { useMemo } from "react";
import type { StageEdge, StageGraph } from "../api/watching.ts";
import { word } from "../parts/state_pill.tsx";
import { layOut, type Spacing } from "./layout.ts";
import { StageCard, type StageFlowNode, took } from "./stage_card.tsx";

const NODE_TYPES = { stage: StageCard };
const CARD = { width: 152, height: 66 };
/** The layout goes from left to right; here it is turned, since twelve stages side by side are more than a page is wide. */
const TURNED: Spacing = { width: CARD.height, height: CARD.width, gapX: 34, gapY: 12, bandGap: 0 };
const OPTIONS = { hideAttribution: true };
const FIT = { padding: 0.02, maxZoom: 1.15 };

export function PipelineGraph({ graph, open }: { graph: StageGraph; open: (step: string) => void }) {
  const edges = useMemo(() => directEdges(graph.edges.map(({ from = "", to = "" }) => ({ from, to }))), [graph]);
  const positions = useMemo(() => {
    const after = Map.groupBy(edges, (edge) => edge.to);
    const boxes = graph.nodes.map((node) => ({ id: node.name, after: after.get(node.name)?.map((edge) => edge.from) ?? [], band: "" }));
    return new Map([...layOut(boxes, TURNED)].map(([id, { x, y }]) => [id, { x: y, y: x }]));
  }, [graph, edges]);
  const nodes = graph.nodes.map(
    (stage): StageFlowNode => ({
      id: stage.name,
      type: "stage",
      data: { stage },
      position: positions.get(stage.name) ?? { x: 0, y: 0 },
      ...CARD,
      measured: CARD,
      handles: [
        { type: "target", position: Position.Top, x: CARD.width / 2, y: 0, width: 1, height: 1 },
        { type: "source", position: Position.Bottom, x: CARD.width / 2, y: CARD.height, width: 1, height: 1 },
      ],
      ariaLabel: `${stage.step.slice(0, 3)} ${stage.title}: ${word(stage.state)} ${took(stage)}, ${stage.files.length} files`,
    }),
  );
  const width = Math.max(...nodes.map(({ position }) => position.x)) + CARD.width;
  const height = Math.max(...nodes.map(({ position }) => position.y)) + CARD.height;
  return (
    <div className="stage-graph" style={{ aspectRatio: `${width * 1.04} / ${height * 1.04}` }}>
      <ReactFlow
        nodes={nodes}
        edges={edges.map((edge) => ({
          id: `${edge.from}-${edge.to}`,
          source: edge.from,
          target: edge.to,
          markerEnd: { type: MarkerType.ArrowClosed, width: 13, height: 13 },
        }))}
        nodeTypes={NODE_TYPES}
        onNodeClick={(_, node) => open(node.data.stage.step.slice(0, 3))}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        deleteKeyCode={null}
        // the page scrolls as if there were no graph
        preventScrolling={false}
        zoomOnScroll={false}
        minZoom={0.2}
        fitView
        fitViewOptions={FIT}
        proOptions={OPTIONS}
        aria-label="Pipeline"
      >
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

/** Leave out what follows from the rest: an edge whose end is reached through another stage as well says nothing new. */
export function directEdges(edges: readonly StageEdge[]): StageEdge[] {
  const next = Map.groupBy(edges, (edge) => edge.from);
  const reach = new Map<string, Set<string>>();
  const reached = (from: string): Set<string> => {
    const known = reach.get(from);
    if (known) return known;
    const found = new Set<string>();
    reach.set(from, found);
    for (const edge of next.get(from) ?? []) {
      found.add(edge.to);
      for (const each of reached(edge.to)) found.add(each);
    }
    return found;
  };
  return edges.filter(
    (edge) => !(next.get(edge.from) ?? []).some((other) => other.to !== edge.to && reached(other.to).has(edge.to)),
  );
}
