/** What can be taken away: the drawing as PNG or SVG, the plan as Mermaid, Markdown or JSON. */
import type { Grouping } from "../graph/flow.ts";
import { drawSvg, paintPng } from "../graph/picture.ts";
import type { Entry } from "../parts/menu.tsx";
import { saveFile } from "../parts/save_file.ts";
import type { PlanDocument } from "../plan/document.ts";
import { toMarkdown, toMermaid } from "../plan/write_text.ts";

export function exportsOf(plan: PlanDocument, grouping: Grouping, say: (text: string) => void): Entry[] {
  const name = fileName(plan.title);
  const text = (title: string, ending: string, type: string, write: () => string): Entry => ({
    title,
    act: () => saveFile(`${name}.${ending}`, new Blob([write()], { type })),
  });
  return [
    {
      title: "Picture (PNG)",
      act: () => {
        paintPng(drawSvg(plan, grouping)).then(
          (picture) => saveFile(`${name}.png`, picture),
          () => say("The picture is too large for this browser. Export an SVG instead."),
        );
      },
    },
    text("Drawing (SVG)", "svg", "image/svg+xml", () => drawSvg(plan, grouping).text),
    text("Mermaid", "mmd", "text/plain", () => toMermaid(plan)),
    text("Markdown", "md", "text/markdown", () => toMarkdown(plan)),
    text("JSON", "json", "application/json", () => `${JSON.stringify(plan, null, 2)}\n`),
  ];
}

/** Return a file name that says what the plan is called. */
export function fileName(title: string): string {
  const plain = title.normalize("NFKD").replace(/[^\w]+/g, "-").replace(/^-+|-+$/g, "").toLowerCase();
  return plain.slice(0, 60) || "plan";
}
