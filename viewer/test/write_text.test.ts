import { expect, test } from "vitest";
import { drawSvg } from "../src/graph/picture.ts";
import { fileName } from "../src/editor/exports.ts";
import { toMarkdown, toMermaid } from "../src/plan/write_text.ts";
import { plan, small, step } from "./sample.ts";

const HOSTILE = `<script>alert("1")</script>"]; click a "javascript:alert(1)" &amp;`;

test("Mermaid has a node for each step and an arrow for each dependency", () => {
  const text = toMermaid(small);

  expect(text).toContain(`S2["S2 Step S2"]:::todo`);
  expect(text.match(/-->/g)).toHaveLength(3);
  expect(text).toContain("S1 --> S4");
});

test("a title of markup is text in every drawing", () => {
  const hostile = plan([step("S1", [], { title: HOSTILE })], { title: HOSTILE });

  expect(toMermaid(hostile)).not.toMatch(/<script|"\]; click/);
  expect(drawSvg(hostile, "group").text).not.toContain("<script");
  expect(drawSvg(hostile, "group").text).toContain("&lt;script&gt;");
});

test("Markdown tells of each step its dependencies, actions and state", () => {
  const text = toMarkdown(plan([step("S1"), step("S2", ["S1"], { ui: { status: "done", group: "main" } })]));

  expect(text).toContain("### S2 Step S2");
  expect(text).toContain("- Depends on: S1");
  expect(text).toContain("- [x] implementation, done, group main");
  expect(text).toContain("- edit file · src/a.ts · change it");
});

test("the drawing holds every step, also those that no screen shows", () => {
  const long = plan(Array.from({ length: 300 }, (_, index) => step(`S${index + 1}`, index ? [`S${index}`] : [])));

  expect(drawSvg(long, "none").text.match(/<g transform/g)).toHaveLength(300);
});

test("files are named for the plan", () => {
  expect(fileName("Keep the cart, when: reloaded!")).toBe("keep-the-cart-when-reloaded");
  expect(fileName("../..")).toBe("plan");
});
