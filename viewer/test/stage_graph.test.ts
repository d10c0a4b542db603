import { expect, test, vi } from "vitest";
import { Client } from "../src/api/client.ts";
import { follow } from "../src/api/watching.ts";
import { directEdges } from "../src/graph/stage_graph.tsx";

test("an edge that follows from others is left out", () => {
  const edges = [
    { from: "a", to: "b" },
    { from: "b", to: "c" },
    { from: "a", to: "c" },
    { from: "a", to: "d" },
  ];

  expect(directEdges(edges)).toEqual([edges[0], edges[1], edges[3]]);
});

test("the stream is opened anew behind the last event, until the service says that all was told", async () => {
  const asked: (string | undefined)[] = [];
  const answers = [new Response("id: 3\ndata: {}\n\nid: 4\ndata: {}\n\n"), new Response(null, { status: 204 })];
  const client = new Client("k", "https://a.test/", async (url, init) => {
    asked.push(`${new URL(url).search} ${(init?.headers as Record<string, string>)["Last-Event-ID"] ?? ""}`);
    return answers.shift() as Response;
  });
  const heard = vi.fn();

  await follow(client, "p", heard, new AbortController().signal);

  expect(asked).toEqual([" ", "?after=4 4"]);
  expect(heard.mock.calls.map(([event]) => event?.id)).toEqual(["3", "4", undefined]);
});
