/** The command bar (Ctrl-K): one line that asks questions and gives orders over everything that the account has. */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { storedPrograms, storeProgram } from "./history.ts";
import { OutcomeView, PlanView, ProgramTrouble } from "./outcome_view.tsx";
import { useProgram } from "./use_program.ts";

const EXAMPLE = "Run.filter{state = failed and created_at >= now-7d}[id, title, failure].limit(10)";

export function CommandBar() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      // another dialog is for something else
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
  return (
    <>
      <button
        type="button"
        className="button ghost"
        onClick={() => setOpen(true)}
        title="Run a program (Ctrl K)"
        aria-label="Run a program (Ctrl K)"
        aria-keyshortcuts="Control+K"
      >
        <Icon name="search" />
      </button>
      {open && <ProgramDialog close={() => setOpen(false)} />}
    </>
  );
}

function ProgramDialog({ close }: { close: () => void }) {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  // the window gave the focus to its first button
  useEffect(() => box.current?.focus(), []);
  const { shown, run, accept, clear } = useProgram();
  const [text, setText] = useState("");
  const [history, setHistory] = useState(storedPrograms);
  const [place, setPlace] = useState<number | null>(null);
  const start = (program: string) => {
    const asked = program.trim();
    if (!asked) return;
    setHistory(storeProgram(asked));
    setText(asked);
    setPlace(null);
    void run(asked);
  };
  const answered = (work: () => void) => {
    work();
    // the button that had the focus goes away
    box.current?.focus();
  };
  const look = (step: -1 | 1) => {
    const next = (place ?? history.length) + step;
    if (next < 0 || next > history.length) return false;
    setPlace(next === history.length ? null : next);
    setText(history[next] ?? "");
    return true;
  };
  const pressed = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const at = event.currentTarget;
    const alone = !text.includes("\n") || (event.key === "ArrowUp" ? at.selectionStart === 0 : at.selectionEnd === text.length);
    const handled =
      (event.key === "Enter" && !event.shiftKey && (start(text), true)) ||
      (event.key === "ArrowUp" && alone && look(-1)) ||
      (event.key === "ArrowDown" && alone && look(1));
    if (handled) event.preventDefault();
  };
  return (
    <Dialog title="Run a program" close={close}>
      <div className="field">
        <label className="field-name" htmlFor={id}>
          Program
        </label>
        <textarea
          id={id}
          className="program"
          rows={Math.min(8, Math.max(2, text.split("\n").length))}
          value={text}
          placeholder={EXAMPLE}
          spellCheck={false}
          autoCapitalize="off"
          ref={box}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={pressed}
        />
        <span className="hint">Enter runs it, Shift-Enter starts a new line, arrows up and down go through what you ran before.</span>
      </div>
      <div className="program-result">
        {shown.kind === "busy" && (
          <p className="hint" role="status">
            Running…
          </p>
        )}
        {shown.kind === "trouble" && <ProgramTrouble error={shown.error} />}
        {shown.kind === "review" && <PlanView plan={shown.plan} />}
        {shown.kind === "outcome" && <OutcomeView outcome={shown.outcome} run={start} />}
        {shown.kind === "nothing" && history.length > 0 && <History programs={history} choose={setText} />}
      </div>
      <div className="dialog-foot">
        {shown.kind === "review" ? (
          <>
            <button type="button" className="button" onClick={() => answered(clear)}>
              Do not run it
            </button>
            <button type="button" className="button primary" onClick={() => answered(() => void accept(shown.program, shown.plan))}>
              Run it
            </button>
          </>
        ) : (
          <button type="button" className="button primary" onClick={() => start(text)} disabled={!text.trim() || shown.kind === "busy"}>
            Run
          </button>
        )}
      </div>
    </Dialog>
  );
}

function History({ programs, choose }: { programs: string[]; choose: (program: string) => void }) {
  return (
    <section aria-label="Programs that you ran">
      <span className="hint">You ran</span>
      <ul className="program-history">
        {programs
          .slice(-8)
          .reverse()
          .map((each) => (
            <li key={each}>
              <button type="button" className="link" onClick={() => choose(each)}>
                <code>{each}</code>
              </button>
            </li>
          ))}
      </ul>
    </section>
  );
}
