/** The viewer: who is signed in, and which screen is open. */
import { Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { Client } from "./api/client.ts";
import { ApiContext } from "./api_context.ts";
import { forgetDraft } from "./goal/draft.ts";
import { TopBar } from "./parts/top_bar.tsx";
import { Waiting } from "./parts/trouble.tsx";
import { forgetPrograms } from "./programs/history.ts";
import { leaveScreen, paths, useHash } from "./route.ts";
import { screenOf } from "./screens/index.tsx";
import { SignIn } from "./screens/sign_in.tsx";
import { forgetKey, storeKey, storedKey } from "./session.ts";

export function App() {
  const [key, setKey] = useState(storedKey);
  const signOut = useCallback(
    () =>
      leaveScreen(() => {
        forgetKey();
        forgetDraft();
        forgetPrograms();
        setKey(null);
      }),
    [],
  );
  const signIn = useCallback((accepted: string) => {
    storeKey(accepted);
    setKey(accepted);
  }, []);
  const session = useMemo(() => key && { api: new Client(key), signOut }, [key, signOut]);
  if (!session) return <SignIn onSignedIn={signIn} />;
  return (
    <ApiContext value={session}>
      <a className="skip" href="#main" onClick={skipToMain}>
        Skip to content
      </a>
      <TopBar />
      <Screen />
    </ApiContext>
  );
}

function Screen() {
  const found = screenOf(useHash());
  const title = found?.screen.title;
  useEffect(() => {
    document.title = title ? `${title} · planloom` : "planloom";
  }, [title]);
  if (!found)
    return (
      <main id="main" className="page" tabIndex={-1}>
        <div className="empty">
          <h1>There is nothing here</h1>
          <p>The address names no screen of the viewer.</p>
          <a className="button primary" href={paths.strategicList}>
            Go to your plans
          </a>
        </div>
      </main>
    );
  const { component: Component } = found.screen;
  // another plan is another screen, another tab of the same plan is not
  const [id = ""] = Object.values(found.params);
  return (
    <Suspense fallback={<Loading />}>
      <Component key={id} {...found.params} />
    </Suspense>
  );
}

function Loading() {
  return (
    <main id="main" className="page" tabIndex={-1}>
      <Waiting />
    </main>
  );
}

function skipToMain(event: React.MouseEvent): void {
  // the part behind # is the route, so that the link cannot lead there by itself
  event.preventDefault();
  document.getElementById("main")?.focus();
}
