import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepLooking, type Seen } from "../src/use_looking.ts";

/** A page that can be hidden and shown. */
class Page extends EventTarget {
  hidden = false;

  turn(hidden: boolean) {
    this.hidden = hidden;
    this.dispatchEvent(new Event("visibilitychange"));
  }

  asSeen(): Seen {
    return this as unknown as Seen;
  }
}

const ended = new AbortController();

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("one looks again and again, until it is ended", async () => {
  const look = vi.fn(async () => undefined);
  const leave = new AbortController();
  keepLooking(look, 5_000, leave.signal, new Page().asSeen());

  await vi.advanceTimersByTimeAsync(4_999);
  expect(look).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(10_001);
  expect(look).toHaveBeenCalledTimes(3);
  leave.abort();
  await vi.advanceTimersByTimeAsync(60_000);

  expect(look).toHaveBeenCalledTimes(3);
  expect(vi.getTimerCount()).toBe(0);
});

test("nobody looks while the page is hidden, and at once when it is shown again", async () => {
  const look = vi.fn(async () => undefined);
  const page = new Page();
  keepLooking(look, 5_000, ended.signal, page.asSeen());

  page.turn(true);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(look).toHaveBeenCalledTimes(0);
  page.turn(false);
  expect(look).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(5_000);

  expect(look).toHaveBeenCalledTimes(2);
});

test("after each failure one waits twice as long, a minute at most, and as before once it went well", async () => {
  let fails = true;
  const at: number[] = [];
  const begun = Date.now();
  const look = async () => {
    at.push((Date.now() - begun) / 1_000);
    if (fails) throw new Error("not there");
  };
  keepLooking(look, 5_000, ended.signal, new Page().asSeen());

  await vi.advanceTimersByTimeAsync(260_000);
  fails = false;
  await vi.advanceTimersByTimeAsync(70_000);

  expect(at).toEqual([5, 15, 35, 75, 135, 195, 255, 315, 320, 325, 330]);
});

test("there is one look at a time, and none is planned by one that ends on a hidden page", async () => {
  const page = new Page();
  const under = Promise.withResolvers<undefined>();
  const look = vi.fn(() => under.promise);
  keepLooking(look, 5_000, ended.signal, page.asSeen());

  await vi.advanceTimersByTimeAsync(5_000);
  page.turn(true);
  page.turn(false);
  expect(look).toHaveBeenCalledTimes(1);
  page.turn(true);
  under.resolve(undefined);
  await vi.advanceTimersByTimeAsync(60_000);

  expect(look).toHaveBeenCalledTimes(1);
});
