"""Strings that sympify, eval or parse_expr would run: nothing runs, whatever reads them."""

import builtins
import json
import os
import subprocess
from functools import partial
from pathlib import Path

import pytest

from pfe.processes.pool import Conversation, Pool
from pfe.processes.report import Report
from pfe.processes.server import Task
from pfe.symreg.expressions.measure import Question, StepLimits, measure
from pfe.symreg.expressions.parser import NotAnExpressionError, parse
from pfe.symreg.expressions.steps import run_step

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
    "factor_terms(open('CANARY', 'w'))",
    "factor_terms(x1, open('CANARY', 'w'))",
    'nsimplify(\'open("CANARY", "w")\')',
    "simplify(x1, measure=open)",
    "collect(x1, open('CANARY', 'w'))",
    "np.load('CANARY')",
    "np.lib.npyio.os.system('touch CANARY')",
    "np.__builtins__",
    "np.fromfile('CANARY')",
    "torch.load('CANARY')",
    'sympy.sympify(\'open("CANARY", "w")\')',
    "sp.lambdify(x1, open('CANARY', 'w'))",
    "math.__loader__",
    "pi.__class__",
    "np.pi.__class__",
    "E.func(open('CANARY', 'w'))",
    "x[open('CANARY', 'w')]",
    "x[__import__('os').system('touch CANARY')]",
    "X[:, 0].tofile('CANARY')",
    "x[0].__class__",
    "x[0:1]",
    "x[[0]]",
    "X[:, -1]",
    "Piecewise((open('CANARY', 'w'), True))",
    "Piecewise((x1, open('CANARY', 'w')), (0, True))",
    "Piecewise(*[(x1, True)])",
    "Piecewise((x1, True), evaluate=False)",
    "Piecewise((x1, True)).func",
    "ITE(open('CANARY', 'w'), 1, 2)",
    "where(x1 > 0, exec('import os'), 1)",
    "x1 > 0 and open('CANARY', 'w')",
    "not open('CANARY', 'w')",
    "Float('1.5', precision=10**9)",
    "Integer('1').__class__",
    "Rational(1, 2).__class__",
    "Symbol('x1')",
    "And",
    "True",
    "x1 > 0 > x2",
    "(x1 > 0)*open('CANARY', 'w')",
    "x1 <> x2",
    "x1 -> x2",
    "x1 <- open('CANARY', 'w')",
    "x1 if x1 > 0 else x2",
    "√x1",
    "x1²",
    "pow(9, pow(9, 9))",
    "9^9^9",
    "square(" * 40 + "99" + ")" * 40,
    "cube(10)**99999",
    "exp2(2)**1000000000",
    "1e400 + x1",
    "2e308",
    "solve(x1)",
]

# What an injection may be put into, so that it stands where a number, a condition, a name or an operator is due.
AROUND = [
    *(
        "{}",
        "({})",
        "-{}",
        "+{}",
        "~{}",
        "not {}",
        "x1 + {}",
        "{} + x1",
        "x1*({})",
        "x1**{}",
        "x1 > {}",
        "{} and x1 > 0",
    ),
    *(
        "sin({})",
        "np.sin({})",
        "Abs({})",
        "square({})",
        "pow(x1, {})",
        "max(x1, {})",
        "Add(x1, x2, {})",
        "Heaviside({})",
    ),
    *("Piecewise(({}, True))", "Piecewise((x1, {}), (x2, True))", "Piecewise((x1, x1 > {}), (x2, True))"),
    *(
        "ITE({}, x1, x2)",
        "ITE(x1 > 0, {}, x2)",
        "where(x1 > 0, x1, {})",
        "And(x1 > 0, {})",
        "np.{}",
        "x[{}]",
        "X[:, {}]",
    ),
    *("{}.x1", "{}(x1)", "x1({})", "x1[{}]", "'{}'", "Symbol('{}')", "Float('{}')", "{0} if {0} else {0}", "{0}; {0}"),
]

FORKED = "Piecewise((x1 + {0}, x1 > {0}), (x2*{0}, True))"
SLOW = [
    "*".join(FORKED.format(number) for number in range(1, 40)),
    "exp(" * 30 + "x1" + ")" * 30,
    "(x1 + x2)**100/(x1 - x2)**100",
    "2**sqrt(1000000000000000000000000000000)",
]


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


def test_an_injection_within_anything_runs_nothing(canary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some become formulas, `where(x1 == x2, 1, 2)` is one; what is read is computed too."""
    texts = [around.replace("{0}", "{}").replace("{}", text) for around in AROUND for text in INJECTIONS]
    texts = [text.replace("CANARY", str(canary)) for text in texts]
    called: list[str] = []
    read = 0
    with monkeypatch.context() as patch:
        for module, name in DANGEROUS:
            patch.setattr(module, name, lambda *given, name=name, **named: called.append(name))
        for text in texts:
            try:
                model = parse(text, COLUMNS)
            except NotAnExpressionError:
                continue
            read += 1
            model.predict([[1.0, 2.0]])
    assert (called, canary.exists()) == ([], False)
    assert len(texts) > 5000
    assert read < len(texts) / 20


@pytest.mark.slow
def test_measuring_injections_runs_nothing_in_the_children_either(canary: Path) -> None:
    texts = [text.replace("CANARY", str(canary)) for text in INJECTIONS]

    def straight_to_the_child(text: str) -> Conversation[Report]:
        return (yield Task(partial(run_step, "count", {"model": text, "columns": COLUMNS}, 1024), 60))

    with Pool(1, ["pfe.symreg.expressions.steps"]) as pool:
        reports = dict(pool.run([straight_to_the_child(text) for text in texts]))
    assert {report.end for report in reports.values()} == {"answered"}
    replies = [json.loads(report.answer) for report in reports.values()]
    assert all(reply["failed"].startswith("NotAnExpressionError: character") for reply in replies)
    measured = measure([Question(text, COLUMNS) for text in texts], StepLimits(), None, workers=1)
    assert {found.status for found in measured} == {"unparsed"}
    assert not canary.exists()


@pytest.mark.slow
def test_what_is_a_formula_and_explodes_has_a_bounded_measurement() -> None:
    questions = [Question(text, COLUMNS) for text in (*SLOW, "x1 + x2")]
    *exploding, harmless = measure(questions, StepLimits(seconds=1, memory_mb=256), None, workers=1)
    assert all(found.parsed and found.simplified for found in exploding)
    assert exploding[-1].status in ("timeout", "failed")
    assert (harmless.simplified, harmless.status) == (3, "simplified")
