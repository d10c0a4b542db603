/** Asks before a plan with edits that are not saved is left. */
import { LeaveQuestion } from "../parts/leave_question.tsx";
import type { Editor } from "./use_editor.ts";

export function LeaveDialog({ editor }: { editor: Editor }) {
  return (
    <LeaveQuestion
      held={editor.changed}
      title="Your edits are not saved"
      lose="Leave without saving"
      save="Save and leave"
      keep={editor.save}
      busy={editor.saving}
    >
      They are lost when you leave this plan without saving them.
    </LeaveQuestion>
  );
}
