/** Steps that wait for each other, with the state of each: of graphs, their runs and workflows. */
import { Controls, type Edge, Handle, MarkerType, MiniMap, type Node, type NodeProps, Position, ReactFlow } from "@xyflow/react";
import { memo, useMemo, useRef } from "react";
import { StatePill, signOf, tone, word } from "../parts/state_pill.tsx";
import { useNarrow } from "../use_narrow.ts";
import { KeepInSight } from "./keep_in_sight.tsx";
import { layOut, type Spacing } from "./layout.ts";
import { beginningOf } from "./sight.ts";

export interface StateStep {
  id: string;
  title: string;
  /** What carries it out: a tool, a role. */
  by: string;
  /** Empty where nothing runs. */
  state: string;
  /** Such as how long it took. */
  note: string;
  after: readonly string[];
}

interface Props {
  steps: readonly StateStep[];
  /** Ids of the steps of the critical path. */
  critical: ReadonlySet<string>;
  selected: string | null;
  select: (id: string | null) => void;
}

type StateNode = Node<{ step: StateStep; critical: boolean }, "state">;

const CARD: Spacing = { width: 208, height: 78, gapX: 46, gapY: 14, bandGap: 0 };
const SIZE = { width: CARD.width, height: CARD.height };
const OPTIONS = { hideAttribution: true };
const FIT = { padding: 0.06, maxZoom: 1 };
const MARKER = { type: MarkerType.ArrowClosed, width: 13, height: 13 };
/** Graphs that fit into the window need no map of themselves. */
const MAPPED = 25;
const SHORT = 5;
/** Smaller than that nobody reads a card: only its color is drawn, since hundreds of cards are in sight. */
const FAR = 0.3;
const HANDLES = [
  { type: "target" as const, position: Position.Left, x: 0, y: CARD.height / 2, width: 1, height: 1 },
  { type: "source" as const, position: Position.Right, x: CARD.width, y: CARD.height / 2, width: 1, height: 1 },
];

/** A graph, or in a narrow window a list. */
export function StateView(props: Props) {
  return useNarrow() ? <StateList {...props} /> : <StateGraph {...props} />;
}

const Card = memo(
  function Card({ data, selected }: NodeProps<StateNode>) {
    const { step } = data;
    return (
      <div className={`stage-card state-card ${tone(step.state)} ${step.state}${selected ? " selected" : ""}`}>
        <Handle type="target" position={Position.Left} isConnectable={false} />
        <div className="stage-card-title">
          {/* names as ids would leave no space for the title */}
          {step.id.length <= SHORT && <code>{step.id}</code>} {step.title || step.id}
        </div>
        <div className="state-card-by">{step.by}</div>
        <div className="stage-card-facts">
          {step.state && (
            <b>
              <span aria-hidden="true">{signOf(step.state)}</span> {word(step.state)}
            </b>
          )}
          <span>{step.note}</span>
        </div>
        <Handle type="source" position={Position.Right} isConnectable={false} />
      </div>
    );
  },
  // each look for changes makes new steps: only those that differ are drawn again
  (was, is) => was.selected === is.selected && same(was.data.step, is.data.step),
);
const NODE_TYPES = { state: Card };

function same(a: StateStep, b: StateStep): boolean {
  return a.id === b.id && a.title === b.title && a.by === b.by && a.state === b.state && a.note === b.note;
}

function StateGraph({ steps, critical, selected, select }: Props) {
  const shape = steps.map((step) => `${step.id}<${step.after.join()}`).join(";");
  const positions = useMemo(
    () => layOut(steps.map(({ id, after }) => ({ id, after, band: "" })), CARD),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- steps are new with each look, their order seldom is
    [shape],
  );
  const nodes = steps.map(
    (step): StateNode => ({
      id: step.id,
      type: "state",
      data: { step, critical: critical.has(step.id) },
      position: positions.get(step.id) ?? { x: 0, y: 0 },
      ...SIZE,
      measured: SIZE,
      handles: HANDLES,
      selected: step.id === selected,
      ariaLabel: `${step.id} ${step.title}: ${step.by} ${word(step.state)} ${step.note}`,
    }),
  );
  const edges = useMemo(
    () =>
      steps.flatMap((step) =>
        step.after.map((from): Edge => {
          const onPath = critical.has(from) && critical.has(step.id);
          return { id: `${from}>${step.id}`, source: from, target: step.id, markerEnd: MARKER, className: onPath ? "critical" : "" };
        }),
      ),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- as above
    [shape, critical],
  );
  const begin = useMemo(
    () => beginningOf([...positions.values()].map((position) => ({ position })), window.innerWidth, window.innerHeight),
    [positions],
  );
  const flow = useRef<HTMLDivElement>(null);
  const zoomed = (zoom: number) => flow.current?.classList.toggle("far", zoom < FAR);
  return (
    <ReactFlow
      ref={flow}
      onInit={(drawn) => zoomed(drawn.getZoom())}
      onMove={(_, view) => zoomed(view.zoom)}
      // another shape, as after a revision, is shown from its beginning
      key={shape}
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      onNodeClick={(_, node) => select(node.id)}
      onPaneClick={() => select(null)}
      onKeyDown={(event) => {
        const id = (event.target as HTMLElement).dataset?.id;
        if (event.key === "Enter" && id) select(id);
      }}
      nodesDraggable={false}
      nodesConnectable={false}
      edgesFocusable={false}
      deleteKeyCode={null}
      onlyRenderVisibleElements
      minZoom={0.08}
      fitView={!begin}
      fitViewOptions={FIT}
      defaultViewport={begin}
      proOptions={OPTIONS}
      aria-label="Graph of the steps"
    >
      <Controls showInteractive={false} fitViewOptions={FIT} />
      {steps.length > MAPPED && <MiniMap pannable zoomable nodeClassName={mapClass} ariaLabel="Map of the graph" />}
      <KeepInSight id={selected} />
    </ReactFlow>
  );
}

function StateList({ steps, selected, select }: Props) {
  return (
    <ol className="rows state-list" aria-label="Steps">
      {steps.map((step) => (
        <li key={step.id}>
          <button type="button" className="row stage-line" aria-current={step.id === selected} onClick={() => select(step.id)}>
            <span className="row-title">
              <code>{step.id}</code> {step.title || step.by}
            </span>
            <span className="row-facts">
              <span>{step.note}</span>
              {step.state && <StatePill state={step.state} />}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function mapClass(node: Node): string {
  return `map-${tone((node as StateNode).data.step.state)}`;
}
