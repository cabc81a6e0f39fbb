"""Texts that people read use the words of the field: none of the phrases that outside readers stumbled over."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

# Phrase (a regular expression): what the field says instead.
INSTEAD = {
    r"behind (?:the|an?|its|another|no|this|that|one|both|other|right|changed)\b[^.]{0,30}\blibrar(?:y|ies)": (
        "with the library in context"
    ),
    r"\btold\b": "reported, printed, tested",
    r"false alarms?": "false positives",
    r"\blook-ups?\b": "single-hop retrieval",
    r"(?:leaves?|leaving) out 0": "excludes 0",
    r"\b(?:made|written|drawn|computed|run) anew\b": "regenerated",
    r"worlds that nothing was trained on": "held-out worlds",
    r"\bdraws by seed\b": "sampled with a fixed seed",
    r"(?:keys and values|what) (?:that )?(?:is|are) kept of": "KV cache",
    r"\bnone but\b": "only",
}
CODE = re.compile(r"^```.*?^```|^    .*?$|`[^`\n]*`", re.MULTILINE | re.DOTALL)  # blocks, indented lines, inline
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = sorted(path for folder in ("pfe", "stages", "bench") for path in (ROOT / folder).rglob("*.py"))


def prose(markdown: str) -> str:
    """Return a page with its code blanked out, so that line numbers stay."""
    return CODE.sub(lambda code: re.sub(r"[^\n]", " ", code.group()), markdown)


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of every docstring."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node, clean=False)
            if text:
                yield node.body[0].lineno, prose(text)


def stumbles(text: str, where: str, line: int = 1) -> Iterator[str]:
    for phrase, better in INSTEAD.items():
        for match in re.finditer(phrase, text, re.IGNORECASE):
            at = line + text.count("\n", 0, match.start())
            yield f"{where}:{at}: {match.group()!r}; write {better!r}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_page_uses_the_words_of_the_field(path: Path) -> None:
    assert not list(stumbles(prose(path.read_text(encoding="utf-8")), str(path.relative_to(ROOT))))


def test_docstrings_use_the_words_of_the_field() -> None:
    assert not [
        stumble
        for path in MODULES
        for line, text in docstrings(path.read_text(encoding="utf-8"))
        for stumble in stumbles(text, str(path.relative_to(ROOT)), line)
    ]


def test_code_is_no_prose() -> None:
    page = "A\n\n    told\n\n```\nfalse alarm\n```\n`told` and told\n"
    assert list(stumbles(prose(page), "page")) == ["page:8: 'told'; write 'reported, printed, tested'"]
