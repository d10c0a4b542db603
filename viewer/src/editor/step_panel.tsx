/** The panel of one step: to read, edit and comment on it. */
import { type KeyboardEvent, useState } from "react";
import { lookOf } from "../graph/kinds.ts";
import { Drawing, Icon } from "../parts/icon.tsx";
import { word } from "../parts/state_pill.tsx";
import { type Item, STATUSES, type Step } from "../plan/document.ts";
import { deleteSteps, editStep } from "../plan/edits.ts";
import type { Schema } from "../plan/schema.ts";
import { Comments } from "./comments.tsx";
import { StepForm } from "./step_form.tsx";
import { Tabs } from "./tabs.tsx";
import type { Editor } from "./use_editor.ts";

interface StepPanelProps {
  step: Step;
  planId: string;
  schema: Schema;
  editor: Editor;
  select: (id: string | null) => void;
  close: () => void;
  /** A key was pressed: Escape leaves the panel. */
  leave: (event: KeyboardEvent) => void;
}

export function StepPanel({ step, planId, schema, editor, select, close, leave }: StepPanelProps) {
  const [tab, setTab] = useState("Details");
  const look = lookOf(step.kind);
  const remove = () => {
    editor.edit((was) => deleteSteps(was, new Set([step.id])));
    close();
  };
  return (
    <aside className={`panel kind-${look.kind}`} aria-label={`Step ${step.id}`} onKeyDown={leave}>
      <header className="panel-head">
        <div className="panel-kind">
          <Drawing path={look.path} size={15} />
          {look.title}
          <code>{step.id}</code>
          <span className="push" />
          <button type="button" className="button ghost small square" onClick={remove} aria-label={`Delete ${step.id}`}>
            <Icon name="trash" />
          </button>
          <button type="button" className="button ghost small square" onClick={close} aria-label="Close">
            <Icon name="close" />
          </button>
        </div>
        <h2>{step.title}</h2>
        <span className="button-group statuses" role="group" aria-label="Status">
          {STATUSES.map((status) => (
            <button
              key={status}
              type="button"
              className="button small"
              aria-pressed={step.ui.status === status}
              onClick={() => editor.edit((was) => editStep(was, step.id, { ui: { ...step.ui, status } }))}
            >
              {word(status)}
            </button>
          ))}
        </span>
      </header>
      <Tabs names={["Details", "Edit", "Comments"]} open={tab} choose={setTab} />
      <div className="panel-body" role="tabpanel" aria-label={tab} tabIndex={0}>
        {tab === "Details" && <Details step={step} editor={editor} select={select} />}
        {tab === "Edit" && <StepForm step={step} schema={schema} editor={editor} />}
        {tab === "Comments" && <Comments planId={planId} stepId={step.id} />}
      </div>
    </aside>
  );
}

function Details({ step, editor, select }: { step: Step; editor: Editor; select: (id: string) => void }) {
  const followers = editor.plan.steps.filter((each) => each.dependsOn.includes(step.id)).map((each) => each.id);
  return (
    <>
      <p className="prose">{step.intent}</p>
      <Links title="Depends on" ids={step.dependsOn} select={select} />
      <Links title="Needed by" ids={followers} select={select} />
      <Items title="Targets" items={step.targets} />
      <Items title="Actions" items={step.actions} />
      <Items title="Verification" items={step.verification} empty="This step has no verification yet." />
      <Items title="Outputs" items={step.outputs} />
      <Items title="Rollback" items={step.rollback} />
      {step.notes && (
        <section>
          <h3>Notes</h3>
          <p className="prose">{step.notes}</p>
        </section>
      )}
    </>
  );
}

function Links({ title, ids, select }: { title: string; ids: readonly string[]; select: (id: string) => void }) {
  if (ids.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <p className="chips">
        {ids.map((id) => (
          <button key={id} type="button" className="button small" onClick={() => select(id)}>
            {id}
          </button>
        ))}
      </p>
    </section>
  );
}

function Items({ title, items, empty }: { title: string; items: Item[] | undefined; empty?: string }) {
  if (!items?.length && !empty) return null;
  return (
    <section>
      <h3>{title}</h3>
      {!items?.length && <p className="muted">{empty}</p>}
      <ul className="items">
        {items?.map((item, index) => (
          <li key={`${item.type}-${index}`}>
            <span className="item-type">{item.type.replaceAll("_", " ")}</span>
            <dl>
              {Object.entries(item)
                .filter(([name]) => name !== "type")
                .map(([name, value]) => (
                  <Fact key={name} name={name} value={value} />
                ))}
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}

const CODE = new Set(["path", "value", "command", "glob", "query", "fromPath", "toPath", "from", "to", "symbol", "package", "flag", "content"]);

function Fact({ name, value }: { name: string; value: unknown }) {
  const text = Array.isArray(value) ? value.join("–") : String(value);
  return (
    <div>
      <dt>{name}</dt>
      <dd>{CODE.has(name) ? <code>{text}</code> : text}</dd>
    </div>
  );
}
