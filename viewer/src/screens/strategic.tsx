/** Stub to be replaced below. */
export function StrategicScreen({ planId, tab }: { planId: string; tab: string }) {
  return (
    <main id="main">
      {planId}
      {tab}
    </main>
  );
}
