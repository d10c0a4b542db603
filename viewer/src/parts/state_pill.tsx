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
};

const WORDS: Record<string, string> = { processing: "drafting", todo: "to do" };

export function tone(state: string): Tone {
  return TONES[state] ?? "idle";
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
