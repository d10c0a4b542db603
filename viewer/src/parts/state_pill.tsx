/** The state of a plan, a stage or a step, in one word and one colour. */
export type Tone = "idle" | "busy" | "good" | "bad" | "held";

const TONES: Record<string, Tone> = {
  pending: "idle",
  waiting: "idle",
  todo: "idle",
  skipped: "idle",
  archived: "idle",
  processing: "busy",
  running: "busy",
  doing: "busy",
  completed: "good",
  finished: "good",
  done: "good",
  failed: "bad",
  stopped: "held",
  blocked: "held",
  unknown: "held",
  aborted: "held",
  "awaiting-human": "held",
  "needs-approval": "held",
  ready: "busy",
  partial: "good",
  accepted: "good",
  rejected: "bad",
  approved: "good",
  expired: "held",
  changes_requested: "held",
};

const SIGNS: Record<Tone, string> = { idle: "○", busy: "◉", good: "●", bad: "✗", held: "◍" };

const WORDS: Record<string, string> = {
  processing: "drafting",
  todo: "to do",
  "awaiting-human": "waits for a person",
  "needs-approval": "needs approval",
  changes_requested: "changes requested",
};

export function tone(state: string): Tone {
  return TONES[state] ?? "idle";
}

/** Return a sign for *state* that needs no colour. */
export function signOf(state: string): string {
  return state === "skipped" ? "⊘" : SIGNS[tone(state)];
}

export function word(state: string): string {
  return WORDS[state] ?? state;
}

export function StatePill({ state }: { state: string }) {
  return (
    <span className={`pill ${tone(state)}`}>
      <span className="dot" aria-hidden="true" />
      {word(state)}
    </span>
  );
}
