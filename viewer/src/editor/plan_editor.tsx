/** The editor of an implementation plan: graph or list, and a panel for the selection. */
import { type KeyboardEvent, useCallback, useEffect, useMemo, useState } from "react";
import type { PlanRead } from "../api/implementation.ts";
import { isNarrow } from "../use_narrow.ts";
import { Canvas } from "../graph/canvas.tsx";
import type { Grouping } from "../graph/flow.ts";
import { Icon } from "../parts/icon.tsx";
import { Trouble } from "../parts/trouble.tsx";
import type { Positions, Step } from "../plan/document.ts";
import { connect, deleteSteps, disconnect, storeLayout } from "../plan/edits.ts";
import type { Schema } from "../plan/schema.ts";
import { ConflictDialog } from "./conflict_dialog.tsx";
import { type Filter, fits, NO_FILTER } from "./filter.ts";
import { LeaveDialog } from "./leave_dialog.tsx";
import { PlanPanel } from "./plan_panel.tsx";
import { StepList } from "./step_list.tsx";
import { StepPanel } from "./step_panel.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useEditor } from "./use_editor.ts";
import { useFollowing } from "./use_following.ts";
import { useShortcuts } from "./use_shortcuts.ts";

export function PlanEditor({ planId, read, schema }: { planId: string; read: PlanRead; schema: Schema }) {
  const editor = useEditor(planId, read, schema);
  const { plan, edit, findings } = editor;
  const [selected, setSelected] = useState<string | null>(null);
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [grouping, setGrouping] = useState<Grouping>("group");
  const [view, setView] = useState<"graph" | "list">(() => (isNarrow() ? "list" : "graph"));
  /** The tab of the panel about the whole plan; null while it is closed. */
  const [about, setAbout] = useState<string | null>(null);
  const [said, say] = useState("");
  const waiting = useFollowing(planId, editor, say);
  const step = plan.steps.find((each) => each.id === selected) ?? null;
  const marks = useMemo(() => marksOf(plan.steps, filter, findings), [plan.steps, filter, findings]);
  useShortcuts(editor, say);
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => say(""), 3500);
    return () => clearTimeout(timer);
  }, [said]);

  const select = useCallback((id: string | null) => {
    setSelected(id);
    if (id) setAbout(null);
  }, []);
  const close = useCallback(() => {
    setSelected(null);
    setAbout(null);
  }, []);
  // on a selected card, Enter moves the focus into the panel; there, Escape moves it back
  const enter = (event: KeyboardEvent) => {
    const at = (event.target as HTMLElement).closest<HTMLElement>("[data-id]");
    if (event.key === "Enter" && selected && at?.dataset.id === selected)
      document.querySelector<HTMLElement>(".panel [role=tab][aria-selected=true]")?.focus();
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    close();
    if (selected) document.querySelector<HTMLElement>(`.desk-main [data-id="${CSS.escape(selected)}"]`)?.focus();
  };
  const tell = useCallback((tab: string) => {
    setSelected(null);
    setAbout(tab);
  }, []);
  const moved = useCallback((positions: Positions) => edit((was) => storeLayout(was, positions), "layout"), [edit]);
  const join = useCallback(
    (from: string, to: string) => {
      if (connect(plan, to, from) === plan) say(`${to} cannot wait for ${from}: it does already, or a circle would close.`);
      else edit((was) => connect(was, to, from));
    },
    [plan, edit],
  );
  const remove = useCallback(
    (steps: string[], edges: { from: string; to: string }[]) => {
      edit((was) => deleteSteps(edges.reduce((all, edge) => disconnect(all, edge.to, edge.from), was), new Set(steps)));
      if (steps.length > 0) close();
    },
    [edit, close],
  );

  return (
    <main id="main" className="desk" tabIndex={-1}>
      <Toolbar
        {...{ editor, planId, filter, setFilter, grouping, setGrouping, view, setView, say, select }}
        selected={selected}
        about={tell}
      />
      {editor.error && (
        <div className="desk-notice">
          <Trouble error={editor.error} />
          <button type="button" className="button ghost square" aria-label="Dismiss" onClick={editor.dismiss}>
            <Icon name="close" />
          </button>
        </div>
      )}
      {waiting !== null && (
        <p className="desk-notice hint" role="status">
          Revision {waiting} was saved elsewhere and changes what you changed: you choose when you save.
        </p>
      )}
      <div className={`desk-body${step || about ? " with-panel" : ""}`}>
        <div className="desk-main" onKeyDown={enter}>
          {view === "graph" ? (
            <Canvas {...{ plan, grouping, marks, selected, select, moved }} connected={join} removed={remove} />
          ) : (
            <StepList {...{ plan, filter, selected, select, edit, grouping }} />
          )}
        </div>
        {step && <StepPanel key={step.id} {...{ step, planId, schema, editor, close, leave, select }} />}
        {!step && about && <PlanPanel key={about} start={about} {...{ planId, read, schema, editor, close, leave, select }} />}
      </div>
      {editor.conflict && <ConflictDialog editor={editor} conflict={editor.conflict} />}
      <LeaveDialog editor={editor} />
      <div role="status" className={said ? "toast" : "visually-hidden"}>
        {said}
      </div>
    </main>
  );
}

function marksOf(steps: readonly Step[], filter: Filter, findings: readonly { path: string }[]): Map<string, string> {
  const wrong = new Set(findings.map((finding) => finding.path.match(/^\/steps\/(\d+)/)?.[1]));
  return new Map(
    steps.map((step, index) => [
      step.id,
      `${fits(step, filter) ? "" : "dimmed"} ${wrong.has(String(index)) ? "wrong" : ""}`.trim(),
    ]),
  );
}
