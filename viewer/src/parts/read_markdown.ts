/**
 * What there is in a Markdown text: headings, tables, links and so on. It is read beside the page, in a worker: a few
 * kilobytes can be written such that reading them takes minutes, and a worker can be ended.
 */
import type { Token } from "marked";

/** Milliseconds, the start of the worker included; what a stage writes takes some ten. */
const LONGEST = 5_000;

/** Characters; a longer text can be tens of thousands of elements, at which the browser hangs. */
const MOST = 100_000;

export type Tokens = Token[];

/** Return the tokens of *text*; null where it is too long or they take too long: then it is shown as it is. */
export function readMarkdown(text: string, signal?: AbortSignal, begin: () => Worker = beginLexer): Promise<Tokens | null> {
  if (text.length > MOST) return Promise.resolve(null);
  const worker = begin();
  return new Promise((resolve) => {
    const end = (tokens: Tokens | null) => {
      clearTimeout(timer);
      worker.terminate();
      resolve(tokens);
    };
    const timer = setTimeout(() => end(null), LONGEST);
    worker.onmessage = (answer: MessageEvent<Tokens | null>) => end(answer.data);
    // the service has a newer viewer than this page, and the worker's file is gone
    worker.onerror = () => end(null);
    signal?.addEventListener("abort", () => end(null));
    worker.postMessage(text);
  });
}

function beginLexer(): Worker {
  return new Worker(new URL("./markdown_lexer.ts", import.meta.url), { type: "module" });
}
