import { expect, test, vi } from "vitest";
import { Client, type Fetch } from "../src/api/client.ts";
import { type PlanFacts, readGoal } from "../src/api/facts.ts";
import { createPlan } from "../src/api/plans.ts";
import { between } from "../src/goal/profile_choice.tsx";

const ASK = { prompt: "A café", model_profile: "premium", detail: "brief", rules_only: false, facts: null };
const answer = (state: string) =>
  new Response(JSON.stringify({ facts_id: "f 1", state, poll_after_sec: state === "reading" ? 0.001 : null }), { status: state === "reading" ? 202 : 200 });

test("a goal that a model reads is asked for until it was read, and each answer is shown", async () => {
  const send = vi.fn<Fetch>().mockResolvedValueOnce(answer("reading")).mockResolvedValueOnce(answer("reading")).mockResolvedValue(answer("ready"));
  const shown: PlanFacts[] = [];

  await readGoal(new Client("k", "https://a.test/v1/", send), ASK as never, (each) => shown.push(each), new AbortController().signal);

  expect(shown.map((each) => each.state)).toEqual(["reading", "reading", "ready"]);
  expect(send.mock.calls.map(([url, init]) => [init?.method, url])).toEqual([
    ["POST", "https://a.test/v1/facts"],
    ["GET", "https://a.test/v1/facts/f%201?detail=brief"],
    ["GET", "https://a.test/v1/facts/f%201?detail=brief"],
  ]);
  expect(JSON.parse(String(send.mock.calls[0]?.[1]?.body))).toEqual(ASK);
});

test("an answer that comes after the goal was changed is dropped", async () => {
  const changed = new AbortController();
  const send = vi.fn<Fetch>().mockImplementation(async () => {
    changed.abort();
    return answer("ready");
  });
  const show = vi.fn();

  await readGoal(new Client("k", "https://a.test/v1/", send), ASK as never, show, changed.signal);

  expect(show).not.toHaveBeenCalled();
});

test("a plan is asked for in the detail that was chosen", async () => {
  const send = vi.fn<Fetch>().mockResolvedValue(new Response(JSON.stringify({ plan_id: "p" }), { status: 202 }));
  const asked = { prompt: "A café", model_profile: "premium", detail: "full", client_request_id: "r1" } as const;

  await createPlan(new Client("k", "https://a.test/v1/", send), asked);

  expect(JSON.parse(String(send.mock.calls[0]?.[1]?.body))).toEqual(asked);
});

test("a range of costs is one number where it is one", () => {
  expect(between({ low: 60, high: 110 })).toBe("60 to 110");
  expect(between({ low: 0, high: 0 })).toBe("0");
  expect(between({ low: 0.104, high: 0.4 }, 2)).toBe("0.10 to 0.40");
});
