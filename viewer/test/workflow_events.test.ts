import { expect, test, vi } from "vitest";
import { Client, type Fetch } from "../src/api/client.ts";
import { eventsBefore, type WorkflowEvent } from "../src/api/workflows.ts";
import { joinEvents } from "../src/runs/workflow_events.tsx";

const event = (cursor: number): WorkflowEvent => ({ kind: "planEvent", name: "node_ready", at: "2026-11-23T10:00:00Z", cursor });
const events = (...cursors: number[]) => cursors.map(event);

test("events that are read again are put after those that are known, unless some between them are missing", () => {
  expect(joinEvents(events(1, 2, 5), events(2, 5, 9))).toEqual(events(1, 2, 5, 9));
  expect(joinEvents(events(1, 2), events(5, 9))).toEqual(events(5, 9));
});

test("older events are read page by page from the beginning", async () => {
  const send = vi.fn<Fetch>().mockImplementation(async (url) => {
    const after = Number(new URL(url).searchParams.get("after"));
    const found = events(1, 2, 5, 9, 10).filter(({ cursor }) => cursor > after).slice(0, 2);
    return new Response(JSON.stringify({ events: found, next: found.at(-1)?.cursor, runStatus: "running" }));
  });
  expect(await eventsBefore(new Client("k", "https://a.test/", send), "planRun:1", 9)).toEqual(events(1, 2, 5));
  expect(send).toHaveBeenCalledTimes(2);
});
