/** The graph as a picture of its own: drawn from the plan, so that what is out of sight is on it too. */
import type { PlanDocument, Position, Step } from "../plan/document.ts";
import { bandsOf, cardsOf, type Grouping, positionsOf } from "./flow.ts";
import { lookOf } from "./kinds.ts";
import { CARD } from "./layout.ts";

export interface Picture {
  text: string;
  width: number;
  height: number;
}

const MARGIN = 40;
const LINE = 27;
const LINES = 2;
/** Pixels that canvases of all browsers can take. */
const MOST = 120_000_000;

const INKS: Record<string, string> = {
  discovery: "#7a4ab8",
  design: "#a63a86",
  implementation: "#3450c4",
  refactor: "#0f6b7d",
  testing: "#1c6b41",
  migration: "#8a5200",
  rollout: "#b04312",
  docs: "#566074",
  verification: "#52701a",
};
const STATUS: Record<string, [ink: string, ground: string]> = {
  todo: ["#566074", "#eceef2"],
  doing: ["#23539e", "#e4eefc"],
  blocked: ["#855100", "#fdf1dc"],
  done: ["#1c6b41", "#e2f4e9"],
};

export function drawSvg(plan: PlanDocument, grouping: Grouping): Picture {
  const positions = positionsOf(plan, grouping);
  const cards = cardsOf(plan, positions, new Map());
  const bands = bandsOf(cards, grouping);
  const boxes = [...cards, ...bands];
  const left = Math.min(...boxes.map((box) => box.position.x)) - MARGIN;
  const top = Math.min(...boxes.map((box) => box.position.y)) - MARGIN;
  const width = Math.max(...boxes.map((box) => box.position.x + (box.width ?? 0))) + MARGIN - left;
  const height = Math.max(...boxes.map((box) => box.position.y + (box.height ?? 0))) + MARGIN - top;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif">`,
    `<title>${escape(plan.title)}</title>`,
    `<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 10 5 0 10z" fill="#8a92a3"/></marker></defs>`,
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="#f6f7f9"/>`,
    ...bands.map(
      (band) =>
        `<rect x="${band.position.x}" y="${band.position.y}" width="${band.width}" height="${band.height}" rx="14" fill="#eef0f4"/>` +
        `<text x="${band.position.x + 16}" y="${band.position.y + 24}" font-size="14" font-weight="600" fill="#566074">${escape(band.data.title)}</text>`,
    ),
    ...plan.steps.flatMap((step) => step.dependsOn.map((id) => line(positions.get(id), positions.get(step.id)))),
    ...plan.steps.map((step) => card(step, positions.get(step.id) ?? { x: 0, y: 0 })),
    "</svg>",
  ];
  return { text: `${parts.join("\n")}\n`, width, height };
}

/** Paint *picture* at twice its size, or as large as it may be. Raises where the browser cannot. */
export async function paintPng(picture: Picture): Promise<Blob> {
  const scale = Math.min(2, Math.sqrt(MOST / (picture.width * picture.height)));
  const image = new Image();
  const url = URL.createObjectURL(new Blob([picture.text], { type: "image/svg+xml" }));
  try {
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("no picture"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

function line(from: Position | undefined, to: Position | undefined): string {
  if (!from || !to) return "";
  const [x1, y1] = [from.x + CARD.width, from.y + CARD.height / 2];
  const [x2, y2] = [to.x, to.y + CARD.height / 2];
  const bend = Math.max(30, Math.abs(x2 - x1) / 2);
  return `<path d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}" fill="none" stroke="#8a92a3" stroke-width="1.5" marker-end="url(#tip)"/>`;
}

function card(step: Step, at: Position): string {
  const look = lookOf(step.kind);
  const ink = INKS[look.kind] ?? "#566074";
  const [statusInk, statusGround] = STATUS[step.ui.status] ?? ["#566074", "#eceef2"];
  const title = wrap(step.title)
    .map((text, index) => `<text x="14" y="${52 + index * 18}" font-size="14" font-weight="600" fill="#1b1f2a">${escape(text)}</text>`)
    .join("");
  return (
    `<g transform="translate(${at.x} ${at.y})"><rect width="${CARD.width}" height="${CARD.height}" rx="10" fill="#fff" stroke="#dfe2e8"/>` +
    `<rect width="4" height="${CARD.height}" rx="2" fill="${ink}"/>` +
    `<text x="14" y="26" font-size="12" font-weight="600" fill="${ink}">${escape(look.title)}</text>` +
    `<text x="${CARD.width - 14}" y="26" font-size="12" text-anchor="end" fill="#566074">${escape(step.id)}</text>${title}` +
    `<rect x="14" y="86" width="${step.ui.status.length * 7 + 18}" height="20" rx="10" fill="${statusGround}"/>` +
    `<text x="23" y="100" font-size="12" font-weight="600" fill="${statusInk}">${escape(step.ui.status)}</text></g>`
  );
}

function wrap(text: string): string[] {
  const lines: string[] = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines[lines.length - 1] ?? "";
    if (`${last} ${word}`.trim().length <= LINE) lines[lines.length - 1] = `${last} ${word}`.trim();
    else lines.push(word);
  }
  const kept = lines.filter(Boolean);
  return kept.length > LINES ? [...kept.slice(0, LINES - 1), `${(kept[LINES - 1] ?? "").slice(0, LINE - 1)}…`] : kept;
}

function escape(text: string): string {
  const signs: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  // characters that XML cannot hold at all would break the whole picture
  return text.replace(/[&<>"']/g, (sign) => signs[sign] ?? sign).replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
}
