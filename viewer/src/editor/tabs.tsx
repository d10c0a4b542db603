/** A row of tabs over a panel; arrow keys walk along it. */
import type { KeyboardEvent } from "react";

export function Tabs({ names, open, choose }: { names: readonly string[]; open: string; choose: (name: string) => void }) {
  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const next = names[(names.indexOf(open) + by + names.length) % names.length];
    if (!next) return;
    choose(next);
    event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[names.indexOf(next)]?.focus();
  };
  return (
    <div className="tabs" role="tablist" onKeyDown={walk}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === open}
          tabIndex={name === open ? 0 : -1}
          onClick={() => choose(name)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
