/** Where the reader is: kept behind the # of the address, since the page may have any path. */
import { useSyncExternalStore } from "react";

/** Parameters of a path such as `plans/:planId/:tab`, by name. */
export type Params<Path extends string> = Path extends `${infer Head}/${infer Rest}`
  ? Params<Head> & Params<Rest>
  : Path extends `:${infer Name}`
    ? { [key in Name]: string }
    : unknown;

/** Return the parameters of *hash* (`#/plans/7f1c`) where it fits *path* (`plans/:planId`), else null. */
export function match(path: string, hash: string): Record<string, string> | null {
  const found = hash.replace(/^#\/?/, "").replace(/\/$/, "").split("/");
  const parts = path.split("/");
  if (parts.length !== found.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const value = decode(found[index] ?? "");
    if (part.startsWith(":") && value) params[part.slice(1)] = value;
    else if (part !== value) return null;
  }
  return params;
}

function to(...parts: string[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}

export const paths = {
  strategicList: "#/plans",
  strategicNew: "#/plans/new",
  implementationList: "#/implementation",
  graphList: "#/graphs",
  scheduleList: "#/graphs/schedules",
  runList: "#/runs",
  workflowList: "#/workflows",
  approvalList: "#/approvals",
  strategic: (planId: string, tab?: string) => to("plans", planId, ...(tab ? [tab] : [])),
  implementation: (planId: string) => to("implementation", planId),
  graph: (planId: string) => to("graphs", planId),
  run: (runId: string) => to("runs", runId),
  workflow: (runId: string) => to("workflows", runId),
};

export function go(path: string): void {
  window.location.hash = path;
}

/** Return the part of the address behind and with its #. */
export function useHash(): string {
  return useSyncExternalStore(listen, () => window.location.hash);
}

/** What asks before a screen with unsaved work is left, and the address of that screen. */
let held: { ask: (goOn: () => void) => void; hash: string } | null = null;

/** Have *ask* decide whether this screen is left; it is given the function that continues. Call what this returns to let go. */
export function holdScreen(ask: (goOn: () => void) => void): () => void {
  held = { ask, hash: window.location.hash };
  return () => {
    held = null;
  };
}

/** Do *act*, which ends the screen, once nothing holds it any more. */
export function leaveScreen(act: () => void): void {
  if (held) held.ask(act);
  else act();
}

function listen(changed: () => void): () => void {
  const moved = () => {
    const { hash } = window.location;
    if (!held || hash === held.hash) return changed();
    // back to where we were, without a word to anybody, until it is decided
    window.history.pushState(null, "", held.hash);
    held.ask(() => {
      held = null;
      go(hash);
    });
  };
  window.addEventListener("hashchange", moved);
  return () => window.removeEventListener("hashchange", moved);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
