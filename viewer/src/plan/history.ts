/** The edits of one sitting: what the plan is now, what it was before each edit, and what was undone. */
import type { PlanDocument } from "./document.ts";

const MOST = 200;
/** Typing into one field is one edit, as long as its pauses are shorter (milliseconds). */
const TYPING = 1500;

export interface History {
  saved: PlanDocument;
  now: PlanDocument;
  past: readonly PlanDocument[];
  future: readonly PlanDocument[];
  /** Which field the last edit typed into, and when. */
  typed: { field: string; at: number } | null;
}

export type Edit =
  | { do: "open"; plan: PlanDocument }
  | { do: "saved"; plan: PlanDocument }
  /** Others saved *saved*, which *change* brings into each document of this sitting. */
  | { do: "rebase"; saved: PlanDocument; change: (plan: PlanDocument) => PlanDocument }
  | { do: "edit"; change: (plan: PlanDocument) => PlanDocument; field?: string; at?: number }
  | { do: "undo" }
  | { do: "redo" };

export function opened(plan: PlanDocument): History {
  return { saved: plan, now: plan, past: [], future: [], typed: null };
}

export function edited(was: History, edit: Edit): History {
  switch (edit.do) {
    case "open":
      return opened(edit.plan);
    case "saved":
      // what was typed while it was being saved stays
      return { ...was, saved: edit.plan, typed: null };
    case "rebase": {
      const [past, future] = [was.past.map(edit.change), was.future.map(edit.change)];
      const now = was.now === was.saved ? edit.saved : edit.change(was.now);
      return { saved: edit.saved, now, past, future, typed: was.typed };
    }
    case "undo": {
      const now = was.past.at(-1);
      return now ? { ...was, now, past: was.past.slice(0, -1), future: [was.now, ...was.future], typed: null } : was;
    }
    case "redo": {
      const [now, ...future] = was.future;
      return now ? { ...was, now, past: [...was.past, was.now], future, typed: null } : was;
    }
    case "edit":
      return changed(was, edit);
  }
}

function changed(was: History, edit: Extract<Edit, { do: "edit" }>): History {
  const now = edit.change(was.now);
  if (now === was.now) return was;
  const typed = edit.field === undefined ? null : { field: edit.field, at: edit.at ?? 0 };
  const goesOn = typed !== null && was.typed?.field === typed.field && typed.at - was.typed.at < TYPING;
  return { ...was, now, past: goesOn ? was.past : [...was.past, was.now].slice(-MOST), future: [], typed };
}

export function isChanged(history: History): boolean {
  return history.now !== history.saved;
}
