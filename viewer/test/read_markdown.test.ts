import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readMarkdown } from "../src/parts/read_markdown.ts";

/** A worker that answers when it is told to. */
function sample() {
  const worker = { postMessage: vi.fn(), terminate: vi.fn() } as unknown as Worker;
  return { worker, begin: vi.fn(() => worker) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("what the worker says is returned, and the worker is ended", async () => {
  const { worker, begin } = sample();
  const tokens = [{ type: "hr", raw: "---" }];

  const read = readMarkdown("---", undefined, begin);
  worker.onmessage?.({ data: tokens } as MessageEvent);

  expect(await read).toBe(tokens);
  expect(worker.postMessage).toHaveBeenCalledWith("---");
  expect(worker.terminate).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

test("a text that takes the worker too long is not waited for", async () => {
  const { worker, begin } = sample();

  const read = readMarkdown("a_".repeat(10_000), undefined, begin);
  vi.advanceTimersByTime(5_000);

  expect(await read).toBeNull();
  expect(worker.terminate).toHaveBeenCalledOnce();
});

test("without its worker, and once nobody waits any more, there is nothing", async () => {
  const gone = sample();
  const left = sample();
  const leave = new AbortController();

  const first = readMarkdown("a", undefined, gone.begin);
  gone.worker.onerror?.(new Event("error") as ErrorEvent);
  const second = readMarkdown("a", leave.signal, left.begin);
  leave.abort();

  expect([await first, await second]).toEqual([null, null]);
  expect(left.worker.terminate).toHaveBeenCalledOnce();
});

test("a text that is too long is not read at all", async () => {
  const { begin } = sample();

  expect(await readMarkdown("a ".repeat(60_000), undefined, begin)).toBeNull();
  expect(begin).not.toHaveBeenCalled();
});
