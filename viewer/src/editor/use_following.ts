/** Others work on the same plan: what they save shows here while it is open, as long as it does not meet one's own edits. */
import { useEffect, useEffectEvent, useState } from "react";
import { planDiff, readPlan } from "../api/implementation.ts";
import { useSession } from "../api_context.ts";
import type { Editor } from "./use_editor.ts";

/** Between two looks (milliseconds); nobody looks while the tab is hidden. */
const PAUSE = 5_000;

/** Take over what others saved; return the revision that has to wait since it meets edits made here, else null. */
export function useFollowing(planId: string, editor: Editor, say: (text: string) => void): number | null {
  const { api } = useSession();
  const [waiting, setWaiting] = useState<number | null>(null);
  const take = useEffectEvent((theirs: Awaited<ReturnType<typeof readPlan>>) => {
    // a save of one's own may have come meanwhile
    if (editor.saving || theirs.revision <= editor.revision) return;
    if (editor.takeOver(theirs)) say(`Revision ${theirs.revision}: ${theirs.meta.note ?? "somebody saved"}`);
    else setWaiting(theirs.revision);
  });
  const look = useEffectEvent(async (signal: AbortSignal) => {
    if (document.hidden || editor.saving || editor.conflict) return;
    const since = await planDiff(api, planId, editor.revision, undefined, signal);
    const known = since.toRevision === waiting && editor.changed;
    if (since.toRevision <= editor.revision || known) return;
    const theirs = await readPlan(api, planId, signal);
    if (signal.aborted) return;
    take(theirs);
  });
  useEffect(() => {
    const ended = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const again = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void lookNow(), PAUSE);
    };
    // a look that fails is told by whatever the reader does next
    const lookNow = () => look(ended.signal).catch(() => undefined).then(() => !ended.signal.aborted && again());
    const shown = () => !document.hidden && (clearTimeout(timer), void lookNow());
    again();
    document.addEventListener("visibilitychange", shown);
    return () => {
      ended.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", shown);
    };
  }, [planId]);
  return waiting !== null && waiting > editor.revision ? waiting : null;
}
