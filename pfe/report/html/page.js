"use strict";
// What all parts of the page share: its data, its colours, and tables that sort.
const pfe = {
  data(id) {
    const holder = document.getElementById(id);
    return holder ? JSON.parse(holder.textContent) : null;
  },
  element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  },
  isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
  },
  themed: [],
  announce() {
    for (const listener of pfe.themed) listener();
  },
};

{
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const show = () => button.setAttribute("aria-pressed", String(pfe.isDark()));
  try {
    root.dataset.theme = localStorage.getItem("pfe-theme") || "auto";
  } catch {
    root.dataset.theme = "auto"; // a file may be denied storage
  }
  show();
  button.addEventListener("click", () => {
    root.dataset.theme = pfe.isDark() ? "light" : "dark";
    try {
      localStorage.setItem("pfe-theme", root.dataset.theme);
    } catch {
      // it is kept for this visit only
    }
    show();
    pfe.announce();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    show();
    pfe.announce();
  });
}

for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const key = (row, column) => row.cells[column].dataset.value ?? row.cells[column].textContent;
  heads.forEach((head, column) =>
    head.querySelector("button")?.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") === "descending";
      for (const other of heads) if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...table.tBodies[0].rows].sort((one, other) => {
        const [a, b] = [key(one, column), key(other, column)];
        if ((a === "") !== (b === "")) return a === "" ? 1 : -1; // no figure comes last in both directions
        const numbers = [Number(a), Number(b)];
        const order = numbers.some(Number.isNaN) ? a.localeCompare(b) : numbers[0] - numbers[1];
        return up ? order : -order;
      });
      table.tBodies[0].append(...rows);
    }),
  );
}

for (const select of document.querySelectorAll("select[data-column]")) {
  select.addEventListener("change", () => {
    const wanted = [...select.closest(".filters").querySelectorAll("select")].map((one) => [one.dataset.column, one.value]);
    for (const row of select.closest("section").querySelector("tbody").rows)
      row.hidden = wanted.some(([column, value]) => value && row.cells[column].textContent !== value);
  });
}
