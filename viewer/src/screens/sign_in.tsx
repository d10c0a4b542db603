/** Sign in with an API key; it is tried before it is kept. */
import { type FormEvent, useState } from "react";
import { type ApiError, Client } from "../api/client.ts";
import { listPlans } from "../api/plans.ts";
import { Logo } from "../parts/logo.tsx";
import { asApiError } from "../use_loaded.ts";

export function SignIn({ onSignedIn }: { onSignedIn: (key: string) => void }) {
  const [key, setKey] = useState("");
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const wanted = key.trim();
    setBusy(true);
    setError(null);
    try {
      await listPlans(new Client(wanted), null);
      onSignedIn(wanted);
    } catch (found) {
      setError(asApiError(found));
      setBusy(false);
    }
  }

  return (
    <main className="sign-in">
      <form className="card" onSubmit={submit} aria-labelledby="sign-in-title">
        <Logo />
        <h1 id="sign-in-title">Sign in to planloom</h1>
        <p className="muted">Your plans open with your API key. It stays in this tab and is forgotten when you close it.</p>
        <label className="field">
          <span>API key</span>
          <input
            type="password"
            name="key"
            autoComplete="off"
            spellCheck={false}
            placeholder="pex_…"
            required
            autoFocus
            value={key}
            onChange={(event) => setKey(event.target.value)}
            aria-invalid={error !== null}
            aria-describedby={error ? "sign-in-error" : undefined}
          />
        </label>
        {error && (
          <p id="sign-in-error" className="notice bad" role="alert">
            {advice(error)}
          </p>
        )}
        <button type="submit" className="button primary wide" disabled={busy || !key.trim()}>
          {busy ? "Checking the key…" : "Sign in"}
        </button>
        <p className="hint">
          <code>planloom up</code> prints your key; for a service in AWS, <code>planloom keys create</code> makes one.
        </p>
      </form>
    </main>
  );
}

function advice(error: ApiError): string {
  if (error.status === 401 || error.status === 403)
    return "This key is not valid or was revoked. Check that you copied all of it, or make a new one.";
  return error.message;
}
