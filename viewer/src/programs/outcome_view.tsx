/** What a program came to, or would do. */
import type { ApiError } from "../api/client.ts";
import { lineOf, type Outcome, type Plan, type Returned, textOf } from "../api/programs.ts";

export function PlanView({ plan }: { plan: Plan }) {
  return (
    <div className="notice held block" role="group" aria-label="What the program would do">
      <strong>{plan.changes.length > 0 ? "This program changes something" : "This program needs a look first"}</strong>
      <Lines title="Changes" lines={plan.changes} />
      <Lines title="Why" lines={plan.reasons} />
      <Lines title="Reads" lines={plan.reads} />
      <Lines title="Calls" lines={plan.calls} />
    </div>
  );
}

function Lines({ title, lines }: { title: string; lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <span className="hint">{title}</span>
      <ul>
        {lines.map((line, place) => (
          <li key={place}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

export function OutcomeView({ outcome, run }: { outcome: Outcome; run: (program: string) => void }) {
  const line = lineOf(outcome.run_markdown);
  const text = textOf(outcome);
  return (
    <>
      {line && (
        <p className="program-line" role="status">
          <code>{line}</code>
          {outcome.operation && (
            <button type="button" className="button small danger" onClick={() => run(`cancel(${outcome.handle})`)}>
              Cancel it
            </button>
          )}
        </p>
      )}
      {text && !outcome.operation && <p className="program-text">{text}</p>}
      {outcome.results.map((each, place) => (
        <Rows key={place} returned={each} run={run} />
      ))}
      {outcome.started.map((each) => (
        <p key={each.handle} className="program-line">
          <code>
            {each.entity} {each.id}
          </code>
          <button type="button" className="button small" onClick={() => run(`wait(${each.handle})`)}>
            Follow it
          </button>
        </p>
      ))}
    </>
  );
}

function Rows({ returned, run }: { returned: Returned; run: (program: string) => void }) {
  const rows = returned.rows.filter((row): row is Record<string, unknown> => typeof row === "object" && row !== null);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const more = returned.total - returned.rows.length;
  return (
    <section className="program-rows">
      {returned.name && <h3>{returned.name}</h3>}
      {rows.length === 0 ? (
        <p className="hint">No rows.</p>
      ) : (
        // what may scroll must be reachable by keyboard
        <div className="program-table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {names.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, place) => (
                <tr key={place}>
                  {names.map((name) => (
                    <td key={name}>{cell(row[name])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {returned.page && (
        <button type="button" className="button small" onClick={() => run(`page(${returned.page})`)}>
          {more > 0 ? `${more.toLocaleString("en")} more rows` : "More rows"}
        </button>
      )}
    </section>
  );
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function ProgramTrouble({ error }: { error: ApiError }) {
  return (
    <div className="notice bad" role="alert">
      <div>
        <p>{error.message}</p>
        <span className="hint">{error.code}</span>
      </div>
    </div>
  );
}
