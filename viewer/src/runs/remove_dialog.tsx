/** Asks before something is removed. */
import { useState } from "react";
import type { ApiError } from "../api/client.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { asApiError } from "../use_loaded.ts";

interface Props {
  what: string;
  /** What it means. */
  effect: string;
  remove: () => Promise<unknown>;
  removed: () => void;
  close: () => void;
}

export function RemoveDialog({ what, effect, remove, removed, close }: Props) {
  const [trouble, setTrouble] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const act = () => {
    setBusy(true);
    setTrouble(null);
    remove()
      .then(removed, (error: unknown) => setTrouble(asApiError(error)))
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title={`Remove ${what}?`} close={close}>
      <p>{effect}</p>
      {trouble && <Trouble error={trouble} />}
      <div className="dialog-foot">
        <button type="button" className="button" onClick={close}>
          Cancel
        </button>
        <button type="button" className="button danger" disabled={busy} onClick={act}>
          Remove
        </button>
      </div>
    </Dialog>
  );
}
