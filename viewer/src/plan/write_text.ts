/** The plan as text for elsewhere: Markdown for people, Mermaid for pages that draw it. */
import type { Item, PlanDocument, Step } from "./document.ts";

/** Return the plan as Markdown: a heading and a checklist for each step, in the order of the document. */
export function toMarkdown(plan: PlanDocument): string {
  const lines = [`# ${line(plan.title)}`, "", plan.goal.trim(), ""];
  lines.push(`- Type: ${plan.planType}`, `- Repository: \`${plan.context.repo}\` at \`${plan.context.ref}\``);
  lines.push(...section("Acceptance criteria", plan.acceptanceCriteria));
  lines.push(...section("Not part of it", plan.constraints.nonGoals));
  lines.push(...section("Compatibility", plan.constraints.compat));
  lines.push(...section("Quality gates", plan.constraints.qualityGates));
  const risks = plan.risks?.map((risk) => `**${risk.id}** (${risk.level}) ${line(risk.title)}. ${line(risk.mitigation)}`);
  lines.push(...section("Risks", risks), "", "## Steps");
  for (const step of plan.steps) lines.push("", ...stepLines(step));
  return `${lines.join("\n")}\n`;
}

/** Return the plan as a Mermaid flowchart; a subgraph for each group. */
export function toMermaid(plan: PlanDocument): string {
  const groups = Map.groupBy(plan.steps, (step) => step.ui.group);
  const lines = ["flowchart LR"];
  for (const [index, [group, steps]] of [...groups].entries()) {
    lines.push(`  subgraph g${index}["${label(group)}"]`);
    for (const step of steps) lines.push(`    ${step.id}["${step.id} ${label(step.title)}"]:::${step.ui.status}`);
    lines.push("  end");
  }
  for (const step of plan.steps) for (const id of step.dependsOn) lines.push(`  ${id} --> ${step.id}`);
  lines.push("  classDef todo fill:#eceef2,stroke:#566074,color:#1b1f2a");
  lines.push("  classDef doing fill:#e4eefc,stroke:#23539e,color:#1b1f2a");
  lines.push("  classDef blocked fill:#fdf1dc,stroke:#855100,color:#1b1f2a");
  lines.push("  classDef done fill:#e2f4e9,stroke:#1c6b41,color:#1b1f2a");
  return `${lines.join("\n")}\n`;
}

/** Say an action, a verification or a target in one line. */
export function inOneLine(item: Item): string {
  const { type, ...rest } = item;
  const said = Object.values(rest).filter((value) => value !== undefined && value !== "");
  return [type.replaceAll("_", " "), ...said.map((value) => (Array.isArray(value) ? value.join("–") : String(value)))].join(" · ");
}

function stepLines(step: Step): string[] {
  const mark = step.ui.status === "done" ? "x" : " ";
  const lines = [`### ${step.id} ${line(step.title)}`, "", `- [${mark}] ${step.kind}, ${step.ui.status}, group ${line(step.ui.group)}`];
  if (step.dependsOn.length > 0) lines.push(`- Depends on: ${step.dependsOn.join(", ")}`);
  lines.push("", step.intent.trim());
  const parts: [string, Item[] | undefined][] = [
    ["Targets", step.targets],
    ["Actions", step.actions],
    ["Verification", step.verification],
    ["Outputs", step.outputs],
    ["Rollback", step.rollback],
  ];
  for (const [title, items] of parts)
    if (items?.length) lines.push("", `${title}:`, "", ...items.map((item) => `- ${line(inOneLine(item))}`));
  if (step.notes) lines.push("", `Notes: ${step.notes.trim()}`);
  return lines;
}

function section(title: string, items: readonly string[] | undefined): string[] {
  return items?.length ? ["", `## ${title}`, "", ...items.map((item) => `- ${line(item)}`)] : [];
}

function line(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function label(text: string): string {
  // Mermaid reads entity codes inside of quotes, and nothing else
  return line(text).replace(/[#"<>&;]/g, (sign) => `#${sign.codePointAt(0)};`);
}
