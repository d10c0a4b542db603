/** Asks before a screen with work that is not finished is left. */
import { type ReactNode, useEffect, useState } from "react";
import { holdScreen } from "../route.ts";
import { Dialog } from "./dialog.tsx";

interface LeaveQuestionProps {
  /** Whether there is anything to ask about. */
  held: boolean;
  title: string;
  children: ReactNode;
  /** The button that loses the work, and what it does before the screen is left. */
  lose: string;
  onLose?: () => void;
  /** The button that keeps the work; it is left only where *keep* says so. */
  save: string;
  keep: () => Promise<boolean>;
  busy?: boolean;
}

export function LeaveQuestion({ held, title, children, lose, onLose, save, keep, busy }: LeaveQuestionProps) {
  const [goOn, setGoOn] = useState<(() => void) | null>(null);
  useEffect(() => (held ? holdScreen((act) => setGoOn(() => act)) : undefined), [held]);
  useEffect(() => {
    if (!held) return;
    // the browser's own question, for what is no screen of ours: closing the tab, loading the page anew
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [held]);
  if (!goOn) return null;
  const stay = () => setGoOn(null);
  const keepAndGo = async () => {
    const kept = await keep();
    stay();
    if (kept) goOn();
  };
  return (
    <Dialog title={title} close={stay}>
      <p className="muted">{children}</p>
      <div className="dialog-foot">
        <button type="button" className="button ghost" onClick={stay}>
          Stay here
        </button>
        <button type="button" className="button danger" onClick={() => (stay(), onLose?.(), goOn())}>
          {lose}
        </button>
        <button type="button" className="button primary" disabled={busy} onClick={() => void keepAndGo()}>
          {save}
        </button>
      </div>
    </Dialog>
  );
}
