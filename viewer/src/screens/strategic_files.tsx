/** The files of a strategic plan, each shown as what it is: text, table or data; never as a page of its own. */
import { useState } from "react";
import { type ArtifactEntry, listArtifacts, readText } from "../api/artifacts.ts";
import { useSession } from "../api_context.ts";
import { Icon } from "../parts/icon.tsx";
import { saveFile } from "../parts/save_file.ts";
import { bytes } from "../parts/times.ts";
import { Empty, Trouble, Waiting } from "../parts/trouble.tsx";
import { parseCsv } from "../parts/csv.ts";
import { useLoaded } from "../use_loaded.ts";

export function Files({ planId, count, start }: { planId: string; count: number; start: string }) {
  const { api } = useSession();
  const files = useLoaded((signal) => listArtifacts(api, planId, signal), `${planId}/${count}`);
  const [chosen, setChosen] = useState<string | null>(null);
  const [words, setWords] = useState("");
  if (files.error && !files.data) return <Trouble error={files.error} again={files.reload} />;
  if (!files.data) return <Waiting />;
  if (files.data.length === 0) return <Empty title="No files yet">They appear as the stages finish.</Empty>;
  const first = files.data.find((file) => start && file.path.startsWith(start) && file.path.endsWith(".md"));
  const open = files.data.find((file) => file.path === chosen) ?? first ?? files.data.find((file) => file.path.endsWith(".md"));
  const shown = files.data.filter((file) => file.path.toLowerCase().includes(words.toLowerCase()));
  return (
    <div className="files">
      <div className="form">
        <input type="search" placeholder="Filter files" aria-label="Filter files" value={words} onChange={(event) => setWords(event.target.value)} />
        <ul className="file-list">
          {shown.map((file) => (
            <li key={file.path}>
              <button type="button" aria-current={file === open} onClick={() => setChosen(file.path)}>
                <span>{file.path}</span>
                <small>{file.edited ? "edited" : bytes(file.size)}</small>
              </button>
            </li>
          ))}
        </ul>
      </div>
      {open && <FileView key={`${open.path}${open.sha256}`} planId={planId} file={open} />}
    </div>
  );
}

function FileView({ planId, file }: { planId: string; file: ArtifactEntry }) {
  const { api } = useSession();
  const found = useLoaded((signal) => readText(api, planId, file, signal), file.sha256);
  return (
    <section className="file-view" aria-label={file.path}>
      <header>
        <code>{file.path}</code>
        <span className="muted">{bytes(file.size)}</span>
        {found.data && !found.data.cut && (
          <button
            type="button"
            className="button small"
            onClick={() => saveFile(file.path, new Blob([found.data?.text ?? ""], { type: "application/octet-stream" }))}
          >
            <Icon name="download" size={14} />
            Save
          </button>
        )}
      </header>
      {found.error && <Trouble error={found.error} again={found.reload} />}
      {!found.data && found.loading && <Waiting rows={2} />}
      {found.data?.cut && <p className="notice held">Only the beginning is shown; the zip holds all of it.</p>}
      {found.data && <Content path={file.path} text={found.data.text} />}
    </section>
  );
}

function Content({ path, text }: { path: string; text: string }) {
  if (path.endsWith(".csv")) {
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
  // a region that scrolls must be reachable by keyboard
  return (
    <pre tabIndex={0}>{path.endsWith(".json") ? pretty(text) : text}</pre>
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
