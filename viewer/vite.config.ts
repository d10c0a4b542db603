/** How the viewer is built: relative addresses, since nobody knows below which path a gateway hands it out. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  base: "./",
  plugins: [react()],
  build: {
    outDir: "../build/viewer",
    emptyOutDir: true,
    target: "es2023",
    // the policy allows no script in the page, and nothing here needs the polyfill that would be one
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  test: { include: ["test/**/*.test.ts"], environment: "node" },
});
