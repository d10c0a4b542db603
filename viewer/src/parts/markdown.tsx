/** Markdown as React elements: what a stranger's text means becomes one of the elements named here, or stays text. */
import { Fragment, type ReactNode } from "react";
import type { MarkedToken, Token, Tokens } from "marked";

/** Levels of lists, quotes and emphasis within each other; deeper levels stay as they were written. */
const DEEPEST = 24;

/** Where a link may lead. */
const SCHEMES = ["http:", "https:", "mailto:"];

const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

export function Markdown({ tokens }: { tokens: Token[] }) {
  return (
    // what may scroll must be reachable by keyboard
    <div className="document" tabIndex={0}>
      {drawAll(tokens, 0)}
    </div>
  );
}

type Kind = MarkedToken["type"];
type Drawers = { [K in Kind]: (token: Extract<MarkedToken, { type: K }>, depth: number) => ReactNode };

const DRAWERS: Drawers = {
  space: () => null,
  def: () => null,
  br: () => <br />,
  hr: () => <hr />,
  heading: ({ depth: level, tokens }, depth) => {
    // the page has its own first heading
    const Heading = `h${Math.min(level + 1, 6)}` as "h2";
    return <Heading>{drawAll(tokens, depth)}</Heading>;
  },
  paragraph: ({ tokens }, depth) => <p>{drawAll(tokens, depth)}</p>,
  blockquote: ({ tokens }, depth) => <blockquote>{drawAll(tokens, depth)}</blockquote>,
  list: ({ ordered, start, items }, depth) => {
    const rows = drawAll(items, depth);
    return ordered ? <ol start={start || undefined}>{rows}</ol> : <ul>{rows}</ul>;
  },
  list_item: ({ task, tokens }, depth) => <li className={task ? "task" : undefined}>{drawAll(tokens, depth)}</li>,
  checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  table: (token, depth) => <Table token={token} depth={depth} />,
  code: ({ text }) => (
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  ),
  codespan: ({ text }) => <code>{text}</code>,
  strong: ({ tokens }, depth) => <strong>{drawAll(tokens, depth)}</strong>,
  em: ({ tokens }, depth) => <em>{drawAll(tokens, depth)}</em>,
  del: ({ tokens }, depth) => <del>{drawAll(tokens, depth)}</del>,
  link: (token, depth) => <Link token={token} depth={depth} />,
  // its address is not asked for anything, not even a picture
  image: ({ text }) => <span className="muted">[picture: {decoded(text)}]</span>,
  html: ({ raw, block }) => (block ? <p className="as-written">{raw.trim()}</p> : raw),
  escape: ({ text }) => text,
  text: (token, depth) => ("tokens" in token && token.tokens ? drawAll(token.tokens, depth) : decoded(token.text)),
};

function drawAll(tokens: Token[], depth: number): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{draw(token, depth + 1)}</Fragment>);
}

function draw(token: Token, depth: number): ReactNode {
  if (depth > DEEPEST || !Object.hasOwn(DRAWERS, token.type)) return token.raw;
  const drawer = DRAWERS[token.type as Kind] as (token: Token, depth: number) => ReactNode;
  return drawer(token, depth);
}

function Table({ token, depth }: { token: Tokens.Table; depth: number }) {
  const align = (cell: Tokens.TableCell) => (cell.align ? { textAlign: cell.align } : undefined);
  return (
    <div className="scroll" tabIndex={0}>
      <table className="sheet">
        <thead>
          <tr>
            {token.header.map((cell, column) => (
              <th key={column} style={align(cell)}>
                {drawAll(cell.tokens, depth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} style={align(cell)}>
                  {drawAll(cell.tokens, depth)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Link({ token, depth }: { token: Tokens.Link; depth: number }) {
  const href = allowed(decoded(token.href));
  if (!href) return drawAll(token.tokens, depth);
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {drawAll(token.tokens, depth)}
    </a>
  );
}

/** Return the whole address that *href* is, as browsers read it; undefined where nothing may lead there. */
function allowed(href: string): string | undefined {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  return url && SCHEMES.includes(url.protocol) ? url.href : undefined;
}

/** Return *text* with character references, such as `&amp;`, replaced by their characters. */
function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (found, decimal, hex, name: string | undefined) => {
    if (name) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? found) : found;
    const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : found;
  });
}
