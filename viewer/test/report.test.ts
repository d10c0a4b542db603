import { expect, test } from "vitest";
import { showsHere } from "../src/api/artifacts.ts";

test("a report is shown here if its own policy names the style and script that this page lets through", () => {
  const report = (hash: string) => `<!doctype html><meta http-equiv="Content-Security-Policy" content="style-src '${hash}'"><p>`;

  expect(showsHere(report("sha256-a b"), [["sha256-z"], ["sha256-a"]])).toBe(true);
  expect(showsHere(report("sha256-c"), [["sha256-z"], ["sha256-a"]])).toBe(false);
  expect(showsHere(`<!doctype html>${"x".repeat(3000)}sha256-a`, [["sha256-z"], ["sha256-a"]])).toBe(false);
});
