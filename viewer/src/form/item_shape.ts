/** What an object of a list must have, by its type: read from the conditions of the schema. */
import type { Schema } from "../plan/schema.ts";

type Row = Record<string, unknown>;

/** Return the fields that *row* must have: those of all, and those that its type asks for. */
export function requiredOf(items: Schema, row: Row): string[] {
  const asked = (items.allOf ?? [])
    .filter((part) => Object.entries(part.if?.properties ?? {}).every(([name, each]) => row[name] === each.const))
    .flatMap((part) => part.then?.required ?? []);
  return [...(items.required ?? []), ...asked];
}

/** Return a new row of *type*, by default the first; what *was* has under the same names is kept. */
export function startOf(items: Schema, others: readonly Row[], type?: string, was: Row = {}): Row {
  const properties = items.properties ?? {};
  const row: Row = "type" in properties ? { type: type ?? properties.type?.enum?.[0] } : {};
  for (const name of requiredOf(items, row)) {
    if (name === "type") continue;
    const schema = properties[name];
    const first = schema?.enum?.[0] ?? (schema?.type === "boolean" ? false : "");
    row[name] = was[name] ?? (name === "id" ? nextOf(others) : first);
  }
  return row;
}

function nextOf(others: readonly Row[]): string {
  const numbers = others.map((row) => Number(String(row.id).slice(1))).filter(Number.isFinite);
  return `R${Math.max(0, ...numbers) + 1}`;
}
