/** A list that comes page by page. */
import { useEffect, useEffectEvent, useState } from "react";
import { type ApiError, isAbort } from "./api/client.ts";
import type { Page } from "./pages.ts";
import { asApiError } from "./use_loaded.ts";

export interface Pages<T> {
  items: T[];
  loading: boolean;
  error: ApiError | undefined;
  /** Load the next page; null where there is none. */
  more: (() => void) | null;
  reload: () => void;
  /** Put what *change* makes of the pages in their place. */
  replace: (change: (was: Page<T>) => Page<T>) => void;
}

/** What is asked for: a list by its name, the page after *before*, for the *turn*-th time. */
interface Question {
  what: string;
  before: string | null;
  turn: number;
}

interface State<T> {
  answered: Question | null;
  items: T[];
  next: string | null;
  error?: ApiError;
}

/** Load by *load*, from the first page again whenever *what* changes; what was there stays until then. */
export function usePages<T>(
  load: (before: string | null, signal: AbortSignal) => Promise<Page<T>>,
  what: string,
): Pages<T> {
  const [asked, setAsked] = useState<Question>({ what, before: null, turn: 0 });
  const [state, setState] = useState<State<T>>({ answered: null, items: [], next: null });
  const loadNow = useEffectEvent(load);
  const before = asked.what === what ? asked.before : null;
  const { turn } = asked;
  useEffect(() => {
    const ended = new AbortController();
    const answered = { what, before, turn };
    loadNow(before, ended.signal).then(
      (page) =>
        !ended.signal.aborted &&
        setState((was) => ({ answered, items: before ? [...was.items, ...page.items] : page.items, next: page.next })),
      (error: unknown) => {
        if (ended.signal.aborted || isAbort(error)) return;
        setState((was) => ({ ...was, answered, error: asApiError(error) }));
      },
    );
    return () => ended.abort();
  }, [what, before, turn]);
  const { answered, next } = state;
  const loading = answered?.what !== what || answered.before !== before || answered.turn !== turn;
  return {
    items: state.items,
    loading,
    error: loading ? undefined : state.error,
    more: next && !loading ? () => setAsked({ what, before: next, turn: turn + 1 }) : null,
    reload: () => setAsked({ what, before: null, turn: turn + 1 }),
    replace: (change) => setState((was) => ({ answered: was.answered, ...change(was) })),
  };
}
