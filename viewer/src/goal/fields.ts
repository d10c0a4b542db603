/** The facts that callers correct: how each is written, typed into a form, and sent. */
import type { FactsGiven, ShownFacts } from "../api/facts.ts";

/** A fact of which there is one, and a fact of which there are several. */
export type Single = "kind" | "total" | "deadline" | "start";
export type Several = "people" | "places" | "bans";
export type Field = Single | Several;

export type Values = Record<string, string>;

/** One line of what was understood: how it reads, the words of the goal, and what a form begins with. */
export interface Line {
  text: string;
  quote: string;
  note: string;
  /** Why it should be looked at; empty where it is clear. */
  unsure: string;
  values: Values;
}

interface Box {
  name: string;
  label: string;
  type: "text" | "number" | "date" | "choice";
  required?: boolean;
  choices?: readonly (readonly [value: string, title: string])[];
}

interface FieldSpec {
  title: string;
  /** What one of them is called on buttons. */
  one: string;
  several: boolean;
  boxes: readonly Box[];
  read: (values: Values) => Typed;
}

/** What was typed into a form: the value that is sent, or a sentence that says what does not fit. */
export interface Typed {
  value?: unknown;
  wrong?: string;
}

const BAN_KINDS = [
  ["approach", "An approach that must not be taken"],
  ["word", "A word that must not be printed"],
] as const;

const DAY: readonly Box[] = [
  { name: "earliest", label: "Day", type: "date", required: true },
  { name: "latest", label: "Last day, if it is a period", type: "date" },
];

export const FIELDS: Record<Field, FieldSpec> = {
  kind: {
    title: "Undertaking",
    one: "undertaking",
    several: false,
    boxes: [{ name: "kind", label: "What is undertaken, in a few words", type: "text", required: true }],
    read: ({ kind }) => ({ value: kind }),
  },
  total: {
    title: "Total budget",
    one: "total budget",
    several: false,
    boxes: [
      { name: "low", label: "Amount", type: "number", required: true },
      { name: "high", label: "Up to, if it is a range", type: "number" },
      { name: "currency", label: "Currency (EUR, USD, …)", type: "text", required: true },
    ],
    read: readTotal,
  },
  deadline: { title: "Deadline", one: "deadline", several: false, boxes: DAY, read: readDay },
  start: { title: "Start", one: "start", several: false, boxes: DAY, read: readDay },
  people: {
    title: "People",
    one: "people",
    several: true,
    boxes: [
      { name: "count", label: "How many", type: "number", required: true },
      { name: "who", label: "Who", type: "text", required: true },
    ],
    read: ({ count, who }) => (isWhole(count) ? { value: { count: Number(count), who } } : { wrong: "How many must be a whole number from 1." }),
  },
  places: {
    title: "Places",
    one: "place",
    several: true,
    boxes: [{ name: "name", label: "Place", type: "text", required: true }],
    read: ({ name }) => ({ value: { name } }),
  },
  bans: {
    title: "Ruled out",
    one: "ban",
    several: true,
    boxes: [
      { name: "what", label: "What is ruled out", type: "text", required: true },
      { name: "kind", label: "Kind", type: "choice", choices: BAN_KINDS },
    ],
    read: ({ what, kind }) => ({ value: { what, kind: kind || "approach" } }),
  },
};

export const ALL_FIELDS = Object.keys(FIELDS) as Field[];

export function isField(name: string): name is Field {
  return name in FIELDS;
}

/** Return the lines of *field*: as *given* corrects it, or as it was read. */
export function linesOf(field: Field, facts: ShownFacts, given: FactsGiven): Line[] {
  if (given[field] === undefined) return readLines(field, facts);
  const said = given[field];
  const items = said === null || said === "" ? [] : Array.isArray(said) ? said : [said];
  return items.map((item) => line(field, asValues(field, item), ""));
}

/** Return the corrections after line *at* of *field* became *item*; undefined removes it, a line too many adds it. */
export function corrected(given: FactsGiven, field: Field, lines: readonly Line[], at: number, item: unknown): FactsGiven {
  if (!FIELDS[field].several) return { ...given, [field]: item ?? null };
  const items: unknown[] = lines.map((each) => FIELDS[field].read(each.values).value);
  items.splice(at, 1, ...(item === undefined ? [] : [item]));
  return { ...given, [field]: items };
}

/** Return the corrections without those of *field*: it is again as it was read. */
export function asRead(given: FactsGiven, field: Field): FactsGiven {
  const { [field]: _, ...rest } = given;
  return rest;
}

export function hasCorrections(given: FactsGiven): boolean {
  return ALL_FIELDS.some((field) => given[field] !== undefined);
}

function readLines(field: Field, facts: ShownFacts): Line[] {
  switch (field) {
    case "kind":
      return facts.kind ? [line("kind", { kind: facts.kind }, "")] : [];
    case "total":
      return facts.total ? [line("total", asValues("total", facts.total), facts.total.quote, "", facts.total.assumed ? "The currency is assumed from its sign." : "")] : [];
    case "deadline":
    case "start": {
      const day = facts[field];
      return day ? [line(field, asValues(field, day), day.quote, "", day.ambiguous ? "It can be read in two ways: choose one." : "")] : [];
    }
    case "people":
      return facts.people.map((each) => line("people", asValues("people", each), each.quote, PARTS[each.part] ?? ""));
    case "places":
      return facts.places.map((each) => line("places", { name: each.name }, each.quote));
    case "bans":
      return facts.bans.map((each) => line("bans", asValues("bans", each), each.quote));
  }
}

const PARTS: Record<string, string> = { works: "· does the work", decides: "· decides", served: "· is served" };

function line(field: Field, values: Values, quote: string, note = "", unsure = ""): Line {
  return { text: inWords(field, values, unsure ? "or" : "to"), quote, note, unsure, values };
}

function inWords(field: Field, values: Values, joint: string): string {
  const { low = "", high, currency, earliest = "", latest, count, who, what, kind, name } = values;
  if (field === "total") return `${currency} ${number(low)}${high ? ` to ${number(high)}` : ""}`;
  if (field === "deadline" || field === "start")
    return latest ? `${dayInWords(earliest)} ${joint} ${dayInWords(latest)}` : dayInWords(earliest);
  if (field === "people") return Number(count) > 1 ? `${number(count ?? "")} × ${who}` : (who ?? "");
  if (field === "bans") return kind === "word" ? `the word “${what}”` : (what ?? "");
  return (field === "kind" ? kind : name) ?? "";
}

function asValues(field: Field, item: unknown): Values {
  if (typeof item === "string") return field === "kind" ? { kind: item } : field === "places" ? { name: item } : { earliest: item };
  const { low, high, earliest, latest, ...rest } = item as Record<string, unknown>;
  const values: Values = Object.fromEntries(FIELDS[field].boxes.filter(({ name }) => rest[name] !== undefined).map(({ name }) => [name, String(rest[name])]));
  if (low !== undefined) Object.assign(values, { low: String(low), high: high && high !== low ? String(high) : "" });
  if (earliest !== undefined) Object.assign(values, { earliest: String(earliest), latest: latest && latest !== earliest ? String(latest) : "" });
  return values;
}

function readTotal({ low = "", high = "", currency = "" }: Values): Typed {
  const code = currency.trim().toUpperCase();
  if (!/^[A-Z]{3}$/.test(code)) return { wrong: "The currency is a code of three letters, such as EUR." };
  if (high && Number(high) < Number(low)) return { wrong: "The end of the range is below its start." };
  return { value: { low: Number(low), high: Number(high || low), currency: code } };
}

function readDay({ earliest = "", latest = "" }: Values): Typed {
  if (latest && latest < earliest) return { wrong: "The last day is before the first." };
  return { value: { earliest, latest: latest || earliest } };
}

function isWhole(text: string | undefined): boolean {
  return /^[1-9]\d*$/.test(text ?? "");
}

function number(text: string): string {
  return Number(text).toLocaleString("en");
}

const DAY_FORMAT = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** Return an ISO date in words: 1 May 2027. */
export function dayInWords(iso: string): string {
  const day = new Date(`${iso}T00:00:00Z`);
  return Number.isNaN(day.valueOf()) ? iso : DAY_FORMAT.format(day);
}
