/** Loads an example of a goal; what was written before can be brought back. */
import { useState } from "react";
import { examplePrompts } from "../api/plans.ts";
import { useSession } from "../api_context.ts";
import { useLoaded } from "../use_loaded.ts";

export function ExampleChoice({ goal, load }: { goal: string; load: (goal: string) => void }) {
  const { api } = useSession();
  const examples = useLoaded((signal) => examplePrompts(api, signal), "examples");
  const [before, setBefore] = useState("");
  if (!examples.data) return null;
  const choose = (id: string) => {
    const found = examples.data?.samples.find((sample) => sample.id === id);
    if (!found) return;
    setBefore(examples.data?.samples.some((sample) => sample.prompt === goal) ? "" : goal);
    load(found.prompt);
  };
  return (
    <div className="example-choice">
      <select aria-label="Start with an example" value="" onChange={(event) => choose(event.target.value)}>
        <option value="">Start with an example…</option>
        {examples.data.samples.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
      {before.trim() && (
        <button type="button" className="button" onClick={() => (load(before), setBefore(""))}>
          Bring your own text back
        </button>
      )}
    </div>
  );
}
