/** A window over the page, with the browser's own focus and Escape. */
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Icon } from "./icon.tsx";

export function Dialog({ title, close, children }: { title: string; close: () => void; children: ReactNode }) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={box} aria-labelledby={id} onCancel={close}>
      <div className="dialog-body">
        <div className="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" className="button ghost square small" onClick={close} aria-label="Close">
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
