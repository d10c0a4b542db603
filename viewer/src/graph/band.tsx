/** A band around steps that belong together. */
import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import type { BandNode } from "./flow.ts";

export const Band = memo(function Band({ data }: NodeProps<BandNode>) {
  return (
    <div className="band">
      <span className="band-title">
        {data.title} <small>{data.count}</small>
      </span>
    </div>
  );
});
