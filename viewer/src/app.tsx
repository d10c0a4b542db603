/** The viewer: who is signed in, and which screen is open. */
import { useCallback, useMemo, useState } from "react";
import { Client } from "./api/client.ts";
import { ApiContext } from "./api_context.ts";
import { forgetDraft } from "./goal/draft.ts";
import { TopBar } from "./parts/top_bar.tsx";
import { leaveScreen, paths, useRoute } from "./route.ts";
import { ImplementationScreen } from "./screens/implementation.tsx";
import { ImplementationListScreen } from "./screens/implementation_list.tsx";
import { NewStrategicScreen } from "./screens/new_strategic.tsx";
import { OpenScreen } from "./screens/open.tsx";
import { SignIn } from "./screens/sign_in.tsx";
import { StrategicListScreen } from "./screens/strategic_list.tsx";
import { StrategicScreen } from "./screens/strategic.tsx";
import { forgetKey, storeKey, storedKey } from "./session.ts";

export function App() {
  const [key, setKey] = useState(storedKey);
  const signOut = useCallback(
    () =>
      leaveScreen(() => {
        forgetKey();
        forgetDraft();
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
  const route = useRoute();
  switch (route.screen) {
    case "strategic-list":
      return <StrategicListScreen />;
    case "strategic-new":
      return <NewStrategicScreen />;
    case "implementation-list":
      return <ImplementationListScreen />;
    case "strategic":
      return <StrategicScreen key={route.planId} planId={route.planId} tab={route.tab} />;
    case "implementation":
      return <ImplementationScreen key={route.planId} planId={route.planId} />;
    case "open":
      return <OpenScreen key={route.planId} planId={route.planId} />;
    case "unknown":
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
  }
}

function skipToMain(event: React.MouseEvent): void {
  // the part behind # is the route, so that the link cannot lead there by itself
  event.preventDefault();
  document.getElementById("main")?.focus();
}
