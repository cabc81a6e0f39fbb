"""Strings that sympify, eval or parse_expr would run: nothing runs, whatever reads them."""

import builtins
import os
import subprocess
from pathlib import Path

import pytest

from pfe.expressions.measure import Limits, Question, measure
from pfe.expressions.parser import NotAnExpressionError, parse
from pfe.expressions.pool import Conversation, Pool, Reply

COLUMNS = ("x1", "x2")

INJECTIONS = [
    "__import__('os').system('touch CANARY')",
    "__import__('subprocess').run(['touch', 'CANARY'])",
    "import os; os.system('touch CANARY')",
    "from os import system",
    "os.system('touch CANARY')",
    "open('CANARY', 'w')",
    'open("CANARY", "w").write("x")',
    "open('CANARY', 'w') or x1",
    'exec(\'open("CANARY", "w")\')',
    'eval(\'open("CANARY", "w")\')',
    "eval(compile('open(\"CANARY\", \"w\")', '', 'exec'))",
    "compile('1', '', 'eval')",
    "breakpoint()",
    "input()",
    "exit()",
    "print(x1)",
    "globals()",
    "getattr(x1, 'free_symbols')",
    "().__class__.__bases__[0].__subclasses__()",
    "().__class__.__mro__[1].__subclasses__()[-1].__init__.__globals__",
    "x1.__class__",
    "x1.subs(x1, open('CANARY', 'w'))",
    "x1.func.__init__.__globals__['__builtins__']",
    "Symbol.__class__",
    "Symbol('x1').__class__.__mro__",
    "E.__init__",
    'S(\'open("CANARY", "w")\')',
    'sympify(\'open("CANARY", "w")\')',
    "Lambda(x1, open('CANARY', 'w'))",
    "Function('f')(x1)",
    "Integer(1).__class__",
    "lambda: open('CANARY', 'w')",
    "(lambda x: x)(x1)",
    "[open('CANARY', 'w') for _ in (1,)][0]",
    "{open('CANARY', 'w')}",
    "x1 if open('CANARY', 'w') else x2",
    "(y := open('CANARY', 'w'))",
    'f\'{open("CANARY", "w")}\'',
    "'''x1'''",
    "'x1' + \"x2\"",
    "x1; open('CANARY', 'w')",
    "x1\nopen('CANARY', 'w')",
    "x1 # open('CANARY', 'w')",
    "x1\x00open('CANARY', 'w')",
    "\x00",
    "@x1",
    "`touch CANARY`",
    "$(touch CANARY)",
    "${x1}",
    "x1 | x2",
    "x1 & x2",
    "x1 @ x2",
    "~x1",
    "x1 % 2",
    "x1 == x2",
    "x1 = 3",
    "x1!",
    "x1[0]",
    "*x1",
    "**x1",
    "sin(*x1)",
    "sin(x=x1)",
    "max(x1, key=open)",
    "0x10 + x1",
    "1_000*x1",
    "1j*x1",
    "ｓｉｎ(x1)",
    "х1 + x2",  # a Cyrillic х
    "x１",  # a full-width digit
    "x1 − x2",  # U+2212
    "x1\u200b + x2",
    "x1\u202e + x2",
    "9**9**9**9",
    "x1**9**9",
    "x1**1000000000",
    "((2**100)**100)**100",
    "2**-1000000",
    "1e999",
    "1e1000000000",
    "nan",
    "-inf",
    "zoo + x1",
    "oo",
    "pi.evalf(1000000000)",
    "factorial(1000000000)",
    "gamma(x1)",
    "Integral(x1, x1).doit()",
    "solve(x1)",
]

SLOW = ["exp(" * 30 + "x1" + ")" * 30, "(x1 + x2)**100/(x1 - x2)**100", "2**sqrt(1000000000000000000000000000000)"]


DANGEROUS = [
    *((builtins, name) for name in ("eval", "exec", "open", "compile", "input", "breakpoint")),
    *((os, name) for name in ("system", "popen", "open")),
    (subprocess, "Popen"),
]


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    return tmp_path / "canary"


@pytest.mark.parametrize("text", INJECTIONS)
def test_an_injection_is_refused_and_nothing_runs(text: str, canary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []
    with monkeypatch.context() as patch:
        for module, name in DANGEROUS:
            patch.setattr(module, name, lambda *given, name=name, **named: called.append(name))
        refusal = None
        try:
            parse(text.replace("CANARY", str(canary)), COLUMNS)
        except NotAnExpressionError as error:
            refusal = error
    assert refusal is not None
    assert (called, canary.exists()) == ([], False)


def test_measuring_injections_runs_nothing_in_the_children_either(canary: Path) -> None:
    texts = [text.replace("CANARY", str(canary)) for text in INJECTIONS]

    def straight_to_the_child(text: str) -> Conversation[Reply]:
        return (yield {"task": "count", "model": text, "columns": COLUMNS})

    with Pool(1, seconds=20, memory_mb=1024) as pool:
        replies = dict(pool.run([straight_to_the_child(text) for text in texts]))
    assert {reply.status for reply in replies.values()} == {"failed"}
    assert all(reply.reason.startswith("NotAnExpressionError: character") for reply in replies.values())
    measured = measure([Question(text, COLUMNS) for text in texts], Limits(), None, workers=1)
    assert {found.status for found in measured} == {"unparsed"}
    assert not canary.exists()


def test_what_is_a_formula_and_explodes_has_a_bounded_measurement() -> None:
    questions = [Question(text, COLUMNS) for text in (*SLOW, "x1 + x2")]
    *exploding, harmless = measure(questions, Limits(seconds=1, memory_mb=256), None, workers=1)
    assert all(found.parsed and found.simplified for found in exploding)
    assert exploding[-1].status in ("timeout", "failed")
    assert (harmless.simplified, harmless.status) == (3, "simplified")
