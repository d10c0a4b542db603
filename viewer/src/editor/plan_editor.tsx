/** The desk on which an implementation plan lies: graph or list in the middle, what is selected beside it. */
import { useEffect, useMemo, useState } from "react";
import type { PlanRead } from "../api/implementation.ts";
import { Canvas } from "../graph/canvas.tsx";
import type { Grouping } from "../graph/flow.ts";
import { Icon } from "../parts/icon.tsx";
import { Trouble } from "../parts/trouble.tsx";
import type { Step } from "../plan/document.ts";
import { connect, deleteSteps, disconnect, storeLayout } from "../plan/edits.ts";
import type { Schema } from "../plan/schema.ts";
import { ConflictDialog } from "./conflict_dialog.tsx";
import { type Filter, fits, NO_FILTER } from "./filter.ts";
import { PlanPanel } from "./plan_panel.tsx";
import { StepList } from "./step_list.tsx";
import { StepPanel } from "./step_panel.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useEditor } from "./use_editor.ts";
import { useShortcuts } from "./use_shortcuts.ts";

const NARROW = "(max-width: 760px)";

export function PlanEditor({ planId, read, schema }: { planId: string; read: PlanRead; schema: Schema }) {
  const editor = useEditor(planId, read, schema);
  const { plan, edit, findings } = editor;
  const [selected, setSelected] = useState<string | null>(null);
  const [filter, setFilter] = useState<Filter>(NO_FILTER);
  const [grouping, setGrouping] = useState<Grouping>("group");
  const [view, setView] = useState<"graph" | "list">(() => (window.matchMedia(NARROW).matches ? "list" : "graph"));
  const [about, setAbout] = useState(false);
  const [said, say] = useState("");
  const step = plan.steps.find((each) => each.id === selected) ?? null;
  const marks = useMemo(() => marksOf(plan.steps, filter, findings), [plan.steps, filter, findings]);
  useShortcuts(editor, say);
  useWarning(editor.changed);
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => say(""), 3500);
    return () => clearTimeout(timer);
  }, [said]);

  const select = (id: string | null) => {
    setSelected(id);
    if (id) setAbout(false);
  };
  const close = () => {
    setSelected(null);
    setAbout(false);
  };
  const join = (from: string, to: string) => {
    if (connect(plan, to, from) === plan) say(`${to} cannot wait for ${from}: it does already, or a circle would close.`);
    else edit((was) => connect(was, to, from));
  };

  return (
    <main id="main" className="desk" tabIndex={-1}>
      <Toolbar
        {...{ editor, planId, filter, setFilter, grouping, setGrouping, view, setView, say, select }}
        selected={selected}
        about={() => (setSelected(null), setAbout(true))}
      />
      {editor.error && (
        <div className="desk-notice">
          <Trouble error={editor.error} />
          <button type="button" className="button ghost square" aria-label="Dismiss" onClick={editor.dismiss}>
            <Icon name="close" />
          </button>
        </div>
      )}
      <div className={`desk-body${step || about ? " with-panel" : ""}`}>
        <div className="desk-main">
          {view === "graph" ? (
            <Canvas
              {...{ plan, grouping, marks, selected, select }}
              moved={(positions) => edit((was) => storeLayout(was, positions))}
              connected={join}
              removed={(steps, edges) => {
                edit((was) => deleteSteps(edges.reduce((all, edge) => disconnect(all, edge.to, edge.from), was), new Set(steps)));
                if (steps.length > 0) close();
              }}
            />
          ) : (
            <StepList {...{ plan, filter, selected, select, edit, grouping }} />
          )}
        </div>
        {step && <StepPanel key={step.id} {...{ step, planId, schema, editor, close, select }} />}
        {!step && about && <PlanPanel {...{ planId, read, schema, editor, close }} />}
      </div>
      {editor.conflict && <ConflictDialog editor={editor} conflict={editor.conflict} />}
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

/** Let the browser ask before the tab is closed on edits that are not saved. */
function useWarning(changed: boolean): void {
  useEffect(() => {
    if (!changed) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [changed]);
}
