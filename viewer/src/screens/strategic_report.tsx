/** The report of a strategic plan: shown in a frame that shares nothing with this page, neither key nor address. */
import { useEffect, useRef, useState } from "react";
import { readReport, showsHere } from "../api/artifacts.ts";
import { planFile } from "../api/plans.ts";
import { useSession } from "../api_context.ts";
import { Icon } from "../parts/icon.tsx";
import { Empty, Trouble, Waiting } from "../parts/trouble.tsx";
import { asApiError, useLoaded } from "../use_loaded.ts";
import type { ApiError } from "../api/client.ts";

export function Report({ planId }: { planId: string }) {
  const { api } = useSession();
  const found = useLoaded((signal) => readReport(api, planId, signal), `${planId}/report`);
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const open = () => {
    planFile(api, planId, "report").then(
      (file) => file && window.open(file.download_url, "_blank", "noopener"),
      (error: unknown) => setTrouble(asApiError(error)),
    );
  };
  if (found.error && !found.data) return <Trouble error={found.error} again={found.reload} />;
  if (!found.data) return <Waiting />;
  return (
    <section className="report" aria-label="Report">
      {trouble && <Trouble error={trouble} />}
      <p className="chips">
        <button type="button" className="button" onClick={open}>
          <Icon name="open" />
          Open it in its own tab
        </button>
      </p>
      {showsHere(found.data) ? (
        <Frame html={found.data} />
      ) : (
        <Empty title="This report is of another version">
          <p>What this page lets run is the style and the script of its own version. In its own tab the report is as it was.</p>
        </Empty>
      )}
    </section>
  );
}

function Frame({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([html], { type: "text/html" }));
    if (frame.current) frame.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [html]);
  // scripts, but not this origin: what runs in it can reach neither the key nor the API
  return <iframe ref={frame} className="report-frame" title="Report of the plan" sandbox="allow-scripts allow-modals" />;
}
