/** JSON Schema, as much of it as the contract uses: read a document against it, without compiling code of it. */

export interface Schema {
  type?: string | string[];
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minimum?: number;
  maximum?: number;
  allOf?: Schema[];
  if?: Schema;
  then?: Schema;
  $ref?: string;
  $defs?: Record<string, Schema>;
}

export interface Finding {
  /** JSON Pointer into the document. */
  path: string;
  message: string;
}

/** Return all that is wrong in *value* by *schema*. *root* resolves its references. */
export function check(value: unknown, schema: Schema, root: Schema = schema, path = ""): Finding[] {
  const at = resolve(schema, root);
  if (at.type && !typesOf(at).some((type) => isA(value, type)))
    return [{ path, message: `must be ${typesOf(at).join(" or ")}` }];
  const found: Finding[] = [];
  if (at.const !== undefined && value !== at.const) found.push({ path, message: `must be ${JSON.stringify(at.const)}` });
  if (at.enum && !at.enum.includes(value)) found.push({ path, message: `must be one of: ${at.enum.join(", ")}` });
  if (typeof value === "string") found.push(...ofText(value, at, path));
  if (typeof value === "number") found.push(...ofNumber(value, at, path));
  if (Array.isArray(value)) found.push(...ofList(value, at, root, path));
  else if (isA(value, "object")) found.push(...ofObject(value as Record<string, unknown>, at, root, path));
  for (const part of at.allOf ?? []) found.push(...check(value, part, root, path));
  if (at.if && at.then && check(value, at.if, root, path).length === 0) found.push(...check(value, at.then, root, path));
  return found;
}

/** Follow the reference of *schema*, where it is one. */
export function resolve(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.match(/^#\/\$defs\/(.+)$/)?.[1];
  return (name && root.$defs?.[name]) || schema;
}

/** Return one part of a path as a JSON Pointer writes it. */
export function pointed(part: string | number): string {
  return String(part).replaceAll("~", "~0").replaceAll("/", "~1");
}

function typesOf(schema: Schema): string[] {
  return Array.isArray(schema.type) ? schema.type : [schema.type ?? ""];
}

function isA(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function ofText(value: string, at: Schema, path: string): Finding[] {
  // the contract counts characters, not the units of this language's strings
  const length = [...value].length;
  if (at.minLength !== undefined && length < at.minLength)
    return [{ path, message: length ? `needs at least ${at.minLength} characters` : "must not be empty" }];
  if (at.maxLength !== undefined && length > at.maxLength)
    return [{ path, message: `has ${length} characters; at most ${at.maxLength} fit` }];
  if (at.pattern && !new RegExp(at.pattern, "u").test(value)) return [{ path, message: `must look like ${at.pattern}` }];
  return [];
}

function ofNumber(value: number, at: Schema, path: string): Finding[] {
  if (at.minimum !== undefined && value < at.minimum) return [{ path, message: `must be at least ${at.minimum}` }];
  if (at.maximum !== undefined && value > at.maximum) return [{ path, message: `must be at most ${at.maximum}` }];
  return [];
}

function ofList(value: unknown[], at: Schema, root: Schema, path: string): Finding[] {
  const found: Finding[] = [];
  if (at.minItems !== undefined && value.length < at.minItems)
    found.push({ path, message: `needs at least ${at.minItems}` });
  if (at.maxItems !== undefined && value.length > at.maxItems)
    found.push({ path, message: `takes at most ${at.maxItems}` });
  if (at.uniqueItems && new Set(value.map((each) => JSON.stringify(each))).size < value.length)
    found.push({ path, message: "names something twice" });
  if (at.items) for (const [index, each] of value.entries()) found.push(...check(each, at.items, root, `${path}/${index}`));
  return found;
}

function ofObject(value: Record<string, unknown>, at: Schema, root: Schema, path: string): Finding[] {
  const found: Finding[] = [];
  for (const name of at.required ?? [])
    if (!Object.hasOwn(value, name)) found.push({ path: `${path}/${pointed(name)}`, message: "is required" });
  for (const [name, each] of Object.entries(value)) {
    const known = at.properties && Object.hasOwn(at.properties, name) ? at.properties[name] : undefined;
    if (known) found.push(...check(each, known, root, `${path}/${pointed(name)}`));
    else if (at.additionalProperties === false)
      found.push({ path: `${path}/${pointed(name)}`, message: "is not a field of this" });
  }
  return found;
}
