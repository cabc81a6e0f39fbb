"""A problem with a model's prompt and answer in every arm, side by side if the terminal is wide enough.

Example, the first arm on a narrow terminal:
    arc_easy/7: fixed
    Which tool measures air pressure?
    ● barometer
    ○ ruler
    Gold: barometer

    canonical: wrong
      Prompt
        Question: Which tool measures air pressure?
        Answer:
      Scores
             -7.20  barometer
        >    -6.90  ruler
      Read
        'ruler'
      Ended
        a choice was scored; 12 tokens in, 8 out
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from textwrap import shorten
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pfe.config import Config
from pfe.evaluation.reconstruction import asked_of, split
from pfe.icr.prefix import Prefix
from pfe.icr.retrieval import Entry
from pfe.problem import Problem, ScoredPrediction, Stop
from pfe.report.problem import parts
from pfe.scores.outcomes import Outcome
from pfe.terminal import plain

STYLES = {"fixed": "bold green", "broken": "bold red"}
ENDINGS: Mapping[Stop, str] = {
    "choice": "a choice was scored",
    "cut": "a choice was scored; the beginning did not fit the window",
    "stop": "at a stop string",
    "end": "at the end of text",
    "length": "cut off: no more tokens",
    "repeat": "ended: it repeated itself",
    "too_long": "not asked: longer than the window",
    "none": "nothing usable came",
}
ASKED = ("context", "question", "functions", "setup", "tests")  # parts of a problem that are shown above its choices
COLUMN = 44  # least width of an arm's column, in characters


@dataclass(frozen=True)
class ArmAnswer:
    """The answer in one arm, with its prompt and the continuations (`options`) that were scored.

    `library` is the prefix of the arm, which is part of the prompt. `gold` is the correct answer in this arm.
    """

    row: ScoredPrediction
    prompt: str
    options: tuple[str, ...]
    library: Prefix
    gold: str

    @property
    def folded(self) -> str:
        """The prompt with the library folded into one line: its title, arm and size."""
        text = self.library.head + "".join(self.library.methods)
        return self.prompt.replace(text, f"▸ {library_name(self)}\n\n", 1) if text else self.prompt


def arm_answers(
    problem: Problem,
    rows: Iterable[ScoredPrediction],
    settings: Config,
    shots: Sequence[Problem],
    entries: Sequence[Entry] = (),
) -> list[ArmAnswer]:
    """Return the answers to one problem with their prompts.

    Raises:
        UserError: a prompt cannot be reconstructed.
    """
    answers = []
    for row in rows:
        texts, prefix = asked_of(row, problem, settings, shots, entries)
        prompt, options = split(texts)
        answers.append(ArmAnswer(row, prompt, options, prefix, problem.answer_in(row.arm)))
    return answers


def library_name(answer: ArmAnswer) -> str:
    """Return a title for the prefix of an answer's prompt: "[METHOD LIBRARY], icr: 14 of 16 methods, 310 words"."""
    row, library = answer.row, answer.library
    title = library.head.strip() or "[SOLVED PROBLEMS]"
    count, words = len(library.methods), len(f"{library.head}{''.join(library.methods)}".split())
    of = f" of {count + row.dropped:,}" if row.dropped else ""
    return f"{title}, {row.arm}: {count:,}{of} {'method' if count == 1 and not of else 'methods'}, {words:,} words"


def listing(
    rows: Iterable[ScoredPrediction], outcome_of: Mapping[str, Outcome], arms: Sequence[str] = ("canonical", "icr")
) -> list[str]:
    """Return a header line, then one line per problem: its id, its outcome, and the extracted answer in each arm."""
    extracted: dict[str, dict[str, str]] = {}
    for row in rows:
        if row.order == 0:
            extracted.setdefault(row.problem_id, {})[row.arm] = repr(shorten(row.extracted, 40, placeholder="…"))
    cells = [
        ["problem", "outcome", *(f"{arm} read" for arm in arms)],
        *([id, outcome_of.get(id, ""), *(read.get(arm, "") for arm in arms)] for id, read in extracted.items()),
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(map(str.ljust, line, widths)).rstrip() for line in cells]


def figures(problem: Problem, arms: Sequence[ArmAnswer], outcome: str) -> dict[str, Any]:
    """Return everything that `Page` shows and all fields of the rows, for JSON."""
    answers = [
        {
            **vars(answer.row),
            "prompt": answer.prompt,
            "options": answer.options,
            "library": library_name(answer) if answer.library.methods else "",
            "gold": answer.gold,
        }
        for answer in arms
    ]
    return {"problem": asdict(problem), "outcome": outcome, "answers": answers}


@dataclass(frozen=True)
class Page:
    """The problem and its answers as a Rich renderable: arms side by side if at least two fit, else stacked.

    All texts are shown verbatim: markup is not interpreted, and no control character reaches the terminal.
    """

    problem: Problem
    arms: Sequence[ArmAnswer]
    outcome: str = ""
    full: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self._head()
        most = min(len(self.arms), options.max_width // COLUMN)
        if most < 2:
            for answer in self.arms:
                yield from _stacked(answer, self.full, wraps=not options.no_wrap)
            return
        rows = ceil(len(self.arms) / most)
        columns = ceil(len(self.arms) / rows)
        for first in range(0, len(self.arms), columns):
            yield Text()
            yield _beside(self.arms[first : first + columns], columns, self.full)

    def _head(self) -> Iterator[Text]:
        yield Text.assemble((plain(self.problem.id), "bold"), *self._outcome())
        texts = parts(self.problem)
        for name in ASKED:
            if name in texts:
                yield Text(plain(texts[name]))
        for choice in self.problem.choices:
            is_gold = choice == self.problem.answer
            yield Text(plain(f"{'●' if is_gold else '○'} {choice}"), style="green" if is_gold else "")
        yield Text.assemble(("Gold: ", "dim"), (plain(self.problem.answer), "green"))

    def _outcome(self) -> list[tuple[str, str]]:
        return [(f": {self.outcome}", STYLES.get(self.outcome, ""))] if self.outcome else []


def _stacked(answer: ArmAnswer, full: bool, wraps: bool) -> Iterator[Text | Padding]:
    yield Text()
    yield _title(answer)
    for name, text in _parts(answer, full).items():
        yield Text(f"  {name}", style="dim")
        yield Padding(text, (0, 0, 0, 4), expand=False) if wraps else _indented(text)


def _indented(text: Text) -> Text:
    """Return the text indented by four characters; `Padding` would cut lines that are wider than the terminal."""
    return Text("\n").join(Text.assemble("    " if line.plain else "", line) for line in text.split("\n"))


def _beside(answers: Sequence[ArmAnswer], columns: int, full: bool) -> Table:
    """Return a table with one column per arm and one row per part, so that corresponding parts are aligned."""
    table = Table(expand=True, show_lines=True, padding=(0, 1))
    for answer in answers:
        table.add_column(_title(answer), ratio=1, overflow="fold")
    for _ in range(columns - len(answers)):
        table.add_column(ratio=1)
    by_arm = [_parts(answer, full) for answer in answers]
    for name in dict.fromkeys(name for by_name in by_arm for name in by_name):
        cells = [Text.assemble((f"{name}\n", "dim"), by_name[name]) if name in by_name else "" for by_name in by_arm]
        table.add_row(*cells)
    return table


def _title(answer: ArmAnswer) -> Text:
    order = f", order {answer.row.order}" if answer.row.order else ""
    mark = ("right", "bold green") if answer.row.correct else ("wrong", "bold red")
    return Text.assemble((f"{answer.row.arm}{order}: ", "bold"), mark)


def _parts(answer: ArmAnswer, full: bool) -> dict[str, Text]:
    """Return the parts of an arm's answer by heading."""
    row = answer.row
    texts = {"Prompt": Text(plain((answer.prompt if full else answer.folded).rstrip("\n")))}
    texts |= {"Scores": _scores(answer)} if row.scores else {"Output": Text(plain(row.output))}
    texts["Read"] = Text(plain("; ".join(_readings(answer))))
    left_out = f", {row.dropped:,} methods left out" if row.dropped else ""
    texts["Ended"] = Text(f"{ENDINGS[row.stop]}; {row.tokens_in:,} tokens in{left_out}, {row.tokens_out:,} out")
    return texts


def _scores(answer: ArmAnswer) -> Text:
    best = max(answer.row.scores)
    lines = [
        (plain(f"{'>' if score == best else ' '} {score:8.2f}  {option.strip()}\n"), "bold" if score == best else "")
        for option, score in zip(answer.options, answer.row.scores, strict=False)
    ]
    text = Text.assemble(*lines)
    text.rstrip()
    return text


def _readings(answer: ArmAnswer) -> Iterator[str]:
    """Yield the extracted answer, the scorer's other readings if they differ, and the arm's own correct answer."""
    row = answer.row
    yield repr(row.extracted) if row.extracted else "nothing"
    if row.correct_norm is not None and row.correct_norm != row.correct:
        yield f"per character {'right' if row.correct_norm else 'wrong'}"
    if row.strict is not None and row.strict_correct != row.correct:
        yield f"strictly {row.strict!r}, {'right' if row.strict_correct else 'wrong'}"
    if row.arm in ("contradicted", "agreeing"):
        yield f"right here: {answer.gold!r}{', this is what the world says' if row.otherwise else ''}"
