"""Draw a graph of imports as an SVG, in rows: a row of boxes lies above everything that it imports.

Example: `svg({"judging": {"scores"}, "scores": set()})` draws the box "judging", and an arrow from it down to "scores".
Two nodes that import each other share a row. An arrow is omitted if a longer path shows the same dependency.
"""

from collections.abc import Mapping
from itertools import chain, pairwise
from statistics import mean

import networkx as nx

Graph = Mapping[str, set[str]]
Cell = tuple[str, int]  # a node in its row, or an arrow ("a>b") in a row that it crosses
ROW, BOX, HIGH, GAP, BEND, SWEEPS = 72, 92, 28, 12, 22, 40  # pixels: rows, boxes, their gaps, the bend of an arrow
TIP = '<marker id="tip" refX="6" refY="3" overflow="visible" orient="auto"><path d="M0 0L6 3L0 6z"/></marker>'


def svg(graph: Graph) -> str:
    """Return the picture as HTML that can stand in Markdown; the tooltip of a box lists all its imports."""
    level = levels(graph)
    arrows = {arrow: _cells(*arrow, level) for arrow in direct(graph)}
    top = max(level.values(), default=0)
    middle = positions(list(arrows.values()), list(level.items()))
    left, right = min(middle.values()) - BOX / 2 - 2, max(middle.values()) + BOX / 2 + 2
    place = {(name, row): (x - left, (top - row) * ROW + 2.0) for (name, row), x in middle.items()}
    lines = [_line([place[cell] for cell in cells]) for cells in arrows.values()]
    boxes = [_box(name, *place[name, level[name]], graph[name]) for name in sorted(graph)]
    size = f"0 0 {right - left:.0f} {top * ROW + HIGH + 4}"
    opening = f'<div class="imports"><svg viewBox="{size}" role="img" aria-label="packages and their imports">'
    return "\n".join([opening, TIP, *lines, *boxes, "</svg></div>"])


def levels(graph: Graph) -> dict[str, int]:
    """Return the row of each node, 0 at the bottom: one above the highest that it imports outside of its circle.

    Example: `levels({"a": {"b", "c"}, "b": {"c"}, "c": set()})` is `{"a": 2, "b": 1, "c": 0}`.
    """
    circles = nx.condensation(nx.DiGraph(graph))
    rows: dict[int, int] = {}
    for circle in reversed([*nx.topological_sort(circles)]):
        rows[circle] = max((rows[below] + 1 for below in circles[circle]), default=0)
    return {name: rows[circle] for name, circle in circles.graph["mapping"].items()}


def direct(graph: Graph) -> list[tuple[str, str]]:
    """Return the arrows that no longer path implies, except paths inside a circle, in alphabetical order.

    Example: `direct({"a": {"b", "c"}, "b": {"c"}, "c": set()})` is `[("a", "b"), ("b", "c")]`.
    """
    circles = nx.condensation(nx.DiGraph(graph))
    circle, reduced = circles.graph["mapping"], nx.transitive_reduction(circles)
    return [
        (start, end)
        for start in sorted(graph)
        for end in sorted(graph[start])
        if circle[start] == circle[end] or reduced.has_edge(circle[start], circle[end])
    ]


def _cells(start: str, end: str, level: Mapping[str, int]) -> list[Cell]:
    """Return the places of an arrow from row to row: its start, the rows that it crosses, its end."""
    between = [(f"{start}>{end}", row) for row in range(level[start] - 1, level[end], -1)]
    return [(start, level[start]), *between, (end, level[end])]


def positions(arrows: list[list[Cell]], nodes: list[Cell]) -> dict[Cell, float]:
    """Return the horizontal middle of every cell: near the cells that it is connected to, apart from its neighbours."""
    near: dict[Cell, list[Cell]] = {cell: [] for cell in sorted({*nodes, *chain(*arrows)})}
    for cells in arrows:
        for one, other in pairwise(cells):
            near[one].append(other)
            near[other].append(one)
    rows = [[cell for cell in near if cell[1] == row] for row in range(max(row for _, row in near) + 1)]
    middle = {cell: float(_wide(cell) * place) for row in rows for place, cell in enumerate(row)}
    for _ in range(SWEEPS):
        for row in (*rows, *reversed(rows)):
            wanted = {cell: mean([middle[one] for one in near[cell]] or [middle[cell]]) for cell in row}
            edge = float("-inf")
            for cell in sorted(row, key=lambda one: wanted[one]):
                middle[cell] = max(wanted[cell], edge + _wide(cell) / 2)
                edge = middle[cell] + _wide(cell) / 2
            shift = mean([wanted[cell] - middle[cell] for cell in row])
            middle |= {cell: middle[cell] + shift for cell in row}
    return middle


def _wide(cell: Cell) -> int:
    return GAP if ">" in cell[0] else BOX + GAP


def _line(points: list[tuple[float, float]]) -> str:
    """Return an arrow that bends between the rows and crosses them upright; one inside a row has two heads."""
    (start, top), (end, bottom) = points[0], points[-1]
    if top == bottom:
        side = BOX / 2 if end > start else -BOX / 2
        return f'<path class="circle" d="M{start + side:.0f} {top + HIGH / 2:.0f}H{end - side:.0f}"/>'
    path = f"M{start:.0f} {top + HIGH:.0f}"
    for (above, _), (x, y) in pairwise(points):
        path += f"C{above:.0f} {y - ROW + HIGH + BEND:.0f} {x:.0f} {y - BEND:.0f} {x:.0f} {y:.0f}"
        path += f"V{y + HIGH:.0f}" if y != bottom else ""
    return f'<path d="{path}"/>'


def _box(name: str, x: float, y: float, imports: set[str]) -> str:
    """Return a box with its name in it."""
    title = f"{name} imports {', '.join(sorted(imports)) or 'no other package'}"
    rect = f'<rect x="{x - BOX / 2:.0f}" y="{y:.0f}" width="{BOX}" height="{HIGH}" rx="4"/>'
    return f'<g id="package-{name}"><title>{title}</title>{rect}<text x="{x:.0f}" y="{y + 19:.0f}">{name}</text></g>'
