/** A button that opens a short list of things to do. */
import { useEffect, useRef, useState } from "react";
import { Icon, type IconName } from "./icon.tsx";

export interface Entry {
  title: string;
  act: () => void;
}

export function Menu({ title, icon, entries }: { title: string; icon: IconName; entries: readonly Entry[] }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const end = (event: Event) => {
      const outside = event instanceof KeyboardEvent ? event.key === "Escape" : !box.current?.contains(event.target as Node);
      if (!outside) return;
      setOpen(false);
      if (event instanceof KeyboardEvent) box.current?.querySelector("button")?.focus();
    };
    document.addEventListener("pointerdown", end);
    document.addEventListener("keydown", end);
    return () => {
      document.removeEventListener("pointerdown", end);
      document.removeEventListener("keydown", end);
    };
  }, [open]);
  return (
    <div className="menu" ref={box}>
      <Opener open={open} toggle={() => setOpen(!open)} icon={icon} title={title} />
      {open && (
        <ul className="menu-list">
          {entries.map((entry) => (
            <li key={entry.title}>
              <button
                type="button"
                onClick={() => {
                  setOpen(false);
                  entry.act();
                }}
              >
                {entry.title}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Opener(props: { open: boolean; toggle: () => void; icon: IconName; title: string }) {
  return (
    <button type="button" className="button" aria-label={props.title} aria-expanded={props.open} onClick={props.toggle}>
      <Icon name={props.icon} />
      <span className="wide-only">{props.title}</span>
    </button>
  );
}
