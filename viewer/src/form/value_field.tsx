/** One value of a document as a form field: which field it is follows from the value's schema. */
import { useId } from "react";
import { resolve, type Finding, type Schema } from "../plan/schema.ts";
import { below } from "../plan/validate.ts";
import { ItemRows } from "./item_rows.tsx";

export interface FieldProps {
  name: string;
  title: string;
  schema: Schema;
  root: Schema;
  value: unknown;
  path: string;
  findings: readonly Finding[];
  change: (value: unknown) => void;
}

/** Texts that want more than one line. */
const LONG = 200;
const TALL = new Set(["notes", "instruction", "content", "mitigation", "template", "note"]);

export function ValueField(props: FieldProps) {
  const schema = resolve(props.schema, props.root);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const items = schema.items && resolve(schema.items, props.root);
  if (type === "array" && items?.type === "object") return <ItemRows {...props} items={items} />;
  if (type === "array" && items?.enum) return <Choices {...props} options={items.enum.map(String)} />;
  if (type === "array") return <Lines {...props} numbers={items?.type === "integer"} />;
  if (type === "object") return <Group {...props} schema={schema} />;
  if (type === "boolean") return <Check {...props} />;
  return <Plain {...props} schema={schema} />;
}

/** What is wrong with a field, under it. */
function Wrong({ id, findings, path }: { id: string; findings: readonly Finding[]; path: string }) {
  const found = below(findings, path);
  if (found.length === 0) return null;
  return (
    <span className="field-error" id={id}>
      {found.map((finding) => finding.message).join("; ")}
    </span>
  );
}

function Plain({ name, title, schema, value, path, findings, change }: FieldProps) {
  const id = useId();
  const wrong = below(findings, path).length > 0;
  const shared = { "aria-invalid": wrong, "aria-describedby": wrong ? id : undefined };
  const text = value === undefined || value === null ? "" : String(value);
  const number = schema.type === "integer" || schema.type === "number";
  return (
    <label className="field">
      <span>{title}</span>
      {schema.enum ? (
        <select {...shared} value={text} onChange={(event) => change(event.target.value)}>
          {!schema.enum.includes(text) && <option value={text}>{text || "choose"}</option>}
          {schema.enum.map((each) => (
            <option key={String(each)}>{String(each)}</option>
          ))}
        </select>
      ) : TALL.has(name) || (schema.maxLength ?? 0) > LONG ? (
        <textarea {...shared} rows={name === "content" ? 6 : 3} value={text} onChange={(event) => change(event.target.value)} />
      ) : (
        <input
          {...shared}
          type={number ? "number" : "text"}
          value={text}
          onChange={(event) => change(number ? asNumber(event.target.value) : event.target.value)}
        />
      )}
      <Wrong id={id} findings={findings} path={path} />
    </label>
  );
}

function Check({ title, value, change }: FieldProps) {
  return (
    <label className="check">
      <input type="checkbox" checked={value === true} onChange={(event) => change(event.target.checked)} />
      <span>{title}</span>
    </label>
  );
}

/** A list of texts, one on each line; or of numbers, with commas between them. */
function Lines({ title, value, path, findings, change, numbers }: FieldProps & { numbers: boolean }) {
  const id = useId();
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  const wrong = below(findings, path).length > 0;
  const shared = { "aria-invalid": wrong, "aria-describedby": wrong ? id : undefined };
  return (
    <label className="field">
      <span>
        {title} <small className="muted">{numbers ? "first, last" : "one on each line"}</small>
      </span>
      {numbers ? (
        <input {...shared} value={list.join(", ")} onChange={(event) => change(event.target.value.split(/,\s*/).map(asNumber))} />
      ) : (
        <textarea
          {...shared}
          rows={Math.min(8, list.length + 1)}
          value={list.join("\n")}
          onChange={(event) => change(event.target.value === "" ? [] : event.target.value.split("\n"))}
          onBlur={() => list.some((each) => each === "") && change(list.filter((each) => each !== ""))}
        />
      )}
      <Wrong id={id} findings={findings} path={path} />
    </label>
  );
}

function Choices({ title, value, path, findings, change, options }: FieldProps & { options: string[] }) {
  const id = useId();
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  return (
    <fieldset className="group">
      <legend>{title}</legend>
      {options.map((option) => (
        <label className="check" key={option}>
          <input
            type="checkbox"
            checked={list.includes(option)}
            onChange={(event) => change(options.filter((each) => (each === option ? event.target.checked : list.includes(each))))}
          />
          <span>{option.replaceAll("_", " ")}</span>
        </label>
      ))}
      <Wrong id={id} findings={findings} path={path} />
    </fieldset>
  );
}

function Group({ title, schema, root, value, path, findings, change }: FieldProps) {
  const object = (value ?? {}) as Record<string, unknown>;
  return (
    <fieldset className="group">
      <legend>{title}</legend>
      {Object.entries(schema.properties ?? {}).map(([name, each]) => (
        <ValueField
          key={name}
          name={name}
          title={titleOf(name)}
          schema={each}
          root={root}
          value={object[name]}
          path={`${path}/${name}`}
          findings={findings}
          change={(next) => change(withField(object, name, next, schema.required?.includes(name) ?? false))}
        />
      ))}
    </fieldset>
  );
}

/** Set a field; one that is empty and not required is left out. */
export function withField(object: object, name: string, value: unknown, required: boolean): object {
  const { [name]: _, ...rest } = object as Record<string, unknown>;
  const empty = value === "" || value === undefined || (Array.isArray(value) && value.length === 0);
  return empty && !required ? rest : { ...object, [name]: value };
}

/** Say the name of a field as people would: "dependsOn" is "Depends on". */
export function titleOf(name: string): string {
  const words = name.replace(/([A-Z])/g, " $1").replaceAll("_", " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function asNumber(text: string): number | string | undefined {
  if (text.trim() === "") return undefined;
  const number = Number(text);
  // what is no number yet stays as it is typed, and the schema says that it is none
  return Number.isFinite(number) ? number : text;
}
