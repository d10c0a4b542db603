/** The files of a strategic plan over HTTP. */
import type { Client } from "./client.ts";
import type { components } from "./schema.gen.ts";

export type ArtifactEntry = components["schemas"]["ArtifactEntry"];
type ArtifactList = components["schemas"]["ArtifactList"];

/** Bytes of a file that are shown; what is longer is cut, and says so. */
export const MOST_SHOWN = 400_000;

export interface ShownText {
  text: string;
  cut: boolean;
}

export async function listArtifacts(api: Client, planId: string, signal?: AbortSignal): Promise<ArtifactEntry[]> {
  const found: ArtifactEntry[] = [];
  let after: string | null = "";
  while (after !== null) {
    const page: ArtifactList = await api.json(`plans/${encodeURIComponent(planId)}/artifacts`, { query: { after }, signal });
    found.push(...page.artifacts);
    after = page.next_after;
  }
  return found;
}

/** Return what the plan is called; undefined as long as no stage has named it. */
export async function planTitle(api: Client, planId: string, signal?: AbortSignal): Promise<string | undefined> {
  const path = `plans/${encodeURIComponent(planId)}/artifacts`;
  const found: ArtifactList = await api.json(path, { query: { prefix: "001-" }, signal });
  const file = found.artifacts.find((each) => each.path.endsWith(".md"));
  return file && /^# +(.+)$/m.exec((await readText(api, planId, file, signal)).text)?.[1];
}

/** Return the beginning of a file as text. */
export async function readText(api: Client, planId: string, file: ArtifactEntry, signal?: AbortSignal): Promise<ShownText> {
  if (file.size === 0) return { text: "", cut: false };
  const cut = file.size > MOST_SHOWN;
  const headers: Record<string, string> = cut ? { Range: `bytes=0-${MOST_SHOWN - 1}` } : {};
  const path = `plans/${encodeURIComponent(planId)}/artifacts/${encodeURIComponent(file.path)}`;
  return { text: await (await api.raw(path, { headers, signal })).text(), cut };
}
