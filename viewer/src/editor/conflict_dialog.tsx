/** The dialog of a conflict: shows the changes of both users, and lets one choose. */
import { useState } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { ago } from "../parts/times.ts";
import { type Change, differences, merge, type Side } from "../plan/merge.ts";
import { BeforeAfter } from "./before_after.tsx";
import type { Conflict, Editor } from "./use_editor.ts";

export function ConflictDialog({ editor, conflict }: { editor: Editor; conflict: Conflict }) {
  const { theirs, meeting } = conflict;
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map());
  const both = meeting.conflicts;
  const open = both.filter((path) => !choices.has(path));
  const theirsAlone = meeting.theirs.filter((change) => !both.includes(change.path));
  const mineAlone = meeting.mine.filter((change) => !both.includes(change.path));
  return (
    <Dialog title="Somebody else saved first" close={editor.dismiss}>
      <p className="muted">
        Revision {theirs.revision} was saved {ago(theirs.meta.revisedAt)} by {theirs.meta.author}. Nothing is lost: below is
        what each of you changed since revision {editor.revision}.
      </p>
      {both.length > 0 && (
        <section className="conflicts">
          <h3>Both of you changed</h3>
          {both.map((path) => (
            <Both
              key={path}
              mine={meeting.mine.find((change) => change.path === path)}
              theirs={meeting.theirs.find((change) => change.path === path)}
              chosen={choices.get(path)}
              choose={(side) => setChoices(new Map(choices).set(path, side))}
            />
          ))}
        </section>
      )}
      <Alone title="They changed" changes={theirsAlone} />
      <Alone title="You changed" changes={mineAlone} />
      <div className="dialog-foot">
        <button type="button" className="button ghost" onClick={editor.dismiss}>
          Continue editing
        </button>
        <button type="button" className="button" onClick={() => void editor.settle()}>
          Drop my changes
        </button>
        <button
          type="button"
          className="button primary"
          disabled={open.length > 0 || editor.saving}
          onClick={() => void editor.settle(merge(theirs.plan, meeting, choices))}
        >
          {open.length > 0 ? `Choose ${open.length} more` : "Save both together"}
        </button>
      </div>
    </Dialog>
  );
}

function Both(props: { mine?: Change; theirs?: Change; chosen?: Side; choose: (side: Side) => void }) {
  const { mine, theirs, chosen, choose } = props;
  const name = mine?.path ?? "";
  return (
    <fieldset className="group">
      <legend>{mine?.title}</legend>
      <div className="sides">
        {(["mine", "theirs"] as const).map((side) => (
          <div key={side} className={chosen === side ? "side chosen" : "side"}>
            <label className="check">
              <input type="radio" name={name} checked={chosen === side} onChange={() => choose(side)} />
              <span>{side === "mine" ? "Keep mine" : "Take theirs"}</span>
            </label>
            <Fields change={side === "mine" ? mine : theirs} />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

function Fields({ change }: { change?: Change }) {
  if (!change) return null;
  if (change.after === undefined) return <p className="muted">deleted</p>;
  return differences(change.before, change.after).map((each) => (
    <div key={each.name}>
      <span className="hint">{each.name}</span>
      <BeforeAfter before={each.before} after={each.after} />
    </div>
  ));
}

function Alone({ title, changes }: { title: string; changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
    <details>
      <summary>
        {title} <span className="muted">{changes.map((change) => change.title).join(", ")}</span>
      </summary>
      {changes.map((change) => (
        <div key={change.path} className="changes">
          <strong>{change.title}</strong>
          <Fields change={change} />
        </div>
      ))}
    </details>
  );
}
