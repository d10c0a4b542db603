import { Lexer } from "marked";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Markdown } from "../src/parts/markdown.tsx";

/** Return what is drawn of *text*, without the region around it. */
function markup(text: string): string {
  const drawn = renderToStaticMarkup(createElement(Markdown, { tokens: Lexer.lex(text) }));
  return drawn.replace(/^<div class="document" tabindex="0">/, "").replace(/<\/div>$/, "");
}

test("headings stand below the page's own, and what stands in a line is drawn", () => {
  expect(markup("# Plan\n\n## Part\n\n###### Least")).toBe("<h2>Plan</h2><h3>Part</h3><h6>Least</h6>");
  expect(markup("**Why now.** An *early* `a < b` ~~no~~ \\*star\\*  \nend")).toBe(
    "<p><strong>Why now.</strong> An <em>early</em> <code>a &lt; b</code> <del>no</del> *star*<br/>end</p>",
  );
});

test("lists within lists, numbers that do not begin at one, and what is done", () => {
  expect(markup("- a\n  - b\n\n3. c\n4. d\n\n- [x] e\n- [ ] f")).toBe(
    '<ul><li>a<ul><li>b</li></ul></li></ul><ol start="3"><li>c</li><li>d</li></ol>' +
      '<ul><li class="task">☑ e</li><li class="task">☐ f</li></ul>',
  );
});

test("a table keeps its columns, its alignment and the lines within its cells", () => {
  expect(markup("| Task | Days |\n|---|---:|\n| a \\| b | **3** |")).toBe(
    '<div class="scroll" tabindex="0"><table class="sheet"><thead><tr><th>Task</th><th style="text-align:right">Days</th></tr></thead>' +
      '<tbody><tr><td>a | b</td><td style="text-align:right"><strong>3</strong></td></tr></tbody></table></div>',
  );
});

test("code and quotes are shown as they are, and nothing in code is read as markup", () => {
  expect(markup("```html\n<b>&amp;</b>\n```\n\n> said")).toBe(
    '<pre tabindex="0"><code>&lt;b&gt;&amp;amp;&lt;/b&gt;</code></pre><blockquote><p>said</p></blockquote>',
  );
});

test("links open apart and know nothing of the page that they were on", () => {
  const outward = 'target="_blank" rel="noopener noreferrer"';

  expect(markup("[a](https://a.test/?x=1&amp;y=2 'title')")).toBe(`<p><a href="https://a.test/?x=1&amp;y=2" ${outward}>a</a></p>`);
  expect(markup("[b][1] and c@d.test\n\n[1]: http://b.test")).toBe(
    `<p><a href="http://b.test/" ${outward}>b</a> and <a href="mailto:c@d.test" ${outward}>c@d.test</a></p>`,
  );
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "<java\tscript:alert(1)>",
  "<\u0001javascript:alert(1)>",
  "java&#115;cript:alert(1)",
  "javascript&#x3a;alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://a.test/1",
  "//evil.test",
  "#/plans",
  "v1/plans",
])("a link to %s is text", (href) => {
  const drawn = markup(`[here](${href})`);

  expect(drawn).not.toContain("<a");
  expect(drawn).toContain("here");
});

test("markup is shown as it was written", () => {
  expect(markup("<script>alert(1)</script>")).toBe('<p class="as-written">&lt;script&gt;alert(1)&lt;/script&gt;</p>');
  expect(markup('a <img src=x onerror="alert(1)"> <b onclick=x>b</b>')).toBe(
    "<p>a &lt;img src=x onerror=&quot;alert(1)&quot;&gt; &lt;b onclick=x&gt;b&lt;/b&gt;</p>",
  );
  expect(markup("| a |\n|---|\n| <svg/onload=alert(1)> |")).toContain("<td>&lt;svg/onload=alert(1)&gt;</td>");
  expect(markup("&lt;script&gt;alert(1)&lt;/script&gt;")).toBe("<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>");
});

test("no picture is asked for, not even within a link", () => {
  expect(markup("![a chart](https://evil.test/a.png)")).toBe('<p><span class="muted">[picture: a chart]</span></p>');
  expect(markup("[![](http://evil.test/a.png)](javascript:x)")).toBe('<p><span class="muted">[picture: ]</span></p>');
});

test("whatever is put together of hostile pieces, nothing but known elements comes of it", () => {
  const pieces = ["<script>", "</script>", "<img src=x onerror=y>", "[a](javascript:b)", "![c](d)", "\n\n", "| e |\n|---|\n", "`", "**", "> ", "- ", "<!--", "&lt;", "<a href='javascript:x'>"];
  const known = /^\/?(p|h\d|ul|ol|li|div|table|thead|tbody|tr|th|td|pre|code|strong|em|del|blockquote|hr|br|span)$/;
  for (let seed = 1; seed <= 300; seed++) {
    const text = Array.from({ length: 12 }, (_, at) => pieces[(seed * 7919 + at * at * 104_729 + seed * at) % pieces.length]).join("");
    const names = [...markup(text).matchAll(/<([^\s>]*?)\/?(?=[\s>])/g)].map(([, name]) => name);

    expect(names.filter((name) => !known.test(name ?? ""))).toEqual([]);
  }
});

test("what lies very deep is shown as it was written", () => {
  const drawn = markup(`${"> ".repeat(100)}**deep**`);

  expect(drawn.match(/<blockquote>/g)).toHaveLength(24);
  expect(drawn).toContain("&gt; **deep**");
});
