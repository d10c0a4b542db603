/** Asks before a plan with edits that are not saved is left. */
import { useEffect, useState } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { holdScreen } from "../route.ts";
import type { Editor } from "./use_editor.ts";

export function LeaveDialog({ editor }: { editor: Editor }) {
  const { changed } = editor;
  const [goOn, setGoOn] = useState<(() => void) | null>(null);
  useEffect(() => (changed ? holdScreen((act) => setGoOn(() => act)) : undefined), [changed]);
  useEffect(() => {
    if (!changed) return;
    // the browser's own question, for what is no screen of ours: closing the tab, loading the page anew
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [changed]);
  if (!goOn) return null;
  const stay = () => setGoOn(null);
  const save = async () => {
    const saved = await editor.save();
    stay();
    if (saved) goOn();
  };
  return (
    <Dialog title="Your edits are not saved" close={stay}>
      <p className="muted">They are lost when you leave this plan without saving them.</p>
      <div className="dialog-foot">
        <button type="button" className="button ghost" onClick={stay}>
          Stay here
        </button>
        <button type="button" className="button danger" onClick={() => (stay(), goOn())}>
          Leave without saving
        </button>
        <button type="button" className="button primary" disabled={editor.saving} onClick={() => void save()}>
          Save and leave
        </button>
      </div>
    </Dialog>
  );
}
