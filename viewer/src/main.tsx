/** Start the viewer on the page. */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@xyflow/react/dist/base.css";
import "./style/index.css";
import { App } from "./app.tsx";
import { applyTheme, storedTheme } from "./theme.ts";

applyTheme(storedTheme());
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
