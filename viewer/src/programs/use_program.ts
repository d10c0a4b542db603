/** One program from the text to its result: a dry run before anything that changes, polls while it runs. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { ApiError, isAbort, pause } from "../api/client.ts";
import { type Outcome, type Plan, ProgramSession } from "../api/programs.ts";
import { useSession } from "../api_context.ts";

/** Milliseconds between two polls of an operation. */
const POLL_MS = 3_000;

export type Shown =
  | { kind: "nothing" }
  | { kind: "busy" }
  | { kind: "review"; program: string; plan: Plan }
  | { kind: "outcome"; outcome: Outcome }
  | { kind: "trouble"; error: ApiError };

export function useProgram() {
  const { api } = useSession();
  const session = useMemo(() => new ProgramSession(api), [api]);
  const [shown, setShown] = useState<Shown>({ kind: "nothing" });
  const going = useRef<AbortController | null>(null);

  const begin = useCallback(
    async (work: (signal: AbortSignal) => Promise<Shown>) => {
      going.current?.abort();
      const mine = new AbortController();
      going.current = mine;
      const show = (next: Shown) => !mine.signal.aborted && setShown(next);
      show({ kind: "busy" });
      try {
        let next = await work(mine.signal);
        show(next);
        while (next.kind === "outcome" && next.outcome.operation) {
          await pause(POLL_MS, mine.signal);
          next = { kind: "outcome", outcome: await session.run(`wait(${next.outcome.handle})`) };
          show(next);
        }
      } catch (error) {
        if (isAbort(error)) return;
        if (!(error instanceof ApiError)) throw error;
        show({ kind: "trouble", error });
      }
    },
    [session],
  );

  const run = useCallback(
    (program: string) =>
      begin(async () => {
        try {
          return { kind: "outcome", outcome: await session.run(program) };
        } catch (error) {
          if (!(error instanceof ApiError && error.code === "plan_requires_review")) throw error;
          return { kind: "review", program, plan: await session.plan(program) };
        }
      }),
    [begin, session],
  );
  const accept = useCallback(
    (program: string, plan: Plan) =>
      begin(async () => ({ kind: "outcome", outcome: await session.run(program, plan.plan_commit_ref) })),
    [begin, session],
  );
  const clear = useCallback(() => {
    going.current?.abort();
    setShown({ kind: "nothing" });
  }, []);
  useEffect(() => () => going.current?.abort(), []);
  return { shown, run, accept, clear };
}
