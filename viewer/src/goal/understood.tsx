/** What was understood of a goal, fact by fact with the words of the goal; each can be corrected, removed and added. */
import { useState } from "react";
import type { FactsGiven, ShownFacts } from "../api/facts.ts";
import { Icon } from "../parts/icon.tsx";
import { FactForm } from "./fact_form.tsx";
import { ALL_FIELDS, asRead, corrected, type Field, FIELDS, type Line, linesOf } from "./fields.ts";

interface UnderstoodProps {
  facts: ShownFacts;
  given: FactsGiven;
  /** Takes the corrections after one was made; without it the facts are only shown. */
  give?: (given: FactsGiven) => void;
}

export function Understood({ facts, given, give }: UnderstoodProps) {
  const [open, setOpen] = useState<{ field: Field; at: number } | null>(null);
  return (
    <dl className="understood">
      {ALL_FIELDS.map((field) => (
        <Fact
          key={field}
          field={field}
          facts={facts}
          given={given}
          {...(give && {
            give: (next: FactsGiven) => {
              setOpen(null);
              give(next);
            },
          })}
          open={open?.field === field ? open.at : null}
          setOpen={(at) => setOpen(at === null ? null : { field, at })}
        />
      ))}
    </dl>
  );
}

interface FactProps extends UnderstoodProps {
  field: Field;
  open: number | null;
  setOpen: (at: number | null) => void;
}

function Fact({ field, facts, given, give, open, setOpen }: FactProps) {
  const { title, one, several } = FIELDS[field];
  const lines = linesOf(field, facts, given);
  const changed = given[field] !== undefined;
  const form = (at: number, values: Line["values"]) =>
    give && <FactForm field={field} start={values} take={(item) => give(corrected(given, field, lines, at, item))} cancel={() => setOpen(null)} />;
  return (
    <div>
      <dt>
        {title}
        {changed && give && (
          <button type="button" className="link" onClick={() => give(asRead(given, field))}>
            Corrected; undo<span className="visually-hidden"> the correction of {one}</span>
          </button>
        )}
      </dt>
      {lines.length === 0 && open === null && <dd className="muted">{changed ? "None, by your correction." : "None found in the goal."}</dd>}
      {lines.map((line, at) => (
        <dd key={`${at}${line.text}`}>
          {open === at ? (
            form(at, line.values)
          ) : (
            <ShownLine line={line} {...(give && { edit: () => setOpen(at), remove: () => give(corrected(given, field, lines, at, undefined)) })} />
          )}
        </dd>
      ))}
      {give && (several || lines.length === 0) && (
        <dd>
          {open === lines.length ? (
            form(lines.length, {})
          ) : (
            <button type="button" className="button small ghost add" onClick={() => setOpen(lines.length)}>
              <Icon name="plus" size={14} />
              Add {one}
            </button>
          )}
        </dd>
      )}
    </div>
  );
}

function ShownLine({ line, edit, remove }: { line: Line; edit?: () => void; remove?: () => void }) {
  return (
    <div className="fact">
      <div className="fact-text">
        <span dir="auto">{line.text}</span>
        {line.unsure && <small className="fact-unsure">{line.unsure}</small>}
        <small className="muted" dir="auto">
          {line.quote && line.quote !== line.text && <q>{shortened(line.quote)}</q>}
          {line.note && ` ${line.note}`}
        </small>
      </div>
      {edit && (
        <button type="button" className="button ghost square small" onClick={edit} aria-label={`Correct ${line.text}`} title="Correct">
          <Icon name="edit" size={14} />
        </button>
      )}
      {remove && (
        <button type="button" className="button ghost square small" onClick={remove} aria-label={`Remove ${line.text}`} title="Remove">
          <Icon name="trash" size={14} />
        </button>
      )}
    </div>
  );
}

const MOST_QUOTED = 160;

export function shortened(text: string): string {
  return text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED).trimEnd()}…` : text;
}
