import { expect, test, vi } from "vitest";
import { ApiError, Client, type Fetch } from "../src/api/client.ts";
import { parseEvent, readEvents } from "../src/api/event_stream.ts";
import { parseCsv } from "../src/parts/csv.ts";

const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

test("the key goes with every call, in a header and nowhere else", async () => {
  const send = vi.fn<Fetch>().mockResolvedValue(answer(200, { plans: [] }));

  await new Client("pex_secret", "https://a.test/api/v1/", send).json("plans", { query: { limit: 5, before: null } });

  const [url, init] = send.mock.calls[0] ?? [];
  expect(url).toBe("https://a.test/api/v1/plans?limit=5");
  expect((init?.headers as Record<string, string>)["X-API-Key"]).toBe("pex_secret");
  expect(init?.credentials).toBe("omit");
});

test("a refusal keeps code, message and details", async () => {
  const body = { error: { code: "REVISION_CONFLICT", message: "Somebody saved.", details: { currentRevision: 3 } } };
  const client = new Client("k", "https://a.test/", async () => answer(409, body));

  await expect(client.json("x", { method: "PUT", body: {} })).rejects.toEqual(
    new ApiError(409, "REVISION_CONFLICT", "Somebody saved.", { currentRevision: 3 }),
  );
});

test("a busy service is asked again; a write that may have happened is not", async () => {
  vi.useFakeTimers();
  const busy = vi.fn<Fetch>().mockResolvedValueOnce(answer(429, {})).mockResolvedValue(answer(200, { ok: true }));
  const asked = new Client("k", "https://a.test/", busy).json("x", { method: "PUT", body: {} });
  await vi.runAllTimersAsync();
  await expect(asked).resolves.toEqual({ ok: true });

  const broken = vi.fn<Fetch>().mockResolvedValue(answer(502, {}));
  await expect(new Client("k", "https://a.test/", broken).json("x", { method: "PUT", body: {} })).rejects.toThrow("502");
  expect(broken).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});

test("no answer at all says so", async () => {
  const client = new Client("k", "https://a.test/", () => Promise.reject(new TypeError("failed to fetch")));

  await expect(client.json("x")).rejects.toMatchObject({ status: 0, code: "UNREACHABLE" });
});

test("events are read in whatever pieces they come", async () => {
  const text = ": hello\n\nid: 7\nevent: step_finished\ndata: {\"a\":\ndata: 1}\n\nid: 8\r\ndata: x\r\n\r\nid: 9\ndata: cut";
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 5) controller.enqueue(bytes.slice(at, at + 5));
      controller.close();
    },
  });
  const found = [];
  for await (const event of readEvents(new Response(body))) found.push(event);

  expect(found).toEqual([
    { id: "7", type: "step_finished", data: '{"a":\n1}' },
    { id: "8", type: "message", data: "x" },
  ]);
  expect(parseEvent(": only a comment")).toBeNull();
});

test("tables keep commas, quotes and line ends inside of cells", () => {
  expect(parseCsv('a,b\r\n"x, ""y""\nz",2\n\n')).toEqual([["a", "b"], ['x, "y"\nz', "2"]]);
});
