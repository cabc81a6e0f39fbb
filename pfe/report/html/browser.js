"use strict";
// The problem browser: a list over columns, of which only the lines in view exist, and one problem with its arms.
// Whatever a model or a benchmark wrote is set as text, never as HTML.
{
  const { benchmarks, models, size, beside, endings } = pfe.data("problems");
  const inline = pfe.data("parts") ?? {};
  const part = (id) => document.getElementById(id);
  const [list, sheet, holder] = [part("problem-list"), part("problem-sheet"), part("problem")];
  const [count, search] = [part("problem-count"), part("problem-search")];
  const filters = Object.fromEntries(
    ["model", "benchmark", "arm", "outcome", "family"].map((name) => [name, part(`problem-${name}`)]),
  );
  const HEIGHT = 36; // pixels a line, as in the style
  const labels = Object.values(models);
  const names = Object.keys(models);

  // --- parts: in the page, or in files beside it -------------------------------------------------------------------
  const loaded = new Map(Object.entries(inline));
  const waiting = new Map();
  pfe.part = (name, content) => loaded.set(name, content);
  const load = (name) => {
    if (loaded.has(name)) return Promise.resolve(loaded.get(name));
    if (!waiting.has(name)) {
      const script = pfe.element("script", { src: `${beside}/${name}.js` });
      waiting.set(
        name,
        new Promise((resolve, reject) => {
          script.addEventListener("load", () => resolve(loaded.get(name)));
          script.addEventListener("error", () => reject(new Error(`${beside}/${name}.js is not in the folder of this page`)));
        }).finally(() => (script.remove(), waiting.delete(name))),
      );
      document.head.append(script);
    }
    return waiting.get(name);
  };

  // --- columns ------------------------------------------------------------------------------------------------------
  const unpack = (digits, length) => {
    const marks = new Uint8Array(length);
    for (let at = 0; at < length; at += 4) {
      const digit = parseInt(digits[at >> 2], 16);
      for (let bit = 0; bit < 4 && at + bit < length; bit++) marks[at + bit] = (digit >> bit) & 1;
    }
    return marks;
  };
  // 0 wrong, 1 right, 2 not asked
  const marks = benchmarks.map((one) =>
    names.map((model) => {
      const byArm = {};
      for (const [arm, digits] of Object.entries(one.right[model] ?? {})) {
        byArm[arm] = unpack(digits, one.ids.length);
        const asked = one.asked[model]?.[arm];
        if (asked) unpack(asked, one.ids.length).forEach((is, at) => is || (byArm[arm][at] = 2));
      }
      return byArm;
    }),
  );
  const outcome = (without, behind) => ["neither", "fixed", "broken", "both"][2 * without + behind];

  // --- filters ------------------------------------------------------------------------------------------------------
  let rows = { benchmark: new Uint8Array(0), model: new Uint8Array(0), place: new Uint32Array(0), length: 0 };
  let texts = null; // of every benchmark, in lower case, once somebody searches

  const keeps = (wanted, without, behind) => {
    if (!wanted) return true;
    if (wanted === "right" || wanted === "wrong") return behind === (wanted === "right" ? 1 : 0);
    return without < 2 && behind < 2 && outcome(without, behind) === wanted;
  };

  const apply = () => {
    const [words, wanted, arm] = [search.value.trim().toLowerCase(), filters.outcome.value, filters.arm.value];
    const total = benchmarks.reduce((sum, one) => sum + one.ids.length, 0) * names.length;
    const found = { benchmark: new Uint8Array(total), model: new Uint8Array(total), place: new Uint32Array(total), length: 0 };
    benchmarks.forEach((one, benchmark) => {
      if (filters.benchmark.value && filters.benchmark.value !== one.name) return;
      const family = filters.family.value ? one.families.indexOf(filters.family.value) : null;
      if (family === -1) return;
      const fits = new Uint8Array(one.ids.length);
      for (let place = 0; place < fits.length; place++)
        fits[place] =
          (family === null || (one.family[place] ?? 0) === family) &&
          (!words || one.lower[place].includes(words) || (texts?.[benchmark]?.[place]?.includes(words) ?? false));
      names.forEach((model, at) => {
        if (filters.model.value && filters.model.value !== model) return;
        const { canonical, [arm]: behind } = marks[benchmark][at];
        if (!behind && (wanted || !canonical)) return;
        for (let place = 0; place < fits.length; place++) {
          if (!fits[place] || !keeps(wanted, canonical?.[place] ?? 2, behind?.[place] ?? 2)) continue;
          found.benchmark[found.length] = benchmark;
          found.model[found.length] = at;
          found.place[found.length++] = place;
        }
      });
    });
    rows = found;
    count.textContent = `${rows.length.toLocaleString("en")} ${rows.length === 1 ? "answer" : "answers"}`;
    sheet.style.height = `${rows.length * HEIGHT}px`;
    list.scrollTop = 0;
    paint();
  };

  const link = (row) => {
    const one = benchmarks[rows.benchmark[row]];
    return `#${[names[rows.model[row]], one.name, one.ids[rows.place[row]]].map(encodeURI).join("/")}`;
  };

  const MARKS = ["✗", "✓", "–"];
  const WORDS = ["incorrect", "correct", "not evaluated"];
  const paint = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - 5);
    const last = Math.min(rows.length, Math.ceil((list.scrollTop + list.clientHeight) / HEIGHT) + 5);
    const arm = filters.arm.value;
    const held = document.activeElement?.dataset?.row;
    const lines = [];
    for (let row = first; row < last; row++) {
      const [one, model, place] = [benchmarks[rows.benchmark[row]], rows.model[row], rows.place[row]];
      const byArm = marks[rows.benchmark[row]][model];
      const [without, behind] = [byArm.canonical?.[place] ?? 2, byArm[arm]?.[place] ?? 2];
      const kind = without < 2 && behind < 2 ? outcome(without, behind) : "";
      const shown = kind;
      const line = pfe.element(
        "a",
        { href: link(row), class: "line", "data-row": row, "aria-label":
          `${one.ids[place]}, ${one.title}, ${labels[model]}: ${shown || "not evaluated in both arms"}` },
        pfe.element("span", { class: "id" }, one.ids[place]),
        pfe.element("span", { class: "where" }, `${one.title} · ${labels[model]}`),
        pfe.element("span", { class: "marks", title: `canonical ${WORDS[without]}, ${arm} ${WORDS[behind]}` }, `${MARKS[without]} ${MARKS[behind]}`),
        pfe.element("span", { class: `outcome ${kind}` }, shown),
      );
      line.style.top = `${row * HEIGHT}px`;
      if (link(row) === location.hash) line.setAttribute("aria-current", "true");
      lines.push(pfe.element("li", { "aria-setsize": rows.length, "aria-posinset": row + 1 }, line));
    }
    sheet.replaceChildren(...lines);
    if (held !== undefined) sheet.querySelector(`[data-row="${held}"]`)?.focus({ preventScroll: true });
  };

  list.addEventListener("scroll", () => requestAnimationFrame(paint));
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    const at = document.activeElement?.dataset?.row;
    if (!step || at === undefined) return;
    event.preventDefault();
    const row = Math.min(rows.length - 1, Math.max(0, Number(at) + step));
    if (row * HEIGHT < list.scrollTop) list.scrollTop = row * HEIGHT;
    if ((row + 1) * HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = (row + 1) * HEIGHT - list.clientHeight;
    paint();
    sheet.querySelector(`[data-row="${row}"]`)?.focus({ preventScroll: true });
  });

  // --- search: ids at once, texts as soon as they are there ----------------------------------------------------------
  const readTexts = async () => {
    texts ??= benchmarks.map(() => []);
    for (const [benchmark, one] of benchmarks.entries()) {
      if (!one.shown || (filters.benchmark.value && filters.benchmark.value !== one.name)) continue;
      for (let start = 0; start < one.ids.length; start += size) {
        if (texts[benchmark][start] !== undefined) continue;
        const { problems } = await load(`${one.name}-${start / size}`);
        problems.forEach((problem, at) => {
          const words = [problem.context, problem.question, ...(problem.choices ?? []), problem.answer];
          texts[benchmark][start + at] = words.join("\n").toLowerCase();
        });
      }
    }
  };
  let timer = 0;
  const searchAll = () => {
    clearTimeout(timer);
    apply();
    if (search.value.trim().length < 2) return;
    timer = setTimeout(() => {
      count.textContent += ", reading texts …";
      readTexts().then(apply, (error) => (apply(), (count.textContent += `; only ids are searched, because ${error.message}`)));
    }, 150);
  };
  search.addEventListener("input", searchAll);
  for (const [name, select] of Object.entries(filters))
    select.addEventListener("change", () => {
      if (name === "benchmark") offerFamilies();
      search.value ? searchAll() : apply();
    });

  const offerFamilies = () => {
    const chosen = benchmarks.filter((one) => !filters.benchmark.value || one.name === filters.benchmark.value);
    const families = [...new Set(chosen.flatMap((one) => one.families))].sort();
    filters.family.replaceChildren(new Option("all", ""), ...families.map((family) => new Option(family, family)));
  };

  // --- one problem -------------------------------------------------------------------------------------------------
  const address = () => {
    const pieces = location.hash.slice(1).split("/").map((piece) => {
      try {
        return decodeURIComponent(piece);
      } catch {
        return piece;
      }
    });
    if (pieces.length < 3) return null;
    const benchmark = benchmarks.findIndex((one) => one.name === pieces[1]);
    const id = pieces.slice(2).join("/");
    if (benchmark < 0 || !names.includes(pieces[0])) return { missing: location.hash };
    const { ids, name } = benchmarks[benchmark];
    const place = Math.max(ids.indexOf(id), ids.indexOf(id.startsWith(`${name}/`) ? id.slice(name.length + 1) : id));
    return place < 0 ? { missing: location.hash } : { model: pieces[0], benchmark, place };
  };

  const text = (words, name = "pre", attributes = {}) =>
    pfe.element(name, name === "pre" ? { tabindex: "0", ...attributes } : attributes, words);  // a long line is scrolled by keys

  const arm = (answer, strings) => {
    const [kind, order, right, read, stop, before, after, dropped, words, head, tail, options, scores, output] = answer;
    const title = text(`${kind}${order ? `, order ${order}` : ""} `, "h4");
    title.append(text(right ? "✓ correct" : "✗ incorrect", "span", { class: right ? "right" : "wrong" }));
    const left = dropped ? `, ${dropped} methods omitted` : "";
    const facts = `${endings[stop] ?? stop}; ${before.toLocaleString("en")} tokens in${left}, ${after.toLocaleString("en")} out`;
    const card = pfe.element("section", { class: "arm", "aria-label": `arm ${kind}` }, title, text(facts, "p", { class: "note" }));
    card.append(text(`Read: ${strings[read] ? `“${strings[read]}”` : "nothing"}`, "p"));
    if (head === undefined) return card;
    if (strings[head]) {
      const name = strings[head].trim().split("\n")[0].slice(0, 60);
      const folded = pfe.element("details", {}, text(`${name} (${(words || strings[head].split(/\s+/).length).toLocaleString("en")} words)`, "summary"));
      folded.addEventListener("toggle", () => folded.children.length > 1 || folded.append(text(strings[head])));
      card.append(folded);
    }
    if (strings[tail]) card.append(text(strings[tail], "pre", { class: "prompt" }));
    if (scores.length) {
      const best = Math.max(...scores);
      const body = pfe.element("tbody");
      scores.forEach((score, at) =>
        body.append(
          pfe.element("tr", score === best ? { class: "best" } : {},
            text(score === best ? "▸" : "", "td"), text(score.toFixed(2), "td"), text(strings[options[at]] ?? `${at + 1}`, "td", { class: "text" })),
        ),
      );
      const caption = text("score of each choice", "caption", { class: "note" });
      card.append(pfe.element("table", { class: "small choices" }, caption, body));
    } else card.append(text(output.trim() ? output : "(nothing but white space)", "pre", { class: "output" }));
    return card;
  };

  const open = async () => {
    const at = address();
    if (!at) return;
    const close = pfe.element("button", { type: "button" }, "Close");
    close.addEventListener("click", () => {
      holder.hidden = true;
      history.replaceState(null, "", "#browser");
      paint();
      (sheet.querySelector("a") ?? search).focus();
    });
    holder.hidden = false;
    if (at.missing) {
      holder.replaceChildren(text(`${at.missing}: no such problem on this page`, "p"), close);
      return;
    }
    const one = benchmarks[at.benchmark];
    const id = one.ids[at.place];
    const title = text(`${one.title}: ${id} `, "h3", { tabindex: "-1", id: "problem-title" });
    const chosen = names.indexOf(at.model);
    const byArm = marks[at.benchmark][chosen];
    const [without, behind] = [byArm.canonical?.[at.place] ?? 2, byArm.icr?.[at.place] ?? 2];
    if (without < 2 && behind < 2) {
      const kind = outcome(without, behind);
      title.append(text(kind, "span", { class: `outcome ${kind}` }));
    }
    const others = pfe.element("p", { class: "note" }, "Answered by ");
    names.forEach((model, place) => {
      if (!Object.keys(marks[at.benchmark][place]).length) return;
      const there = pfe.element("a", { href: `#${[model, one.name, id].map(encodeURI).join("/")}` }, labels[place]);
      if (model === at.model) there.setAttribute("aria-current", "true");
      others.append(there, " ");
    });
    const number = Math.floor(at.place / size);
    try {
      const [shared, answers] = await Promise.all([load(`${one.name}-${number}`), load(`${at.model}/${one.name}-${number}`)]);
      const problem = shared.problems[at.place % size];
      const gold = one.shown
        ? [text([problem.context, problem.question, ...(problem.choices ?? []).map((choice) => `• ${choice}`)].filter(Boolean).join("\n")),
           pfe.element("p", {}, text("Answer: ", "strong"), problem.answer ?? "")]
        : [text("The licence of this benchmark does not allow its texts here; `pfe show` shows them on your machine.", "p", { class: "note" })];
      const cards = answers[at.place % size].map((answer) => arm(answer, shared.strings));
      holder.replaceChildren(pfe.element("div", { class: "bar" }, title, close), others, ...gold, pfe.element("div", { class: "arms" }, ...cards));
    } catch (error) {
      holder.replaceChildren(title, text(error.message, "p", { class: "alarm" }), close);
    }
    paint();
    holder.scrollIntoView({ block: "start" });
    title.focus({ preventScroll: true });
  };
  addEventListener("hashchange", open);

  for (const one of benchmarks) one.lower = one.ids.map((id) => id.toLowerCase());
  const first = names.find((model, at) => marks.some((one) => one[at].icr)) ?? names[0];
  filters.model.value = names.includes("student") ? "student" : first;
  if (filters.arm.querySelector('[value="icr"]')) filters.arm.value = "icr";
  offerFamilies();
  apply();
  open();
}
