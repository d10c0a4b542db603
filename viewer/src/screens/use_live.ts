/** Keep a plan that is being drafted up to date: by its event stream, by asking where there is none. */
import { useEffect, useEffectEvent, useRef } from "react";
import type { PlanStatus } from "../api/plans.ts";
import { follow } from "../api/watching.ts";
import { useSession } from "../api_context.ts";

/** Events often come many at a time; one look answers them all (milliseconds). */
const TOGETHER = 300;

/** Call *look* when something happened, but never while the last poll is running (*busy*): it would be cancelled. */
export function useLive(planId: string, plan: PlanStatus | undefined, busy: boolean, look: () => void): void {
  const { api } = useSession();
  const missed = useRef(false);
  const lookNow = useEffectEvent(() => {
    missed.current = busy;
    if (!busy) look();
  });
  const lookAgain = useEffectEvent(() => {
    if (missed.current) lookNow();
  });
  const live = plan?.state === "pending" || plan?.state === "processing";
  useEffect(() => {
    if (!live) return;
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        lookNow();
      }, TOGETHER);
    };
    void follow(api, planId, heard, ended.signal).catch(() => undefined);
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [api, planId, live]);
  useEffect(() => {
    if (!busy) lookAgain();
  }, [busy]);
}
