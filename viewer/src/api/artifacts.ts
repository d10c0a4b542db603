/** The files of a strategic plan over HTTP. */
import passed from "../../../build/report-hashes.json";
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

/** Return the report as it is: an HTML page of a megabyte at most. */
export async function readReport(api: Client, planId: string, signal?: AbortSignal): Promise<string> {
  return (await api.raw(`plans/${encodeURIComponent(planId)}/artifacts/030-report.html`, { signal })).text();
}

/** Say whether the page's policy lets the style and the script of *report* through: those of one of *pairs*, as its own policy names them. */
export function showsHere(report: string, pairs: readonly (readonly string[])[] = passed): boolean {
  const head = report.slice(0, 2_000);
  return pairs.some((hashes) => hashes.every((hash) => head.includes(hash)));
}
