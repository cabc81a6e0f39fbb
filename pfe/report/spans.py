"""Spans in the report and on the terminal: accuracy by skill and size of the library, and the span of each skill.

Example: "| hops | 25.0 | 100.0 [83.9, 100.0] | 95.0 [76.4, 99.1] | 30.0 [14.5, 51.9] | 33 [20, 51] |", on the terminal
"hops       4 ██ 100 %   16 ▇▇ 95 %   64 ▃▃ 30 %   chance 25 %   span 33 [20, 51]".
"""

from collections.abc import Iterator, Mapping

from pfe.report.cells import NONE, decimal, with_interval
from pfe.report.markdown import markdown
from pfe.report.skills import TITLES
from pfe.scores.benchmark import BenchmarkScore
from pfe.scores.proportion import Proportion
from pfe.scores.spans import MeanSpan, Span, Spans

BARS = "▁▂▃▄▅▆▇█"
READING = (
    "Accuracy by skill and by the number of statements in the library, %, with the library in context. The span is the "
    "number of statements at which accuracy less chance falls to one half of what chance leaves; “<” and “>” mean that "
    "it, or a limit of its 95 % CI, is below or above the sizes that were asked. Chance is the accuracy of the best "
    "constant answer or of guessing, whichever is more. PFE-Span is the geometric mean over skills; a span below "
    "counts as half the smallest size, one above as twice the largest."
)
READING_OF_NAMES = "The same accuracies, %, with plain names and with confusable ones (one letter apart)."


def spans(scores: Mapping[str, BenchmarkScore], benchmarks: Mapping[str, str]) -> str:
    """Return one model's spans on each benchmark that has any, in Markdown; empty if none has.

    Args:
        scores: by benchmark.
        benchmarks: their titles by name.
    """
    parts = [
        f"{title}:\n\n{_by_size(found)}\n\n{_mean(found.mean)}\n\n{READING_OF_NAMES}\n\n{_by_names(found)}"
        for title, found in _found(scores, benchmarks)
    ]
    return "\n\n".join(parts)


def curves(scores: Mapping[str, BenchmarkScore], benchmarks: Mapping[str, str]) -> str:
    """Return one model's spans for the terminal, one line per skill; empty if no benchmark has spans."""
    return "\n\n".join(
        "\n".join([f"Spans: {title}, accuracy by statements in the library", *_lines(found), _mean(found.mean)])
        for title, found in _found(scores, benchmarks)
    )


def span_text(span: Span | None) -> str:
    """Return a span with its 95 % CI, as "33 [20, >64]"; a dash if there is none."""
    if span is None:
        return NONE
    value = f"<{span.smallest}" if span.below else f">{span.largest}" if span.above else statements(span.value)
    return f"{value} [{_limit(span.low, span)}, {_limit(span.high, span)}]"


def statements(value: float) -> str:
    """Return a number of statements, with one decimal below ten."""
    return f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"


def _limit(value: float, span: Span) -> str:
    if value <= span.smallest:
        return f"<{span.smallest}"
    return f">{span.largest}" if value >= span.largest else statements(value)


def _found(scores: Mapping[str, BenchmarkScore], benchmarks: Mapping[str, str]) -> Iterator[tuple[str, Spans]]:
    for name, title in benchmarks.items():
        score = scores.get(name)
        if score and score.spans:
            yield title, score.spans


def _ladder(spans: Spans) -> list[int]:
    return sorted({rung for by_rung in spans.rungs.values() for rung in by_rung})


def _by_size(spans: Spans) -> str:
    ladder = _ladder(spans)
    rows = [
        [TITLES[skill], _chance(spans.skills.get(skill)), *_accuracies(by_rung, ladder),
         span_text(spans.skills.get(skill))]
        for skill, by_rung in spans.rungs.items()
    ]  # fmt: skip
    return markdown(["skill", "chance, %", *map(str, ladder), "span [95 % CI]"], rows)


def _by_names(spans: Spans) -> str:
    ladder = _ladder(spans)
    rows = [
        [TITLES[skill], names, *_accuracies(by_rung, ladder)]
        for skill, by_names in spans.by_names.items()
        for names, by_rung in by_names.items()
    ]
    return markdown(["skill", "names", *map(str, ladder)], rows, left=(0, 1))


def _accuracies(by_rung: Mapping[int, Proportion], ladder: list[int]) -> list[str]:
    return [with_interval(by_rung.get(rung)) for rung in ladder]


def _chance(span: Span | None) -> str:
    return decimal(span.chance) if span else NONE


def _mean(mean: MeanSpan | None) -> str:
    if mean is None:
        return "PFE-Span: none, for no skill was asked with libraries of two sizes."
    value, low, high = map(statements, (mean.value, mean.low, mean.high))
    skills = "1 skill" if mean.skills == 1 else f"{mean.skills} skills"
    return f"PFE-Span: {value} statements [{low}, {high}] (geometric mean over {skills}, n = {mean.n:,})"


def _lines(spans: Spans) -> Iterator[str]:
    width = max(len(TITLES[skill]) for skill in spans.rungs)
    for skill, by_rung in spans.rungs.items():
        points = "  ".join(f"{rung:>5} {_bar(one.value)} {one.value:3.0f} %" for rung, one in by_rung.items())
        span = spans.skills.get(skill)
        chance = f"   chance {span.chance:.0f} %" if span else ""
        yield f"{TITLES[skill]:<{width}} {points}{chance}   span {span_text(span)}"


def _bar(percent: float) -> str:
    return 2 * BARS[min(int(percent / 100 * len(BARS)), len(BARS) - 1)]
