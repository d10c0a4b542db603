/** The panel of the whole plan: its fields, findings, history and comments. */
import { type KeyboardEvent, useState } from "react";
import type { PlanRead } from "../api/implementation.ts";
import { titleOf, ValueField, withField } from "../form/value_field.tsx";
import { Icon } from "../parts/icon.tsx";
import type { PlanDocument } from "../plan/document.ts";
import type { Schema } from "../plan/schema.ts";
import { paths } from "../route.ts";
import { Checks } from "./checks.tsx";
import { Comments } from "./comments.tsx";
import { Revisions } from "./revisions.tsx";
import { Tabs } from "./tabs.tsx";
import type { Editor } from "./use_editor.ts";

const APART = new Set(["steps", "schemaVersion", "planId", "metadata"]);

interface PlanPanelProps {
  planId: string;
  read: PlanRead;
  schema: Schema;
  editor: Editor;
  /** The tab to begin with. */
  start: string;
  close: () => void;
  /** A key was pressed: Escape leaves the panel. */
  leave: (event: KeyboardEvent) => void;
  select: (id: string) => void;
}

export function PlanPanel({ planId, read, schema, editor, start, close, leave, select }: PlanPanelProps) {
  const [tab, setTab] = useState(start);
  return (
    <aside className="panel" aria-label="About this plan" onKeyDown={leave}>
      <header className="panel-head">
        <div className="panel-kind">
          About this plan
          <span className="push" />
          <button type="button" className="button ghost small square" onClick={close} aria-label="Close">
            <Icon name="close" />
          </button>
        </div>
        <h2>{editor.plan.title}</h2>
        {read.meta.madeFrom && (
          <a href={paths.strategic(read.meta.madeFrom)} className="hint">
            Made from a strategic plan
          </a>
        )}
      </header>
      <Tabs names={["Goal", "Edit", "Checks", "History", "Comments"]} open={tab} choose={setTab} />
      <div className="panel-body" role="tabpanel" aria-label={tab} tabIndex={0}>
        {tab === "Goal" && <Goal plan={editor.plan} />}
        {tab === "Edit" && <PlanForm schema={schema} editor={editor} />}
        {tab === "Checks" && <Checks editor={editor} select={select} />}
        {tab === "History" && <Revisions planId={planId} editor={editor} />}
        {tab === "Comments" && <Comments planId={planId} stepId={null} />}
      </div>
    </aside>
  );
}

function Goal({ plan }: { plan: PlanDocument }) {
  return (
    <>
      <p className="prose">{plan.goal}</p>
      <p className="hint">
        {plan.planType} in <code>{plan.context.repo}</code> at <code>{plan.context.ref}</code>, {plan.context.stack.join(", ")}
      </p>
      <Texts title="Acceptance criteria" texts={plan.acceptanceCriteria} />
      <Texts title="Not part of it" texts={plan.constraints.nonGoals} />
      <Texts title="Compatibility" texts={plan.constraints.compat} />
      <Texts title="Quality gates" texts={plan.constraints.qualityGates.map((gate) => gate.replaceAll("_", " "))} />
      <Texts title="Assumptions" texts={plan.context.assumptions} />
      {plan.risks && plan.risks.length > 0 && (
        <section>
          <h3>Risks</h3>
          <ul className="items">
            {plan.risks.map((risk) => (
              <li key={risk.id}>
                <span className={`pill ${{ low: "idle", medium: "held", high: "bad" }[risk.level]}`}>{risk.level}</span>{" "}
                <strong>{risk.title}</strong>
                <p className="muted">{risk.mitigation}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Texts({ title, texts }: { title: string; texts: readonly string[] | undefined }) {
  if (!texts?.length) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul className="bullets">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

function PlanForm({ schema, editor }: { schema: Schema; editor: Editor }) {
  const required = schema.required ?? [];
  return (
    <form className="form" onSubmit={(event) => event.preventDefault()}>
      {Object.entries(schema.properties ?? {})
        .filter(([name]) => !APART.has(name))
        .map(([name, each]) => (
          <ValueField
            key={name}
            name={name}
            title={titleOf(name)}
            schema={each}
            root={schema}
            value={editor.plan[name as keyof PlanDocument]}
            path={`/${name}`}
            findings={editor.findings}
            change={(value) =>
              editor.edit((was) => withField(was, name, value, required.includes(name)) as PlanDocument, `plan/${name}`)
            }
          />
        ))}
    </form>
  );
}
