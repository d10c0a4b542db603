/** A plan as what React Flow draws: cards, bands and lines. Pure: the same plan and view give the same drawing. */
import { type Edge, MarkerType, type Node, Position as Side } from "@xyflow/react";
import { type PlanDocument, type Position, type Positions, type Step, storedLayout } from "../plan/document.ts";
import { CARD, layOut } from "./layout.ts";

export const GROUPINGS = ["group", "kind", "lane", "none"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export type CardNode = Node<{ step: Step }, "step">;
export type BandNode = Node<{ title: string; count: number }, "band">;
export type FlowNode = CardNode | BandNode;

const PADDING = 22;
const HEAD = 30;
const PORT = 8;

/** Return the band of *step* under a grouping; empty where nothing is grouped. */
export function bandOf(step: Step, grouping: Grouping): string {
  switch (grouping) {
    case "group":
      return step.ui.group;
    case "kind":
      return step.kind;
    case "lane":
      return step.ui.lane ?? "no lane";
    case "none":
      return "";
  }
}

/** Return the position of each card: where it was moved by the user, else where the automatic layout puts it. */
export function positionsOf(plan: PlanDocument, grouping: Grouping): Map<string, Position> {
  const found = layOut(plan.steps.map((step) => ({ id: step.id, after: step.dependsOn, band: bandOf(step, grouping) })));
  for (const [id, position] of storedLayout(plan)) if (found.has(id)) found.set(id, position);
  return found;
}

// cards keep their data's identity as long as their step does not change, so that nothing unchanged is drawn again
const DATA = new WeakMap<Step, { step: Step }>();

function dataOf(step: Step): { step: Step } {
  const known = DATA.get(step) ?? { step };
  DATA.set(step, known);
  return known;
}

export function cardsOf(plan: PlanDocument, positions: Positions, marks: ReadonlyMap<string, string>): CardNode[] {
  return plan.steps.map((step) => ({
    id: step.id,
    type: "step",
    data: dataOf(step),
    position: positions.get(step.id) ?? { x: 0, y: 0 },
    width: CARD.width,
    height: CARD.height,
    measured: { width: CARD.width, height: CARD.height },
    // known beforehand, so that lines to cards out of sight can be drawn without drawing these
    handles: [
      { type: "target", position: Side.Left, x: -PORT / 2, y: CARD.height / 2 - PORT / 2, width: PORT, height: PORT },
      { type: "source", position: Side.Right, x: CARD.width - PORT / 2, y: CARD.height / 2 - PORT / 2, width: PORT, height: PORT },
    ],
    className: marks.get(step.id) ?? "",
    ariaLabel: sayStep(step),
  }));
}

export function edgesOf(plan: PlanDocument): Edge[] {
  const ids = new Set(plan.steps.map((step) => step.id));
  return plan.steps.flatMap((step) =>
    step.dependsOn
      .filter((id) => ids.has(id))
      .map((id) => ({
        id: `${id}-${step.id}`,
        source: id,
        target: step.id,
        markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16 },
        ariaLabel: `${step.id} depends on ${id}`,
      })),
  );
}

/** Return the bands around the cards that belong together. */
export function bandsOf(cards: readonly CardNode[], grouping: Grouping): BandNode[] {
  if (grouping === "none") return [];
  const members = Map.groupBy(cards, (card) => bandOf(card.data.step, grouping));
  return [...members].map(([title, found]) => {
    const left = Math.min(...found.map((card) => card.position.x)) - PADDING;
    const top = Math.min(...found.map((card) => card.position.y)) - PADDING - HEAD;
    const right = Math.max(...found.map((card) => card.position.x)) + CARD.width + PADDING;
    const bottom = Math.max(...found.map((card) => card.position.y)) + CARD.height + PADDING;
    return {
      id: `band:${title}`,
      type: "band",
      data: { title, count: found.length },
      position: { x: left, y: top },
      width: right - left,
      height: bottom - top,
      measured: { width: right - left, height: bottom - top },
      zIndex: -1,
      selectable: false,
      draggable: false,
      focusable: false,
      connectable: false,
      deletable: false,
    };
  });
}

/** Say a step as a screen reader should. */
export function sayStep(step: Step): string {
  const after = step.dependsOn.length > 0 ? `, depends on ${step.dependsOn.join(", ")}` : "";
  return `${step.id}: ${step.title}. ${step.kind}, ${step.ui.status}${after}`;
}
