/** The state of the editor of one implementation plan: edits with undo, findings, saving, and changes of other users. */
import { useCallback, useDeferredValue, useMemo, useReducer, useState } from "react";
import { type PlanRead, readPlan, savePlan } from "../api/implementation.ts";
import { ApiError } from "../api/client.ts";
import { useSession } from "../api_context.ts";
import type { PlanDocument } from "../plan/document.ts";
import { edited, isChanged, opened } from "../plan/history.ts";
import { meet, type Meeting, merge, type Side } from "../plan/merge.ts";
import type { Finding, Schema } from "../plan/schema.ts";
import { validate } from "../plan/validate.ts";
import { asApiError } from "../use_loaded.ts";

const NOBODY_CHOSE: ReadonlyMap<string, Side> = new Map();

export interface Conflict {
  theirs: PlanRead;
  meeting: Meeting;
}

export interface Editor {
  plan: PlanDocument;
  saved: PlanDocument;
  revision: number;
  findings: readonly Finding[];
  changed: boolean;
  saving: boolean;
  error: ApiError | null;
  conflict: Conflict | null;
  canUndo: boolean;
  canRedo: boolean;
  /** Change the plan; edits of one *field* in quick succession are undone together. */
  edit: (change: (plan: PlanDocument) => PlanDocument, field?: string) => void;
  undo: () => void;
  redo: () => void;
  save: () => Promise<boolean>;
  /** Merge the changes of other users with one's own; returns false and changes nothing on a conflict. */
  takeOver: (theirs: PlanRead) => boolean;
  /** Continue with *plan* based on the current revision; without *plan*, with that revision. */
  settle: (plan?: PlanDocument) => Promise<void>;
  dismiss: () => void;
}

export function useEditor(planId: string, read: PlanRead, schema: Schema): Editor {
  const { api } = useSession();
  const [history, act] = useReducer(edited, read.plan, opened);
  const [revision, setRevision] = useState(read.revision);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const plan = history.now;
  // drawn first, then checked: while one types, too
  const checked = useDeferredValue<PlanDocument | null>(plan, null);
  const findings = useMemo(() => (checked ? validate(checked, schema) : []), [checked, schema]);

  const store = useCallback(
    async (wanted: PlanDocument, base: number, before: PlanDocument) => {
      setSaving(true);
      setError(null);
      try {
        const saved = await savePlan(api, planId, wanted, base);
        setRevision(saved.revision);
        act({ do: "saved", plan: wanted });
        setConflict(null);
        return true;
      } catch (refused) {
        if (refused instanceof ApiError && refused.code === "REVISION_CONFLICT") {
          const theirs = await readPlan(api, planId).catch(asApiError);
          if (theirs instanceof ApiError) setError(theirs);
          else setConflict({ theirs, meeting: meet(before, wanted, theirs.plan) });
        } else setError(asApiError(refused));
        return false;
      } finally {
        setSaving(false);
      }
    },
    [api, planId],
  );

  const settle = useCallback(
    async (wanted?: PlanDocument) => {
      if (!conflict) return;
      const { theirs } = conflict;
      act({ do: "open", plan: theirs.plan });
      setRevision(theirs.revision);
      setConflict(null);
      if (!wanted) return;
      // undone, it leads back to theirs, and never over it
      act({ do: "edit", change: () => wanted });
      await store(wanted, theirs.revision, theirs.plan);
    },
    [conflict, store],
  );

  const takeOver = useCallback(
    (theirs: PlanRead) => {
      const bring = (own: PlanDocument) => merge(theirs.plan, meet(history.saved, own, theirs.plan), NOBODY_CHOSE);
      if (meet(history.saved, history.now, theirs.plan).conflicts.length > 0) return false;
      act({ do: "rebase", saved: theirs.plan, change: bring });
      setRevision(theirs.revision);
      return true;
    },
    [history],
  );

  return {
    plan,
    saved: history.saved,
    revision,
    findings,
    changed: isChanged(history),
    saving,
    error,
    conflict,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    edit: useCallback((change, field) => act({ do: "edit", change, field, at: performance.now() }), []),
    undo: useCallback(() => act({ do: "undo" }), []),
    redo: useCallback(() => act({ do: "redo" }), []),
    save: useCallback(() => store(plan, revision, history.saved), [store, plan, revision, history.saved]),
    takeOver,
    settle,
    dismiss: useCallback(() => {
      setConflict(null);
      setError(null);
    }, []),
  };
}
