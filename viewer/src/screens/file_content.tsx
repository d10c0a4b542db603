/** What is in a file of a plan: a table, data, or text as it was written. */
import { parseCsv } from "../parts/csv.ts";

export function FileContent({ path, text }: { path: string; text: string }) {
  if (path.endsWith(".csv")) return <Sheet text={text} />;
  // a region that scrolls must be reachable by keyboard
  return <pre tabIndex={0}>{path.endsWith(".json") ? pretty(text) : text}</pre>;
}

function Sheet({ text }: { text: string }) {
  const [head = [], ...rows] = parseCsv(text);
  return (
    <div className="scroll">
      <table className="sheet">
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={`${cell}-${index}`}>{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={`${row[0]}-${index}`}>
              {row.map((cell, column) => (
                <td key={`${head[column]}-${column}`}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // cut in the middle, or no JSON after all
    return text;
  }
}
