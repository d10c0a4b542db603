/** Keeps the selected card in sight. */
import { useReactFlow, useStore } from "@xyflow/react";
import { useEffect } from "react";
import { CARD } from "./layout.ts";
import { shiftInto } from "./sight.ts";

/** Move the view to the selected card if it is outside, as when the panel beside the graph takes its place. */
export function KeepInSight({ id }: { id: string | null }) {
  const { getNode, getViewport, setViewport } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  useEffect(() => {
    const node = id === null ? undefined : getNode(id);
    if (!node) return;
    const { x, y, zoom } = getViewport();
    const right = shiftInto(node.position.x * zoom + x, CARD.width * zoom, width);
    const down = shiftInto(node.position.y * zoom + y, CARD.height * zoom, height);
    if (right !== 0 || down !== 0) void setViewport({ x: x + right, y: y + down, zoom });
  }, [id, width, height, getNode, getViewport, setViewport]);
  return null;
}
