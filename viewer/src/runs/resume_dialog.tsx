/** Resume a run after a call whose outcome is not known. */
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import { type OnUnknown, resumeRun, type Run } from "../api/graphs.ts";
import { useSession } from "../api_context.ts";
import { Dialog } from "../parts/dialog.tsx";
import { valueOf } from "../parts/json_text.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { asApiError } from "../use_loaded.ts";

const CHOICES: Record<OnUnknown, string> = {
  retry: "The call was not made: make it again",
  skip: "Skip the step, and what needs only it",
  value: "The call was made: take this as its result",
};

export function ResumeDialog({ run, close, resumed }: { run: Run; close: () => void; resumed: () => void }) {
  const { api } = useSession();
  const [choice, setChoice] = useState<OnUnknown | null>(null);
  const [text, setText] = useState("");
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const resume = () => {
    if (!choice) return;
    const unknown = choice === "value" ? { on_unknown: choice, value: valueOf(text) } : { on_unknown: choice };
    resumeRun(api, run.run_id, unknown).then(resumed, (error: unknown) => setTrouble(asApiError(error)));
  };
  const steps = run.failure?.steps ?? [];
  return (
    <Dialog title="Was the call made?" close={close}>
      <p>
        {steps.length > 0 ? `The outcome of step ${steps.join(", ")} is unknown.` : "The outcome of a step is unknown."} Find out whether the call was made, then
        choose.
      </p>
      <div className="form" role="radiogroup" aria-label="What to do">
        {(Object.keys(CHOICES) as OnUnknown[]).map((each) => (
          <label key={each} className="check">
            <input type="radio" name="on_unknown" checked={choice === each} onChange={() => setChoice(each)} />
            {CHOICES[each]}
          </label>
        ))}
        {choice === "value" && (
          <textarea className="code" aria-label="Result" rows={4} value={text} onChange={(event) => setText(event.target.value)} />
        )}
      </div>
      {trouble && <Trouble error={trouble} />}
      <div className="dialog-foot">
        <button type="button" className="button primary" disabled={!choice} onClick={resume}>
          Resume
        </button>
      </div>
    </Dialog>
  );
}
