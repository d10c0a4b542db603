/** The toolbar of the editor: title, filters and actions. */
import { type Grouping, GROUPINGS } from "../graph/flow.ts";
import { Icon } from "../parts/icon.tsx";
import { Menu } from "../parts/menu.tsx";
import { word } from "../parts/state_pill.tsx";
import { KINDS, STATUSES } from "../plan/document.ts";
import { addStep, forgetLayout } from "../plan/edits.ts";
import { paths } from "../route.ts";
import { exportsOf } from "./exports.ts";
import type { Filter } from "./filter.ts";
import type { Editor } from "./use_editor.ts";

export interface ToolbarProps {
  editor: Editor;
  planId: string;
  selected: string | null;
  filter: Filter;
  setFilter: (filter: Filter) => void;
  grouping: Grouping;
  setGrouping: (grouping: Grouping) => void;
  view: "graph" | "list";
  setView: (view: "graph" | "list") => void;
  select: (id: string | null) => void;
  /** Open the panel about the whole plan on a tab. */
  about: (tab: string) => void;
  say: (text: string) => void;
}

export function Toolbar(props: ToolbarProps) {
  const { editor, about, say } = props;
  const { plan } = editor;
  return (
    <div className="toolbar">
      <div className="toolbar-line">
        <a className="button ghost square" href={paths.implementationList} aria-label="All implementation plans">
          <Icon name="back" />
        </a>
        <h1 title={plan.title}>{plan.title}</h1>
        <Saved editor={editor} show={() => about("Checks")} />
        <span className="push" />
        <button type="button" className="button" onClick={() => about("Goal")} aria-label="About this plan">
          <Icon name="info" />
          <span className="wide-only">About</span>
        </button>
        <Menu title="Export" icon="download" entries={exportsOf(plan, props.grouping, say)} />
        <button
          type="button"
          className="button primary"
          disabled={!editor.changed || editor.saving}
          onClick={() => void editor.save().then((saved) => saved && say("Saved"))}
        >
          {editor.saving ? "Saving…" : "Save"}
        </button>
      </div>
      <Tools {...props} />
    </div>
  );
}

function Saved({ editor, show }: { editor: Editor; show: () => void }) {
  const wrong = editor.findings.length;
  return (
    <span className="hint saved">
      {wrong > 0 && (
        <button type="button" className="pill bad" onClick={show} title="Show what is wrong">
          {wrong} {wrong === 1 ? "problem" : "problems"}
        </button>
      )}
      <span role="status">{editor.changed ? "Not saved" : `Revision ${editor.revision}`}</span>
    </span>
  );
}

function Tools(props: ToolbarProps) {
  const { editor, filter, setFilter, grouping, setGrouping, view, setView, select, selected } = props;
  const add = () => {
    const kind = editor.plan.steps.find((step) => step.id === selected)?.kind ?? "implementation";
    const [, id] = addStep(editor.plan, kind, selected ?? undefined);
    editor.edit((was) => addStep(was, kind, selected ?? undefined)[0]);
    select(id);
  };
  return (
    <div className="toolbar-line tools" role="toolbar" aria-label="View and edit">
      <span className="button-group">
        <button type="button" className="button" aria-pressed={view === "graph"} onClick={() => setView("graph")}>
          <Icon name="graph" /> Graph
        </button>
        <button type="button" className="button" aria-pressed={view === "list"} onClick={() => setView("list")}>
          <Icon name="list" /> List
        </button>
      </span>
      <input
        type="search"
        data-search
        placeholder="Search steps"
        aria-label="Search steps"
        value={filter.words}
        onChange={(event) => setFilter({ ...filter, words: event.target.value })}
      />
      <select aria-label="Status" value={filter.status} onChange={(event) => setFilter({ ...filter, status: event.target.value })}>
        <option value="">Any status</option>
        {STATUSES.map((each) => (
          <option key={each} value={each}>
            {word(each)}
          </option>
        ))}
      </select>
      <select aria-label="Kind" value={filter.kind} onChange={(event) => setFilter({ ...filter, kind: event.target.value })}>
        <option value="">Any kind</option>
        {KINDS.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <select aria-label="Group by" value={grouping} onChange={(event) => setGrouping(event.target.value as Grouping)}>
        {GROUPINGS.map((each) => (
          <option key={each} value={each}>
            {each === "none" ? "no groups" : `by ${each}`}
          </option>
        ))}
      </select>
      <span className="push" />
      <button type="button" className="button" onClick={() => editor.edit(forgetLayout)} title="Arrange all cards automatically" aria-label="Auto-layout">
        <Icon name="layout" />
        <span className="wide-only">Auto-layout</span>
      </button>
      <span className="button-group">
        <button type="button" className="button square" onClick={editor.undo} disabled={!editor.canUndo} aria-label="Undo" title="Undo (Ctrl+Z)">
          <Icon name="undo" />
        </button>
        <button type="button" className="button square" onClick={editor.redo} disabled={!editor.canRedo} aria-label="Redo" title="Redo (Ctrl+Shift+Z)">
          <Icon name="redo" />
        </button>
      </span>
      <button type="button" className="button" onClick={add}>
        <Icon name="plus" />
        Add step
      </button>
    </div>
  );
}
