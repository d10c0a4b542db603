/** Shows changes that other users save while the plan is open, unless they conflict with one's own edits. */
import { useState } from "react";
import { planDiff, readPlan } from "../api/implementation.ts";
import { useSession } from "../api_context.ts";
import { useLooking } from "../use_looking.ts";
import type { Editor } from "./use_editor.ts";

/** Between two polls (milliseconds). A failed poll is not reported: the next action of the user fails as well. */
const PAUSE = 5_000;

/** Take over what others saved; return the revision that has to wait since it meets edits made here, else null. */
export function useFollowing(planId: string, editor: Editor, say: (text: string) => void): number | null {
  const { api } = useSession();
  const [waiting, setWaiting] = useState<number | null>(null);
  useLooking(
    async (signal) => {
      if (editor.saving || editor.conflict) return undefined;
      const since = await planDiff(api, planId, editor.revision, undefined, signal);
      const known = since.toRevision === waiting && editor.changed;
      if (since.toRevision <= editor.revision || known) return undefined;
      return readPlan(api, planId, signal);
    },
    (theirs) => {
      // a save of one's own may have come meanwhile
      if (!theirs || editor.saving || theirs.revision <= editor.revision) return;
      if (editor.takeOver(theirs)) say(`Revision ${theirs.revision}: ${theirs.meta.note ?? "somebody saved"}`);
      else setWaiting(theirs.revision);
    },
    PAUSE,
    planId,
  );
  return waiting !== null && waiting > editor.revision ? waiting : null;
}
