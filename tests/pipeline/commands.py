"""Every command that README.md, CONTRIBUTING.md, docs/, conf/, stages and modules print, read out of their texts.

Example: in docs/experiment.md `    dvc exp run -S firewall.threshold=0.25   # one experiment` gives
`Command("docs/experiment.md", ("dvc", "exp", "run", "-S", "firewall.threshold=0.25"))`.
A command that is written into one of these texts is tested by being there.
"""

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.conftest import ROOT

OURS = "|".join(path.stem for path in sorted((ROOT / "pfe/commands").glob("[a-z]*.py")))
TARGETS = "|".join(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
THEIRS = ("hf", "inspect", "lm_eval", "accelerate")
STARTS = (
    rf"(?:[A-Z_]+=\S+ )?(?:dvc|pfe(?= (?:{OURS})\b)|python -m|make(?= (?:{TARGETS})\b)|pipx? install"
    rf"|(?:{'|'.join(THEIRS)})(?= [a-z-]))"
)
# Behind a prompt-like indent, in `code`, or at the end of a comment.
PLACES = (
    re.compile(rf"^(?: {{4,}}|#[^\n]*?\s)({STARTS} [^\n`]+?)(?:\s# [^\n]*)?$", re.MULTILINE),
    re.compile(rf"`({STARTS} [^`]+)`"),
    re.compile(rf"^({STARTS} [^\n`]+)$", re.MULTILINE),
)
PLACEHOLDER = re.compile(r"<[^>]*>")
NO_COMMAND = re.compile(r"dvc (?!exp|repro|metrics|plots|queue|dag|commit|checkout|pull|push)|make test and ")
BLOCK = re.compile(r"^```(?:sh|bash)\n(.*?)^```|((?:^ {4,}\S[^\n]*\n)+)", re.MULTILINE | re.DOTALL)


class Command(NamedTuple):
    """One command, and the file that prints it."""

    where: str
    words: tuple[str, ...]

    @property
    def overrides(self) -> list[str]:
        """What stands behind every -S."""
        return [value for flag, value in zip(self.words, self.words[1:], strict=False) if flag == "-S"]

    @property
    def text(self) -> str:
        return shlex.join(self.words)


def texts() -> Iterator[tuple[str, str]]:
    """The files that print commands, with what people read in them: of Python the docstring of the module."""
    for path in [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted((ROOT / "conf").rglob("*.yaml")),
    ]:
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    for path in sorted([*(ROOT / "stages").glob("*.py"), *(ROOT / "pfe").rglob("*.py")]):
        docstring = re.match(r'"""(.*?)"""', path.read_text(encoding="utf-8"), re.DOTALL)
        if docstring:
            yield path.relative_to(ROOT).as_posix(), docstring[1]


def commands() -> list[Command]:
    """All of them, each once, parts of `a && b` one by one."""
    found: dict[tuple[str, ...], Command] = {}
    for where, text in texts():
        for pattern in PLACES:
            for match in pattern.findall(text):
                for part in re.split(r"\s+&&\s+", match):
                    if not re.match(STARTS, part) or NO_COMMAND.match(part):
                        continue
                    words = _words(part)
                    found.setdefault(words, Command(where, words))
    return list(found.values())


def shell_lines() -> Iterator[Command]:
    """Every line of a block of shell in Markdown, and of an indented one those that begin with a program there is."""
    programs = {path.name for path in Path(sys.executable).parent.iterdir()} | {*THEIRS, "git", "make"}
    for where, text in texts():
        for shell, indented in BLOCK.findall(text) if where.endswith(".md") else ():
            for line in (shell or indented).splitlines():
                for part in re.split(r"\s+&&\s+", line.strip()):
                    if shell or part.partition(" ")[0] in programs:
                        yield Command(where, _words(part))


def _words(line: str) -> tuple[str, ...]:
    return tuple(shlex.split(PLACEHOLDER.sub(_in_one_word, line), comments=True))


def _in_one_word(placeholder: re.Match[str]) -> str:
    return placeholder[0].replace(" ", "_")


def own_model() -> str:
    """The example of a model's file in docs/add.md."""
    (example,) = re.findall(
        r"```yaml\n(# @package models\.mine\n.*?)```", (ROOT / "docs/add.md").read_text(), re.DOTALL
    )
    return str(example)
