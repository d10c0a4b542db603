/** The variables of a graph as fields: texts as they are, everything else as JSON. */
import { valueOf } from "../parts/json_text.tsx";

type Texts = Record<string, string>;

export function VariableFields({ texts, change }: { texts: Texts; change: (texts: Texts) => void }) {
  return Object.entries(texts).map(([name, text]) => (
    <label key={name} className="field">
      <span>{name}</span>
      <input value={text} onChange={(event) => change({ ...texts, [name]: event.target.value })} />
    </label>
  ));
}

/** Return what the fields of *variables* show at first. */
export function textsOf(variables: Record<string, unknown>): Texts {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]));
}

/** Return the values of *texts*; a text stays one where that of *variables* is one. */
export function valuesOf(texts: Texts, variables: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, typeof variables[name] === "string" ? text : valueOf(text)]));
}
