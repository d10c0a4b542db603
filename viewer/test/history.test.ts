import { expect, test } from "vitest";
import { editStep } from "../src/plan/edits.ts";
import { edited, isChanged, opened } from "../src/plan/history.ts";
import { meet, merge } from "../src/plan/merge.ts";
import { small } from "./sample.ts";

const rename = (title: string) => (was: typeof small) => ({ ...was, title });

test("what was done is undone and done again", () => {
  const renamed = edited(opened(small), { do: "edit", change: rename("Other") });
  const undone = edited(renamed, { do: "undo" });

  expect(isChanged(renamed)).toBe(true);
  expect(undone.now).toBe(small);
  expect(isChanged(undone)).toBe(false);
  expect(edited(undone, { do: "redo" }).now.title).toBe("Other");
});

test("typing into one field without a pause is undone as one", () => {
  let history = opened(small);
  for (const [at, title] of ["O", "Ot", "Oth"].entries())
    history = edited(history, { do: "edit", change: rename(title), field: "plan/title", at: at * 100 });
  history = edited(history, { do: "edit", change: rename("Other"), field: "plan/title", at: 9000 });

  expect(edited(history, { do: "undo" }).now.title).toBe("Oth");
  expect(edited(edited(history, { do: "undo" }), { do: "undo" }).now).toBe(small);
});

test("a change that changes nothing leaves no trace, and a new one ends what could be done again", () => {
  const renamed = edited(opened(small), { do: "edit", change: rename("Other") });

  expect(edited(renamed, { do: "edit", change: (was) => was })).toBe(renamed);
  const anew = edited(edited(renamed, { do: "undo" }), { do: "edit", change: rename("Third") });
  expect(edited(anew, { do: "redo" })).toBe(anew);
});

test("what is typed while it is being saved stays, and is not saved yet", () => {
  const sent = edited(opened(small), { do: "edit", change: rename("Sent") });
  const typed = edited(sent, { do: "edit", change: rename("Typed meanwhile") });
  const saved = edited(typed, { do: "saved", plan: sent.now });

  expect([saved.now.title, isChanged(saved)]).toEqual(["Typed meanwhile", true]);
  expect(isChanged(edited(sent, { do: "saved", plan: sent.now }))).toBe(false);
});

test("what others saved comes in under one's own edits, and undoing those does not undo it", () => {
  const mine = edited(opened(small), { do: "edit", change: rename("Mine") });
  const theirs = editStep(small, "S2", { title: "Theirs" });
  const bring = (own: typeof small) => merge(theirs, meet(small, own, theirs), new Map());
  const rebased = edited(mine, { do: "rebase", saved: theirs, change: bring });
  const undone = edited(rebased, { do: "undo" });

  expect([rebased.now.title, rebased.now.steps[1]?.title, isChanged(rebased)]).toEqual(["Mine", "Theirs", true]);
  expect([undone.now.title, undone.now.steps[1]?.title]).toEqual([small.title, "Theirs"]);
  expect(isChanged(edited(opened(small), { do: "rebase", saved: theirs, change: bring }))).toBe(false);
});
