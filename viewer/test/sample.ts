/** Plans for tests: small ones, and long ones. */
import type { PlanDocument, Step } from "../src/plan/document.ts";

export function step(id: string, dependsOn: string[] = [], more: Partial<Step> = {}): Step {
  return {
    id,
    kind: "implementation",
    title: `Step ${id}`,
    intent: "So that it holds.",
    dependsOn,
    actions: [{ type: "edit_file", path: "src/a.ts", instruction: "change it" }],
    verification: [{ type: "run_command", command: "make test", expect: "success" }],
    ui: { status: "todo", group: "main" },
    ...more,
  };
}

export function plan(steps: Step[], more: Partial<PlanDocument> = {}): PlanDocument {
  return {
    schemaVersion: "1.0.0",
    title: "A sample plan",
    goal: "That the tests have one.",
    planType: "feature",
    context: { repo: "example/shop", ref: "main", stack: ["python"] },
    constraints: { nonGoals: [], compat: [], qualityGates: ["tests_green"] },
    steps,
    ...more,
  };
}

/** S1 <- S2 <- S3, and S1 <- S4. */
export const small = plan([step("S1"), step("S2", ["S1"]), step("S3", ["S2"]), step("S4", ["S1"])]);
