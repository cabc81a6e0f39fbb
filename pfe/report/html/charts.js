"use strict";
// Draws every plot when it comes into view, anew where colours or width change.
{
  const specs = pfe.data("specs") ?? {};
  const views = new Map();
  const wanted = {}; // signals by chart, for those that are not drawn yet too
  const select = document.getElementById("plot-model");

  const config = () => {
    const style = getComputedStyle(document.body);
    const [ink, line] = [style.getPropertyValue("--ink").trim(), style.getPropertyValue("--line").trim()];
    const text = { labelColor: ink, titleColor: ink };
    return {
      background: "transparent",
      font: style.fontFamily,
      view: { stroke: line },
      axis: { ...text, gridColor: line, domainColor: line, tickColor: line },
      legend: text,
      header: text,
      title: { color: ink, subtitleColor: ink },
      text: { color: ink },
    };
  };

  const draw = async (holder) => {
    const spec = structuredClone(specs[holder.dataset.chart]);
    const old = views.get(holder);
    const { view } = await vegaEmbed(holder, spec, { renderer: "svg", actions: false, config: config() });
    old?.finalize();
    views.set(holder, view);
    const drawing = holder.querySelector("svg");
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", spec.description ?? holder.dataset.chart);
    choose(view);
    for (const [name, value] of Object.entries(wanted[holder.dataset.chart] ?? {})) view.signal(name, value);
    view.runAsync();
    holder.dataset.drawn = "yes";
  };

  const choose = (view) => {
    if (select && "model" in view.getState().signals) view.signal("model", select.value).runAsync();
  };

  pfe.signal = (chart, values) => {
    wanted[chart] = values;
    for (const [holder, view] of views) {
      if (holder.dataset.chart !== chart) continue;
      for (const [name, value] of Object.entries(values)) view.signal(name, value);
      view.runAsync();
    }
  };

  const seen = new IntersectionObserver(
    (entries) => {
      for (const entry of entries.filter((one) => one.isIntersecting)) {
        seen.unobserve(entry.target);
        draw(entry.target);
      }
    },
    { rootMargin: "300px" },
  );
  pfe.drawAll = () => Promise.all([...document.querySelectorAll("[data-chart]")].map(draw));
  for (const holder of document.querySelectorAll("[data-chart]")) {
    holder.style.minHeight = `${specs[holder.dataset.chart].height + 90}px`; // so that nothing below moves later
    seen.observe(holder);
  }
  select?.addEventListener("change", () => views.forEach(choose));
  pfe.themed.push(() => Promise.all([...views.keys()].map(draw)));
  addEventListener("beforeprint", () => {
    for (const holder of document.querySelectorAll("[data-chart]:not([data-drawn])")) draw(holder);
  });
}
