/** Keep what is understood of a goal up to date while it is written: by rules alone, by a model where that was asked for. */
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { type Ask, type Detail, type FactsGiven, type ModelProfile, type PlanFacts, readGoal } from "../api/facts.ts";
import { type ApiError, isAbort } from "../api/client.ts";
import { useSession } from "../api_context.ts";
import { asApiError } from "../use_loaded.ts";
import type { Draft } from "./draft.ts";
import { FEWEST_WORDS, wordsOf } from "./parts.ts";

/** How long somebody has stopped typing before the goal is read (milliseconds). */
const PAUSE = 600;

export interface Reading {
  /** The last answer; of an earlier text where `current` is false. */
  answer: PlanFacts | undefined;
  current: boolean;
  /** True: what the chosen profile's own model read of exactly this goal; a plan may use it. */
  byProfile: boolean;
  busy: boolean;
  error: ApiError | undefined;
  again: () => void;
  /** Have the chosen profile read the goal as it is now. */
  readByProfile: () => void;
}

interface State {
  key: string;
  answer?: PlanFacts;
  byProfile: boolean;
  error?: ApiError;
  ended: boolean;
}

/** Read *draft*'s goal; *byRules*: its profile has no language model, so that each reading is the profile's own. */
export function useReading({ goal, profile, given, detail }: Draft, byRules: boolean): Reading {
  const { api } = useSession();
  const [state, setState] = useState<State>({ key: "", byProfile: false, ended: true });
  const [asked, setAsked] = useState("");
  const [turn, setTurn] = useState(0);
  const last = useRef("");
  const subject = JSON.stringify([goal, profile]);
  const byProfile = byRules || asked === subject;
  const enough = wordsOf(goal) >= FEWEST_WORDS;
  const key = enough ? JSON.stringify([subject, given, detail, byProfile, turn]) : "";
  const ask = useEffectEvent(() => askOf(goal, profile, given, detail, !byProfile));
  // wait for the end of typing; a correction, a profile and a button take effect at once
  const wait = useEffectEvent(() => (last.current === goal ? 0 : PAUSE));
  const mark = useEffectEvent(() => {
    last.current = goal;
  });
  useEffect(() => {
    if (!key) return;
    // whatever was asked before is stale from here on: its answer is dropped
    const ended = new AbortController();
    const show = (answer: PlanFacts) => setState({ key, answer, byProfile, ended: answer.state !== "reading" });
    const timer = setTimeout(() => {
      mark();
      readGoal(api, ask(), show, ended.signal).catch((error: unknown) => {
        if (ended.signal.aborted || isAbort(error)) return;
        setState((was) => ({ ...was, key, byProfile: false, error: asApiError(error), ended: true }));
      });
    }, wait());
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [api, key, byProfile]);
  const current = state.key === key;
  return {
    answer: enough ? state.answer : undefined,
    current,
    byProfile: current && state.byProfile && state.answer?.state === "ready",
    busy: enough && !(current && state.ended),
    error: current ? state.error : undefined,
    again: useCallback(() => setTurn((was) => was + 1), []),
    readByProfile: () => {
      setAsked(subject);
      // again where it failed before
      setTurn((was) => was + 1);
    },
  };
}

function askOf(goal: string, profile: ModelProfile, given: FactsGiven, detail: Detail, rulesOnly: boolean): Ask {
  return {
    prompt: goal,
    model_profile: profile,
    detail,
    rules_only: rulesOnly,
    facts: Object.keys(given).length > 0 ? given : null,
  };
}
