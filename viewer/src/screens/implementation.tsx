/** Stub to be replaced below. */
export function ImplementationScreen({ planId }: { planId: string }) {
  return <main id="main">{planId}</main>;
}
