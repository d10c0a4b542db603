/** What a screen shows while it waits, where something went wrong, and where there is nothing. */
import type { ReactNode } from "react";
import type { ApiError } from "../api/client.ts";
import { useSession } from "../api_context.ts";
import { paths } from "../route.ts";
import { screenOf } from "../screens/index.tsx";

export function Waiting({ rows = 4 }: { rows?: number }) {
  return (
    <div className="waiting" role="status">
      <span className="visually-hidden">Loading…</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="bone" />
      ))}
    </div>
  );
}

export function Trouble({ error, again }: { error: ApiError; again?: () => void }) {
  const { signOut } = useSession();
  return (
    <div className="notice bad" role="alert">
      <div>
        <strong>{error.refusesKey ? "Your API key is no longer accepted." : title(error)}</strong>
        <p>{error.message}</p>
      </div>
      {error.refusesKey ? (
        <button type="button" className="button" onClick={signOut}>
          Sign in again
        </button>
      ) : error.status === 404 ? (
        <a className="button" href={screenOf(window.location.hash)?.plane.home ?? paths.strategicList}>
          To the list
        </a>
      ) : (
        again && (
          <button type="button" className="button" onClick={again}>
            Try again
          </button>
        )
      )}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

function title(error: ApiError): string {
  if (error.status === 0) return "The service cannot be reached.";
  if (error.status === 404) return "It was not found.";
  if (error.status === 403) return "You may not do this.";
  return "The request failed.";
}
