/** Others work on the same plan: what they save shows here while it is open, as long as it does not meet one's own edits. */
import { useState } from "react";
import { planDiff, readPlan } from "../api/implementation.ts";
import { useSession } from "../api_context.ts";
import { useLooking } from "../use_looking.ts";
import type { Editor } from "./use_editor.ts";

/** Between two looks (milliseconds). A look that fails is told by whatever the reader does next. */
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
