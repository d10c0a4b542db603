/** The implementation plan as a document: JSON Schema 1.0.0, as types. What may be wrong in it is validate.ts's matter. */

export const KINDS = [
  "discovery",
  "design",
  "implementation",
  "refactor",
  "testing",
  "migration",
  "rollout",
  "docs",
  "verification",
] as const;
export type Kind = (typeof KINDS)[number];

export const STATUSES = ["todo", "doing", "blocked", "done"] as const;
export type Status = (typeof STATUSES)[number];

export const PLAN_TYPES = ["feature", "refactor", "bugfix", "migration", "security", "performance", "chore"] as const;

/** A target, an action, a verification, an output or a rollback: a type, and the fields that go with it. */
export type Item = { type: string } & Record<string, unknown>;

export interface Step {
  id: string;
  kind: Kind;
  title: string;
  intent: string;
  dependsOn: string[];
  targets?: Item[];
  actions: Item[];
  verification: Item[];
  outputs?: Item[];
  rollback?: Item[];
  notes?: string;
  ui: { status: Status; group: string; lane?: string; orderHint?: number };
}

export interface Risk {
  id: string;
  level: "low" | "medium" | "high";
  title: string;
  mitigation: string;
}

export interface PlanDocument {
  schemaVersion: string;
  planId?: string | null;
  title: string;
  goal: string;
  planType: string;
  context: { repo: string; ref: string; stack: string[]; assumptions?: string[] };
  constraints: { nonGoals: string[]; compat: string[]; qualityGates: string[] };
  acceptanceCriteria?: string[];
  risks?: Risk[];
  steps: Step[];
  metadata?: Record<string, unknown>;
}

/** The position of a card, in the units of the drawing. */
export interface Position {
  x: number;
  y: number;
}

export type Positions = ReadonlyMap<string, Position>;

/** Return where the plan's cards were put by hand; empty where nobody moved one. Anything misshapen is passed over. */
export function storedLayout(plan: PlanDocument): Positions {
  const layout = plan.metadata?.layout as { nodes?: unknown } | undefined;
  const nodes = Array.isArray(layout?.nodes) ? (layout.nodes as unknown[]) : [];
  const found = new Map<string, Position>();
  for (const node of nodes) {
    const { id, x, y } = (node ?? {}) as { id?: unknown; x?: unknown; y?: unknown };
    if (typeof id === "string" && Number.isFinite(x) && Number.isFinite(y)) found.set(id, { x: Number(x), y: Number(y) });
  }
  return found;
}
