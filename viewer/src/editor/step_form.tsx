/** All fields of a step, made from the schema; every keystroke is held against it. */
import { titleOf, ValueField, withField } from "../form/value_field.tsx";
import { Icon } from "../parts/icon.tsx";
import type { Step } from "../plan/document.ts";
import { connect, disconnect, editStep, reaches } from "../plan/edits.ts";
import { resolve, type Schema } from "../plan/schema.ts";
import { below } from "../plan/validate.ts";
import type { Editor } from "./use_editor.ts";

const APART = new Set(["id", "dependsOn"]);

export function StepForm({ step, schema, editor }: { step: Step; schema: Schema; editor: Editor }) {
  const shape = resolve({ $ref: "#/$defs/step" }, schema);
  const index = editor.plan.steps.findIndex((each) => each.id === step.id);
  const path = `/steps/${index}`;
  const required = shape.required ?? [];
  return (
    <form className="form" onSubmit={(event) => event.preventDefault()}>
      {Object.entries(shape.properties ?? {})
        .filter(([name]) => !APART.has(name))
        .map(([name, each]) => (
          <ValueField
            key={name}
            name={name}
            title={name === "ui" ? "Display" : titleOf(name)}
            schema={each}
            root={schema}
            value={step[name as keyof Step]}
            path={`${path}/${name}`}
            findings={editor.findings}
            change={(value) => {
              const whole = (was: Step) => withField(was, name, value, required.includes(name)) as Step;
              editor.edit(
                (was) => ({ ...was, steps: was.steps.map((other) => (other.id === step.id ? whole(other) : other)) }),
                `${step.id}/${name}`,
              );
            }}
          />
        ))}
      <Dependencies step={step} editor={editor} path={`${path}/dependsOn`} />
    </form>
  );
}

function Dependencies({ step, editor, path }: { step: Step; editor: Editor; path: string }) {
  const { plan, edit, findings } = editor;
  // steps that depend on this one cannot be dependencies of it
  const others = plan.steps.filter(
    (each) => each.id !== step.id && !step.dependsOn.includes(each.id) && !reaches(plan, each.id, step.id),
  );
  return (
    <fieldset className="group">
      <legend>Depends on</legend>
      <ul className="items">
        {step.dependsOn.map((id) => (
          <li key={id} className="dependency">
            <span>
              <code>{id}</code> {plan.steps.find((each) => each.id === id)?.title ?? "not there"}
            </span>
            <button
              type="button"
              className="button ghost small square"
              aria-label={`Remove the dependency on ${id}`}
              onClick={() => edit((was) => removed(was, step.id, id))}
            >
              <Icon name="close" size={14} />
            </button>
          </li>
        ))}
      </ul>
      <select aria-label="Add a dependency" value="" onChange={(event) => edit((was) => connect(was, step.id, event.target.value))}>
        <option value="">Add a dependency…</option>
        {others.map((each) => (
          <option key={each.id} value={each.id}>
            {each.id} {each.title}
          </option>
        ))}
      </select>
      {below(findings, path).map((finding) => (
        <span className="field-error" key={finding.path}>
          {finding.message}
        </span>
      ))}
    </fieldset>
  );
}

function removed(plan: Editor["plan"], step: string, other: string): Editor["plan"] {
  const next = disconnect(plan, step, other);
  return next === plan ? editStep(plan, step, {}) : next;
}
