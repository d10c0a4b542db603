/** The files of a strategic plan, each shown as what it is: a document, a table, data, text; never as a page of its own. */
import { memo, useState } from "react";
import { type ArtifactEntry, listArtifacts, readText } from "../api/artifacts.ts";
import { useSession } from "../api_context.ts";
import { Icon } from "../parts/icon.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { readMarkdown } from "../parts/read_markdown.ts";
import { saveFile } from "../parts/save_file.ts";
import { bytes } from "../parts/times.ts";
import { Empty, Trouble, Waiting } from "../parts/trouble.tsx";
import { useLoaded } from "../use_loaded.ts";
import { FileContent } from "./file_content.tsx";

export function Files({ planId, count, start }: { planId: string; count: number; start: string }) {
  const { api } = useSession();
  const files = useLoaded((signal) => listArtifacts(api, planId, signal), `${planId}/${count}`);
  const [chosen, setChosen] = useState<string | null>(null);
  const [words, setWords] = useState("");
  const [asText, setAsText] = useState(false);
  if (files.error && !files.data) return <Trouble error={files.error} again={files.reload} />;
  if (!files.data) return <Waiting />;
  if (files.data.length === 0) return <Empty title="No files yet">They appear as the steps finish.</Empty>;
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
      {open && <FileView key={`${open.path}${open.sha256}`} planId={planId} file={open} asText={asText} setAsText={setAsText} />}
    </div>
  );
}

interface FileViewProps {
  planId: string;
  file: ArtifactEntry;
  asText: boolean;
  setAsText: (asText: boolean) => void;
}

function FileView({ planId, file, asText, setAsText }: FileViewProps) {
  const { api } = useSession();
  const found = useLoaded(async (signal) => {
    const shown = await readText(api, planId, file, signal);
    return { ...shown, tokens: file.path.endsWith(".md") ? await readMarkdown(shown.text, signal) : null };
  }, file.sha256);
  const tokens = found.data?.tokens;
  return (
    <section className="file-view" aria-label={file.path}>
      <header>
        <code>{file.path}</code>
        <span className="muted">{bytes(file.size)}</span>
        {tokens && (
          <button type="button" className="button small" aria-pressed={asText} onClick={() => setAsText(!asText)}>
            As text
          </button>
        )}
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
      {tokens && !asText && <Document tokens={tokens} />}
      {found.data && (asText || !tokens) && <FileContent path={file.path} text={found.data.text} />}
    </section>
  );
}

// a plan that is being drafted is looked at often, and a file has thousands of elements
const Document = memo(Markdown);
