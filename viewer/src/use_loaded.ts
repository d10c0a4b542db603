/** Data that a screen asks for: loading, there, or refused; asked for again whenever `what` changes. */
import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { ApiError, isAbort } from "./api/client.ts";

export interface Loaded<T> {
  data: T | undefined;
  error: ApiError | undefined;
  loading: boolean;
  reload: () => void;
  replace: (data: T) => void;
}

interface State<T> {
  what: string;
  turn: number;
  data?: T;
  error?: ApiError;
}

/** Load by *load*. What was there before stays until the new is there, unless *what*, which names it, has changed. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, what: string): Loaded<T> {
  const [state, setState] = useState<State<T>>({ what, turn: -1 });
  const [turn, setTurn] = useState(0);
  const loadNow = useEffectEvent(load);
  useEffect(() => {
    const ended = new AbortController();
    loadNow(ended.signal).then(
      (data) => !ended.signal.aborted && setState({ what, turn, data }),
      (error: unknown) => {
        if (ended.signal.aborted || isAbort(error)) return;
        setState((was) => ({ what, turn, data: was.what === what ? was.data : undefined, error: asApiError(error) }));
      },
    );
    return () => ended.abort();
  }, [what, turn]);
  const reload = useCallback(() => setTurn((was) => was + 1), []);
  const replace = useCallback((data: T) => setState((was) => ({ ...was, data, error: undefined })), []);
  const current = state.what === what;
  return {
    data: current ? state.data : undefined,
    error: current ? state.error : undefined,
    loading: !current || state.turn !== turn,
    reload,
    replace,
  };
}

export function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, "UNFORESEEN", String(error));
}
