/** In place of a screen whose code did not arrive. */
export function NotLoaded() {
  return (
    <main id="main" className="page" tabIndex={-1}>
      <div className="notice bad" role="alert">
        <div>
          <strong>The screen could not be loaded.</strong>
          <p>Check that you are online. If the service was updated since you opened the page, reload it.</p>
        </div>
        <button type="button" className="button" onClick={() => window.location.reload()}>
          Reload
        </button>
      </div>
    </main>
  );
}
