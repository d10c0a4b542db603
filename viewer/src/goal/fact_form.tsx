/** A short form for one fact: typed by hand, checked before it is taken. */
import { type FormEvent, useState } from "react";
import { type Field, FIELDS, type Values } from "./fields.ts";

interface FactFormProps {
  field: Field;
  start: Values;
  take: (item: unknown) => void;
  cancel?: () => void;
}

export function FactForm({ field, start, take, cancel }: FactFormProps) {
  const spec = FIELDS[field];
  const [values, setValues] = useState(start);
  const [wrong, setWrong] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = spec.read(Object.fromEntries(Object.entries(values).map(([name, text]) => [name, text.trim()])));
    setWrong(typed.wrong ?? "");
    if (!typed.wrong) take(typed.value);
  };
  return (
    <form className="fact-form" onSubmit={submit}>
      <div className="in-row">
        {spec.boxes.map(({ name, label, type, required, choices }, index) => {
          const common = { value: values[name] ?? "", required, autoFocus: index === 0 && cancel !== undefined };
          const change = (text: string) => setValues((was) => ({ ...was, [name]: text }));
          return (
            <label className="field" key={name}>
              <span>{label}</span>
              {type === "choice" ? (
                <select {...common} onChange={(event) => change(event.target.value)}>
                  {choices?.map(([value, title]) => (
                    <option key={value} value={value}>
                      {title}
                    </option>
                  ))}
                </select>
              ) : (
                <input {...common} type={type} {...(type === "number" && { min: 0, step: "any" })} onChange={(event) => change(event.target.value)} />
              )}
            </label>
          );
        })}
      </div>
      {wrong && (
        <p className="field-error" role="alert">
          {wrong}
        </p>
      )}
      <div className="chips">
        <button type="submit" className="button small primary">
          Apply
        </button>
        {cancel && (
          <button type="button" className="button small" onClick={cancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  );
}
