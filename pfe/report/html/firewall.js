"use strict";
// The slider over a gate's thresholds: its two figures in words, and a line in the plot.
{
  const { gates, used } = pfe.data("sweep") ?? {};
  const [gate, slider, output] = ["gate", "threshold", "threshold-said"].map((id) => document.getElementById(id));
  const percent = (value) => (value === null ? "not measured" : `${value.toFixed(1)} %`);
  const say = () => {
    const { threshold, recall, false_positives } = gates[gate.value];
    const at = Number(slider.value);
    const chosen = Math.abs(threshold[at] - (used[gate.value] ?? -1)) < 1e-9 ? " (the threshold in use)" : "";
    output.textContent =
      `At the threshold ${threshold[at].toFixed(3)}${chosen}, ${gate.value} alone detects ${percent(recall[at])} of the ` +
      `disguised problems and rejects ${percent(false_positives[at])} of the clean ones.`;
    slider.setAttribute("aria-valuetext", threshold[at].toFixed(3));
    pfe.signal("thresholds", { gate: gate.value, at: threshold[at] });
  };
  const begin = () => {
    const { threshold } = gates[gate.value];
    const wanted = used[gate.value] ?? threshold[threshold.length >> 1];
    slider.max = threshold.length - 1;
    slider.value = threshold.reduce((best, one, at) => (Math.abs(one - wanted) < Math.abs(threshold[best] - wanted) ? at : best), 0);
    say();
  };
  if (gate) {
    gate.addEventListener("change", begin);
    slider.addEventListener("input", say);
    begin();
  }
}
