import Ajv2020 from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { PlanDocument } from "../src/plan/document.ts";
import { check, type Schema } from "../src/plan/schema.ts";
import { checkGraph, findCircle, validate } from "../src/plan/validate.ts";
import { requiredOf, startOf } from "../src/form/item_shape.ts";
import original from "../../shared/planloom/planes/implementation/document/planflow-1.0.0.json";
import { plan, small, step } from "./sample.ts";

/** The very schema that the API hands out. */
const schema = original as Schema;
const reference = new Ajv2020({ allErrors: true, strict: false }).compile(schema as object);

const ODD: unknown[] = [null, true, 0, -1, 1.5, 201, "", "S1", "R9", "x".repeat(141), [], ["a", "a"], [1, 2, 3], {}, { type: "search" }];

/** Return *document* with one place after another replaced, removed or given a field too many. */
function* spoiled(document: unknown, rebuild: (part: unknown) => unknown = (part) => part): Generator<unknown> {
  for (const odd of ODD) yield rebuild(odd);
  if (Array.isArray(document)) {
    for (const [index, part] of document.entries()) {
      yield rebuild(document.toSpliced(index, 1));
      yield* spoiled(part, (next) => rebuild(document.with(index, next)));
    }
  } else if (typeof document === "object" && document !== null) {
    yield rebuild({ ...document, surplus: 1 });
    for (const [name, part] of Object.entries(document)) {
      const { [name]: _, ...rest } = document as Record<string, unknown>;
      yield rebuild(rest);
      yield* spoiled(part, (next) => rebuild({ ...document, [name]: next }));
    }
  }
}

const ACTIONS = (schema.$defs?.action?.properties?.type?.enum ?? []) as string[];
const examples = Object.values(
  import.meta.glob("../../shared/planloom/planes/implementation/document/examples/*.json", { eager: true, import: "default" }),
);

test("examples are valid here as they are there", () => {
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) expect(validate(example as PlanDocument, schema)).toEqual([]);
});

test("ajv and the viewer agree on every spoiled document", () => {
  const whole = plan([
    step("S1", [], {
      targets: [{ type: "path", value: "src/a.ts", lines: [1, 9] }],
      actions: ACTIONS.map((type) => startOf(schema.$defs?.action ?? {}, [], type) as { type: string }),
      verification: [{ type: "add_test", path: "tests/a.py", kind: "unit" }, { type: "run_command", command: "x", expect: "success" }],
      outputs: [{ type: "note", value: "x" }],
      rollback: [{ type: "feature_flag_disable" }],
      ui: { status: "todo", group: "g", lane: "l", orderHint: 1.5 },
    }),
  ], { planId: null, risks: [{ id: "R1", level: "low", title: "abc", mitigation: "abc" }], metadata: { layout: { nodes: [] } } });
  let [tried, bad] = [0, 0];
  for (const document of spoiled(whole)) {
    const valid = reference(document);
    tried += 1;
    bad += valid ? 0 : 1;
    if ((check(document, schema).length === 0) !== valid) throw new Error(`ajv says ${valid}: ${JSON.stringify(document)}`);
  }
  expect(tried).toBeGreaterThan(1500);
  expect(bad).toBeGreaterThan(1000);
});

test("a finding names its place as a JSON Pointer", () => {
  const wrong = plan([step("S1", [], { title: "ab", actions: [{ type: "edit_file", path: "a" }] })]);

  expect(validate(wrong, schema)).toEqual([
    { path: "/steps/0/title", message: "needs at least 3 characters" },
    { path: "/steps/0/actions/0/instruction", message: "is required" },
  ]);
});

test("ids used twice, steps that are not there and circles are found", () => {
  const odd = plan([step("S1", ["S3"]), step("S2", ["S1"]), step("S3", ["S2", "S9"]), step("S3")]);

  expect(checkGraph(odd).map((found) => found.message)).toEqual([
    "another step is S3 already",
    "there is no step S9",
  ]);
  expect(findCircle(plan([step("S1", ["S3"]), step("S2", ["S1"]), step("S3", ["S2"])]))?.toSorted()).toEqual(["S1", "S2", "S3"]);
  expect(findCircle(small)).toBeNull();
});

test("a circle at the end of a long chain is found", () => {
  const chain = Array.from({ length: 500 }, (_, index) => step(`S${index + 1}`, index ? [`S${index}`] : []));
  chain[497] = step("S498", ["S497", "S500"]);

  expect(findCircle(plan(chain))?.toSorted()).toEqual(["S498", "S499", "S500"]);
});

test.each(ACTIONS)("a new %s starts with what the schema asks of it", (type) => {
  const row = startOf(schema.$defs?.action ?? {}, [], type, { path: "kept.ts" });

  expect(check(row, schema.$defs?.action ?? {}, schema)).toEqual([]);
  if (requiredOf(schema.$defs?.action ?? {}, row).includes("path")) expect(row.path).toBe("kept.ts");
});
