/** Keep a plan that is being drafted up to date: by its event stream, by asking where there is none. */
import { useEffect, useEffectEvent } from "react";
import type { PlanStatus } from "../api/plans.ts";
import { follow } from "../api/watching.ts";
import { useSession } from "../api_context.ts";

/** Events often come many at a time; one look answers them all (milliseconds). */
const TOGETHER = 250;

export function useLive(planId: string, plan: PlanStatus | undefined, changed: () => void): void {
  const { api } = useSession();
  const look = useEffectEvent(changed);
  const live = plan?.state === "pending" || plan?.state === "processing";
  useEffect(() => {
    if (!live) return;
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        look();
      }, TOGETHER);
    };
    void follow(api, planId, heard, ended.signal).catch(() => undefined);
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [api, planId, live]);
}
