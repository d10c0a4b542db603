"use strict";
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const sections = $$("main > section > details");

  // tables sort by a click on a column's head; numbers and dates as such
  const months = "january february march april may june july august september october november december".split(" ");
  const value = text => {
    const day = text.match(/^(\d{1,2}) ([A-Za-z]+) (\d{4})/);
    if (day && months.includes(day[2].toLowerCase())) return +day[3] * 10000 + months.indexOf(day[2].toLowerCase()) * 100 + +day[1];
    const number = text.replace(/[,\s]/g, "").match(/^[^\d-]{0,4}(-?\d+(\.\d+)?)/);
    return number ? +number[1] : null;
  };
  // a number, an amount, a share; P12 is an id
  const plainNumber = /^(?:[A-Z]{3}\s?)?[-−+]?[\d.,]+\s?%?$/;
  const prepare = table => {
    const body = table.tBodies[0], heads = $$("th", table).map(head => head.textContent.trim());
    if (!body) return;
    heads.forEach((label, column) => {
      const cells = [...body.rows].map(row => row.cells[column]).filter(Boolean);
      const filled = cells.filter(cell => cell.textContent.trim());
      if (filled.length && filled.every(cell => plainNumber.test(cell.textContent.trim()))) [$$("th", table)[column], ...cells].forEach(cell => cell.classList.add("num"));
      cells.forEach(cell => { if (label && cell.textContent.trim()) cell.dataset.label = label; else if (!cell.textContent.trim()) cell.textContent = ""; });
    });
    // on a phone, a table of prose is read row by row
    if (heads.length > 2) table.parentElement.classList.add("stack");
    if (body.rows.length < 3) return;
    $$("th", table).forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        $$("th", table).forEach(other => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const keyed = [...body.rows].map(row => { const text = (row.cells[column]?.textContent || "").trim(); return [value(text), text, row]; });
        const numeric = keyed.filter(([number]) => number !== null).length > keyed.length / 2;
        keyed.sort(([a, textA], [b, textB]) => numeric ? (a ?? Infinity) - (b ?? Infinity) : textA.localeCompare(textB));
        if (down) keyed.reverse();
        body.append(...keyed.map(([, , row]) => row));
      });
    });
  };
  $$("main .table > table").filter(table => !table.parentElement.nextElementSibling?.matches(".folded")).forEach(prepare);

  // large tables: the rows that are kept as data are made when their section opens, and for search and print
  const unfold = box => $$("script.rows", box).forEach(data => {
    const folded = data.previousElementSibling, table = folded.previousElementSibling.firstElementChild;
    const [columns, cells, order] = JSON.parse(data.textContent);
    let rows = "";
    for (let at = 0; at < order.length; at += columns) {
      rows += "<tr>";
      for (let each = at; each < at + columns; each++) rows += `<td dir="auto">${cells[order[each]]}</td>`;
      rows += "</tr>";
    }
    table.tBodies[0].insertAdjacentHTML("beforeend", rows);
    folded.remove();
    data.remove();
    prepare(table);
  });
  sections.forEach(box => {
    if (box.open) unfold(box);
    box.addEventListener("toggle", () => { if (box.open) unfold(box); });
  });

  // sections: open what an address or a link names, everything for print
  const reveal = (hash = location.hash) => {
    const target = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
    const box = target && (target.querySelector("details") || target.closest("details"));
    if (box) { unfold(box); box.open = true; target.scrollIntoView(); }
  };
  addEventListener("hashchange", () => reveal());
  $$(".toc a").forEach(link => link.addEventListener("click", () => setTimeout(reveal)));
  // in the viewer's frame, which has an address that nothing can be gone to
  if (location.protocol === "blob:") addEventListener("click", event => {
    const link = event.target.closest("a[href^='#']");
    if (link) { event.preventDefault(); reveal(link.hash); }
  });
  let opened = [];
  addEventListener("beforeprint", () => { sections.forEach(unfold); opened = sections.filter(box => !box.open); opened.forEach(box => { box.open = true; }); });
  addEventListener("afterprint", () => opened.forEach(box => { box.open = false; }));

  // files beside the page can be gone to only where both were unpacked
  if (location.protocol === "file:") $$("[data-file]").forEach(name => {
    const link = document.createElement("a");
    link.href = name.dataset.file;
    name.replaceWith(link);
    link.append(name);
  });

  const root = document.documentElement;
  const tools = {
    open: () => sections.forEach(box => { box.open = true; }),
    close: () => sections.forEach(box => { box.open = false; }),
    print: () => print(),
    theme: button => {
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      button.setAttribute("aria-pressed", String(!dark));
    },
  };
  $$("[data-do]").forEach(button => button.addEventListener("click", () => tools[button.dataset.do](button)));
  $("[data-do=theme]").setAttribute("aria-pressed", String(matchMedia("(prefers-color-scheme: dark)").matches));
  $$(".tools, .search, .gantt-tools").forEach(part => { part.hidden = false; });
  if (matchMedia("(max-width: 60rem)").matches) $(".toc").open = false;

  // the section in view is marked in the contents
  const links = new Map($$(".toc a").map(link => [link.hash.slice(1), link]));
  const watch = new IntersectionObserver(entries => entries.forEach(entry => {
    if (!entry.isIntersecting) return;
    links.forEach(link => link.removeAttribute("aria-current"));
    links.get(entry.target.id)?.setAttribute("aria-current", "true");
  }), { rootMargin: "0px 0px -75% 0px" });
  $$("main > section").forEach(section => watch.observe(section));

  // search: marks what it finds, opens where it lies, Enter goes on to the next
  const field = $("#q"), told = $(".search output");
  let hits = [], at = -1, timer = 0;
  const clear = () => { $$("mark.hit").forEach(mark => { const parent = mark.parentNode; mark.replaceWith(mark.textContent); parent.normalize(); }); hits = []; at = -1; links.forEach(link => link.classList.remove("none")); };
  const find = () => {
    clear();
    const words = field.value.trim().toLowerCase();
    if (words.length < 2) { told.textContent = ""; return; }
    sections.forEach(unfold);
    sections.forEach(box => {
      const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT, { acceptNode: node => node.parentElement.closest("svg, button, .gantt-names, .tip") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT });
      const texts = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      let found = 0;
      texts.forEach(text => {
        let node = text, place;
        while ((place = node.data.toLowerCase().indexOf(words)) >= 0) {
          const rest = node.splitText(place);
          node = rest.splitText(words.length);
          const mark = document.createElement("mark");
          mark.className = "hit";
          rest.replaceWith(mark); mark.append(rest);
          hits.push(mark); found++;
        }
      });
      if (found) box.open = true;
      links.get(box.parentElement.id)?.classList.toggle("none", !found);
    });
    told.textContent = (hits.length ? `${hits.length} found, Enter for the next` : "Nothing found") + ($(".moved") ? "; annexes are not searched" : "");
  };
  const next = step => { if (!hits.length) return; at = (at + step + hits.length) % hits.length; hits[at].scrollIntoView({ block: "center" }); told.textContent = `${at + 1} of ${hits.length}`; };
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(find, 120); });
  field.addEventListener("keydown", event => { if (event.key === "Escape") { field.value = ""; find(); } });
  $(".search").addEventListener("submit", event => { event.preventDefault(); next(1); });
  addEventListener("keydown", event => { if (event.key === "/" && !/input|textarea/i.test(document.activeElement.tagName)) { event.preventDefault(); field.focus(); } });

  // the chart: zoom, what depends on what, keyboard
  $$(".gantt").forEach(chart => {
    const svg = $(".gantt-svg", chart), scroll = $(".gantt-scroll", chart), tip = $(".tip", chart);
    const days = +svg.dataset.days, row = +svg.dataset.row;
    const bars = $$(".g-bar", svg), arrows = $$(".g-arrow", svg);
    const names = new Map($$("[data-row-of]", chart).map(name => [name.dataset.rowOf, name]));
    let width = svg.width.baseVal.value;
    const px = at => Math.round(at * width / days * 10) / 10;
    const elbow = (x1, y1, x2, y2) => x2 - x1 >= 8 ? `M${x1} ${y1}H${x2 - 6}V${y2}H${x2}` : `M${x1} ${y1}h5V${y1 + (y2 > y1 ? row / 2 : -row / 2)}H${x2 - 6}V${y2}H${x2}`;
    const lay = wanted => {
      width = Math.min(Math.max(wanted, 240), 60000);
      svg.setAttribute("width", width);
      svg.setAttribute("viewBox", `0 0 ${width} ${svg.height.baseVal.value}`);
      $$("rect[data-s]", svg).forEach(box => { box.setAttribute("x", px(+box.dataset.s)); box.setAttribute("width", Math.max(px(box.dataset.e - box.dataset.s), 2)); });
      $$("path[data-y]:not(.g-arrow)", svg).forEach(mark => mark.setAttribute("d", `M${px(+mark.dataset.s)} ${mark.dataset.y - 7}l7 7l-7 7l-7 -7z`));
      arrows.forEach(arrow => { const [y1, y2] = arrow.dataset.y.split(" ").map(Number); arrow.setAttribute("d", elbow(px(+arrow.dataset.s), y1, px(+arrow.dataset.e), y2)); });
      $$("g[data-s]:not(.g-bar)", svg).forEach(group => {
        const x = px(+group.dataset.s), line = $("line", group), text = $("text", group);
        line.setAttribute("x1", x); line.setAttribute("x2", x);
        text.setAttribute("x", text.getAttribute("text-anchor") ? x - 4 : x + 4);
      });
      const shown = ["week", "month", "quarter"].filter((level, i) => [7, 30.4, 91.3][i] * width / days >= 44);
      ["week", "month", "quarter"].forEach(level => $$(`.g-${level}`, svg).forEach(mark => {
        mark.classList.toggle("g-off", !shown.includes(level));
        mark.classList.toggle("g-quiet", level !== shown[0]);
      }));
    };
    const zoom = factor => {
      const middle = (scroll.scrollLeft + scroll.clientWidth / 2) / width;
      lay(width * factor);
      scroll.scrollLeft = middle * width - scroll.clientWidth / 2;
    };
    // narrower than this, labels would lie on each other: a phone scrolls instead
    const fit = () => lay(Math.max(scroll.clientWidth, 520));
    const actions = {
      in: () => zoom(1.5), out: () => zoom(1 / 1.5), fit,
      critical: button => button.setAttribute("aria-pressed", String(chart.classList.toggle("only-critical"))),
    };
    $$("[data-zoom]", chart).forEach(button => button.addEventListener("click", () => actions[button.dataset.zoom](button)));

    const off = () => {
      chart.classList.remove("has-on");
      $$(".on, .near", chart).forEach(part => part.classList.remove("on", "near"));
      tip.hidden = true;
    };
    const on = bar => {
      off();
      const id = bar.dataset.id;
      chart.classList.add("has-on");
      bar.classList.add("on");
      names.get(id)?.classList.add("on");
      arrows.filter(arrow => arrow.dataset.from === id || arrow.dataset.to === id).forEach(arrow => {
        arrow.classList.add("on");
        const other = arrow.dataset.from === id ? arrow.dataset.to : arrow.dataset.from;
        bars.find(each => each.dataset.id === other)?.classList.add("near");
      });
      tip.textContent = bar.dataset.tip;
      tip.hidden = false;
      const box = bar.querySelector("[data-s]").getBoundingClientRect(), frame = chart.getBoundingClientRect();
      const left = Math.min(Math.max(box.left - frame.left, 8), frame.width - tip.offsetWidth - 8);
      const below = box.bottom - frame.top + 8;
      tip.style.left = `${Math.max(left, 8)}px`;
      tip.style.top = `${below + tip.offsetHeight > frame.height ? box.top - frame.top - tip.offsetHeight - 8 : below}px`;
    };
    const move = (bar, step) => {
      const to = bars[Math.min(Math.max(bars.indexOf(bar) + step, 0), bars.length - 1)];
      bars.forEach(each => each.setAttribute("tabindex", "-1"));
      to.setAttribute("tabindex", "0");
      to.focus();
      const box = to.querySelector("[data-s]").getBoundingClientRect(), frame = scroll.getBoundingClientRect();
      if (box.left < frame.left || box.left > frame.right - 40) scroll.scrollLeft += box.left - frame.left - 40;
    };
    if (bars.length) bars[0].setAttribute("tabindex", "0");
    const keys = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
    bars.forEach(bar => {
      bar.setAttribute("aria-label", bar.dataset.tip.replaceAll("\n", ", "));
      bar.addEventListener("mouseenter", () => on(bar));
      bar.addEventListener("mouseleave", off);
      bar.addEventListener("focus", () => on(bar));
      bar.addEventListener("blur", off);
      bar.addEventListener("keydown", event => {
        if (event.key in keys) { event.preventDefault(); move(bar, keys[event.key]); }
        else if (event.key === "+" || event.key === "=") { event.preventDefault(); zoom(1.5); on(bar); }
        else if (event.key === "-") { event.preventDefault(); zoom(1 / 1.5); on(bar); }
        else if (event.key === "Escape") off();
      });
    });
    const box = chart.closest("details");
    const first = () => { if (box.open && scroll.clientWidth) { fit(); box.removeEventListener("toggle", first); } };
    box.addEventListener("toggle", first);
    first();
    // a page of paper is about 700 pixels wide, the names beside the chart take 208 of them
    addEventListener("beforeprint", () => lay(470));
    addEventListener("afterprint", fit);
  });
  reveal();
})();
