/** A list of objects as cards: targets, actions, verifications, risks. Which fields a card shows follows from its type. */
import { Icon } from "../parts/icon.tsx";
import type { Schema } from "../plan/schema.ts";
import { requiredOf, startOf } from "./item_shape.ts";
import { type FieldProps, titleOf, ValueField, withField } from "./value_field.tsx";

type Row = Record<string, unknown>;

export function ItemRows({ title, items, root, value, path, findings, change }: FieldProps & { items: Schema }) {
  const rows = Array.isArray(value) ? (value as Row[]) : [];
  const single = titleOf(title).replace(/s$/, "").toLowerCase();
  const replace = (index: number, row: Row) => change(rows.map((each, place) => (place === index ? row : each)));
  return (
    <fieldset className="group">
      <legend>{title}</legend>
      {rows.map((row, index) => (
        <div className="item" key={`${path}/${index}`}>
          <Fields
            row={row}
            items={items}
            root={root}
            path={`${path}/${index}`}
            findings={findings}
            replace={(next) => replace(index, next)}
          />
          <button
            type="button"
            className="button ghost small square"
            aria-label={`Remove ${single} ${index + 1}`}
            onClick={() => change(rows.toSpliced(index, 1))}
          >
            <Icon name="trash" />
          </button>
        </div>
      ))}
      <button type="button" className="button small" onClick={() => change([...rows, startOf(items, rows)])}>
        <Icon name="plus" size={14} />
        Add {single}
      </button>
    </fieldset>
  );
}

function Fields(props: {
  row: Row;
  items: Schema;
  root: Schema;
  path: string;
  findings: FieldProps["findings"];
  replace: (row: Row) => void;
}) {
  const { row, items, root, path, findings, replace } = props;
  const required = requiredOf(items, row);
  const properties = Object.entries(items.properties ?? {});
  const shown = properties.filter(([name]) => required.includes(name) || name in row);
  const more = properties.filter(([name]) => !shown.some(([each]) => each === name));
  return (
    <div className="item-fields">
      {shown.map(([name, schema]) => (
        <ValueField
          key={name}
          name={name}
          title={titleOf(name)}
          schema={schema}
          root={root}
          value={row[name]}
          path={`${path}/${name}`}
          findings={findings}
          change={(next) =>
            replace(name === "type" ? startOf(items, [], String(next), row) : (withField(row, name, next, required.includes(name)) as Row))
          }
        />
      ))}
      {more.length > 0 && (
        <select
          className="more"
          aria-label="Add a field"
          value=""
          onChange={(event) => replace({ ...row, [event.target.value]: startValue(items.properties?.[event.target.value]) })}
        >
          <option value="">Add a field…</option>
          {more.map(([name]) => (
            <option key={name} value={name}>
              {titleOf(name)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

function startValue(schema: Schema | undefined): unknown {
  if (schema?.type === "boolean") return false;
  if (schema?.type === "array") return [];
  return schema?.enum?.[0] ?? (schema?.type === "integer" ? 1 : "");
}
