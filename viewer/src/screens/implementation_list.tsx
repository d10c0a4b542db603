/** Stub to be replaced below. */
export function ImplementationListScreen() {
  return <main id="main" />;
}
