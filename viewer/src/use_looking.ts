/** Others change what is shown here: look at it again and again while somebody sees the page. */
import { useEffect, useEffectEvent } from "react";

/** The longest pause after looks that failed (milliseconds). */
const LONGEST = 60_000;

/** What of a document says whether somebody sees it. */
export type Seen = Pick<Document, "hidden" | "addEventListener">;

/** Call *look* every *pause* milliseconds, and *take* with its result; *missed* is called if it failed. */
export function useLooking<T>(
  look: (signal: AbortSignal) => Promise<T>,
  take: (found: T) => void,
  pause: number,
  what: string,
  missed?: (error: unknown) => void,
): void {
  const lookNow = useEffectEvent(look);
  const takeNow = useEffectEvent(take);
  const missedNow = useEffectEvent((error: unknown) => missed?.(error));
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const once = async () => {
      try {
        const found = await lookNow(signal);
        if (!signal.aborted) takeNow(found);
      } catch (error) {
        if (!signal.aborted) missedNow(error);
        throw error;
      }
    };
    keepLooking(once, pause, signal);
    return () => ended.abort();
  }, [what, pause]);
}

/**
 * Call *look* every *pause* milliseconds until *signal* ends it: not while *page* is hidden, at once when it is shown again,
 * and after each failure half as often.
 */
export function keepLooking(look: () => Promise<unknown>, pause: number, signal: AbortSignal, page: Seen = document): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failed = 0;
  let under = false;
  const wait = () => {
    clearTimeout(timer);
    if (!page.hidden && !signal.aborted) timer = setTimeout(lookNow, Math.min(pause * 2 ** failed, Math.max(pause, LONGEST)));
  };
  const lookNow = () => {
    clearTimeout(timer);
    if (under) return;
    under = true;
    look()
      .then(
        () => (failed = 0),
        () => (failed += 1),
      )
      .finally(() => {
        under = false;
        wait();
      });
  };
  wait();
  page.addEventListener("visibilitychange", () => (page.hidden ? clearTimeout(timer) : lookNow()), { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
}
