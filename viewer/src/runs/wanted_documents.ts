/** Which documents a node wants, by its contract. */
import type { WorkflowNode } from "../api/workflows.ts";

type Contract = Pick<WorkflowNode["contract"], "deliverables" | "completionChecks">;

export interface Wanted {
  name: string;
  kind: string;
  required: boolean;
  description: string;
}

/** Return the deliverables, and what checks demand beside them. */
export function wantedDocuments({ deliverables, completionChecks }: Contract): Wanted[] {
  const found = deliverables.map((each) => ({ ...each }));
  for (const { type, config, blocking, description } of completionChecks) {
    if (!blocking || (type !== "artifact" && type !== "deliverable")) continue;
    const { name, kind, minCount = 1 } = config as { name?: string; kind?: string; minCount?: number };
    if (type === "deliverable" && name === undefined) continue;
    const meant = found.filter((each) => (name ?? each.name) === each.name && (kind ?? each.kind) === each.kind);
    for (let count = meant.length; type === "artifact" && count < minCount; count++) {
      const more = { name: name ?? kind ?? "document", kind: kind ?? "document", required: true, description };
      found.push(more);
    }
    for (const each of meant.slice(0, minCount)) each.required = true;
  }
  return found;
}
