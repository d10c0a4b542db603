/** Keys: undo, redo, save, search. */
import { useEffect, useEffectEvent } from "react";
import type { Editor } from "./use_editor.ts";

export function useShortcuts(editor: Editor, say: (text: string) => void): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const typing = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (command && key === "s") {
      event.preventDefault();
      if (editor.changed) void editor.save().then((saved) => saved && say("Saved"));
    } else if (command && key === "z" && !typing) {
      event.preventDefault();
      if (event.shiftKey) editor.redo();
      else editor.undo();
    } else if (command && key === "y" && !typing) {
      event.preventDefault();
      editor.redo();
    } else if (key === "/" && !typing && !command) {
      event.preventDefault();
      document.querySelector<HTMLElement>("[data-search]")?.focus();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => pressed(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}
