/** Programs as the command bar runs them: one session, opened again where it expired. */
import { expect, test } from "vitest";
import { Client } from "../src/api/client.ts";
import { lineOf, ProgramSession } from "../src/api/programs.ts";

const BASE = "https://planloom.test/api/v1/";
const PLAN = { run_markdown: "", operation: false, handle: "", results: [], resource: "" };

/** A session over *answers*, in order; what was asked is kept as path and body. */
function served(answers: [number, unknown][]) {
  const asked: [string, unknown][] = [];
  const api = new Client("key", BASE, (url, init) => {
    asked.push([url.replace("https://planloom.test", ""), JSON.parse(String(init?.body))]);
    const [status, body] = answers.shift() ?? [500, {}];
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
  return { asked, session: new ProgramSession(api) };
}

test("a session is opened once, and again where it expired", async () => {
  const opened = (name: string): [number, unknown] => [200, { execute_path: `/execute/hash/${name}` }];
  const expired: [number, unknown] = [404, { code: "unknown_session", detail: "Open one." }];
  const { asked, session } = served([opened("a"), [200, PLAN], [200, PLAN], expired, opened("b"), [200, PLAN]]);
  await session.run("Plan");
  await session.run("Plan", "pc0");
  await session.plan("Run");
  expect(asked).toEqual([
    ["/api/execute", {}],
    ["/api/execute/hash/a", { program: "Plan" }],
    ["/api/execute/hash/a", { program: "Plan", plan_commit_ref: "pc0" }],
    ["/api/execute/hash/a", { program: "Run", mode: "plan" }],
    ["/api/execute", {}],
    ["/api/execute/hash/b", { program: "Run", mode: "plan" }],
  ]);
});

test("a problem document is an error with its code", async () => {
  const { session } = served([
    [200, { execute_path: "/execute/h/a" }],
    [422, { code: "program_needs_fix", detail: "There is no entity Plam.", status: 422 }],
  ]);
  await expect(session.run("Plam")).rejects.toMatchObject({ code: "program_needs_fix", message: "There is no entity Plam." });
});

test("the line of an operation is shown without the signs of Markdown", () => {
  expect(lineOf("```text\n`s0_o1` ~ 2/5 read Plan 42r\n```\n\nMore.")).toBe("s0_o1 ~ 2/5 read Plan 42r");
  expect(lineOf("| id |")).toBe("");
});
