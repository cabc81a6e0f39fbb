"""Conversion of a row with any columns to a problem: each column gets a role, and no text of the row is dropped.

Example: {"messages": [{"role": "user", "content": "What is 2 + 2?"}, {"role": "assistant", "content": "4"}]} becomes
    Problem("a.jsonl:1", "a", "math", "What is 2 + 2?", "4")

A row has our columns (those of `Problem`) or others: questions and answers, prompts and completions, instructions and
outputs, messages, conversations, programs and their tests, documents. Columns, and the keys inside them, are
recognised by the names in `_NAMES`. Text under an unknown name is added to the `aliases`, which are compared one by
one like answers and have no other effect.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, replace
from decimal import Decimal
from typing import Any, Literal

from pfe.problem import DOMAINS, Domain, Problem
from pfe.rows.row import Columns
from pfe.scorers.python import callee, syntax_tree

WORDS = 5  # labels such as ids and roles, and parts of lists, count as texts from this many words on

Role = Literal[
    "question", "context", "choices", "answer", "reply", "aliases", "solution", "program", "tests", "setup",
    "other", "inner", "label",
]  # fmt: skip
_NAMES: Mapping[Role, str] = {
    "question": "text question prompt instruction query problem input request sentence goal ctx statement",
    "context": "context passage article system system_prompt",
    "choices": "choices options endings option1 option2",
    "answer": "answer answers output response completion target reply",
    "aliases": "aliases",
    "solution": "solution rationale reasoning explanation chosen",
    "program": "code program canonical_solution",
    "tests": "tests test_list test challenge_test_list",
    "setup": "setup test_setup_code",
    "label": "id set domain group family tutor type role from name label",
}
ROLE_NAMES = ("id", *(role for role, names in _NAMES.items() if role in names.split() and role != "label"))
_ROLES: Mapping[str, Role] = {name: role for role, names in _NAMES.items() for name in names.split()}
_SPEAKERS: Mapping[str, Role] = {
    **dict.fromkeys(("user", "human"), "question"),
    **dict.fromkeys(("system", "developer"), "context"),
    **dict.fromkeys(("assistant", "gpt", "model", "bot", "chatgpt"), "reply"),
}  # fmt: skip
_CONVERSATIONS = ("messages", "conversations", "conversation")
_NUMBERS: tuple[Role, ...] = ("choices", "answer", "aliases", "solution")

_COLUMNS = tuple(field.name for field in fields(Problem))
_REQUIRED = tuple(field.name for field in fields(Problem) if field.default is MISSING)
_TEXTS = ("choices", "aliases", "tests", "functions")
_LABELS = ("id", "set", "group", "family", "tutor", "skill", "names")  # a long one counts as text: it may hide a copy
_NUMBER = re.compile(r"[-+]?\$?\d[\d,]*(?:\.\d+)?%?\Z")
_FINAL = re.compile(r"(?:\bAnswer:\s*)?####\s*([-+]?\$?\d[\d,]*(?:\.\d+)?%?)\Z")
_BOXED = re.compile(r"\\boxed\{\s*\\?([-+]?\$?\d[\d,]*(?:\.\d+)?)\\?%?\s*\}")


def renamed(row: Columns, columns: Mapping[str, str]) -> Columns:
    """Return a row with columns renamed to their roles; a column that already had such a name becomes other text.

    Args:
        columns: the role ("question", "answer" and so on) of columns, by name.

    Raises:
        KeyError: the row has no such column.
    """
    values: dict[str, Any] = {}
    for name, value in row.items():
        if name not in columns:
            values[f"column {name}" if _role(name, "other") in columns.values() else name] = value
    for name, role in columns.items():
        values[role] = [*values[role], row[name]] if isinstance(values.get(role), list) else [row[name]]
    return values | {"id": values["id"][0]} if "id" in columns.values() else values


def with_our_columns(values: Columns) -> Problem | None:
    """Return a row with the columns of Problem, each of the correct type, as a problem; None if it is not one."""
    if "text" in values or values.get("domain") not in DOMAINS or not all(name in values for name in _REQUIRED):
        return None
    kwargs: dict[str, Any] = {name: values[name] for name in _COLUMNS if values.get(name) is not None}
    if not all(isinstance(kwargs.get(name, []), list) for name in _TEXTS):
        return None
    kwargs |= {name: tuple(kwargs.get(name, ())) for name in _TEXTS}
    texts = [kwargs[name] for name in _REQUIRED if name in kwargs]
    texts += [kwargs[name] for name in ("context", "solution", "setup", "group", "family", "tutor") if name in kwargs]
    texts += [part for name in _TEXTS for part in kwargs[name]]
    seed = kwargs.get("seed", -1)
    if len(texts) < len(_REQUIRED) or not all(isinstance(text, str) for text in texts):
        return None
    if not kwargs["question"].strip() or not isinstance(seed, int) or not -(2**63) <= seed < 2**63:
        return None
    if not _with_libraries(kwargs):
        return None
    others = {name: value for name, value in values.items() if name not in _COLUMNS}
    labels = [kwargs[name] for name in _LABELS if _wordy(kwargs.get(name, ""))]
    return _with(Problem.of(kwargs), [*labels, *(text for _, text in _texts(others, "inner"))])


def _with_libraries(values: Mapping[str, Any]) -> bool:
    """Return whether the library fields that a problem has are of the correct types."""
    library, needed, variants = (values.get(name, ()) for name in ("library", "needed", "variants"))
    if not all(isinstance(value, list | tuple) for value in (library, needed, variants)):
        return False
    if not all(isinstance(variant, dict) and isinstance(variant.get("library"), list) for variant in variants):
        return False
    texts = [*library, values.get("skill", ""), values.get("names", "")]
    for variant in variants:
        if variant.keys() - {"name", "library", "answer", "otherwise"}:
            return False
        texts += [*variant["library"], *(variant.get(name, "") for name in ("name", "answer", "otherwise"))]
    numbers = [*needed, values.get("rung", 0)]
    return all(isinstance(text, str) for text in texts) and all(isinstance(number, int) for number in numbers)


def with_known_names(values: Columns) -> Problem:
    """Return any other row as a problem; its id and set are empty if the row names none.

    A final number ("#### 18", "\\boxed{18}") is the answer. A missing or unknown domain is guessed: tests in Python
    with a program give "code", a numeric answer gives "math", and anything else "reading", for which no structure is
    compared.

    Raises:
        ValueError: there is no text, or the question is empty and the rest says too little.
        TypeError: bytes that are not text occur where text is expected.
    """
    texts: dict[Role, list[str]] = {}
    for role, text in _texts(values, "other"):
        texts.setdefault(role, []).append(text)

    def of(*roles: Role) -> list[str]:
        return list(dict.fromkeys(text for role in roles for text in texts.get(role, ()) if text.strip()))

    questions, context, others = of("question"), of("context"), of("other", "inner", "label")
    answers, replies, programs, solutions = of("answer"), of("reply"), of("program"), of("solution")
    tests, setup = of("tests"), of("setup")
    answer = next(iter([*(programs if tests else ()), *answers, *reversed(replies), *programs]), "")
    workings = [text for text in (*solutions, *programs) if text != answer]
    question = _join(questions)
    others += [text for text in (*answers, *replies) if text != answer]
    others += [text for several in (questions, context, workings, setup) if len(several) > 1 for text in several]
    if not question:
        question = _stand_in(values, [*context, *workings, answer, *others, *of("choices", "aliases"), *tests, *setup])
    question, answer, solution = _final(question, answer, _join(workings))
    problem = Problem(
        id=_label(values, "id"),
        set=_label(values, "set"),
        domain="reading",
        question=question,
        answer=answer,
        context=_join(context),
        choices=tuple(of("choices")),
        aliases=tuple(of("aliases")),
        solution=solution,
        setup=_join(setup),
        tests=tuple(tests),
        group=_label(values, "group"),
        family=_label(values, "family"),
        seed=seed if isinstance(seed := values.get("seed"), int) and -(2**63) <= seed < 2**63 else -1,
        tutor=_label(values, "tutor"),
    )
    problem = _with(_with_check_call(values, problem), [text for text in others if text != question])
    return replace(problem, domain=_domain(values, problem))


def _with(problem: Problem, texts: Sequence[str]) -> Problem:
    """Return the problem with the other texts that it lacks added to its aliases."""
    parts = set(problem.parts)
    extra = tuple(text for text in dict.fromkeys(texts) if text.strip() and text not in parts)
    return replace(problem, aliases=(*problem.aliases, *extra)) if extra else problem


def _stand_in(values: Columns, texts: Sequence[str]) -> str:
    """Return the longest text of a row without a question, to stand in for the question.

    Raises:
        ValueError: there is no text, or the row has an empty question and its longest text has fewer than `WORDS`
            words.
    """
    longest = max((text for text in texts if text), key=len, default="")
    empty = [name for name in values if _role(name, "other") == "question" or name.lower() in _CONVERSATIONS]
    if not longest or (empty and not _wordy(longest)):
        raise ValueError(f"no text in {', '.join(map(repr, empty))}" if empty else "no text")
    return longest


def _final(question: str, answer: str, solution: str) -> tuple[str, str, str]:
    """Return question, answer and solution, with the final number of the answer or question as the answer."""
    if final := _last(answer):
        return question, final[1], solution or final[0]
    if answer and (boxed := [*_BOXED.finditer(answer)]):
        return question, boxed[-1][1], f"{solution}\n{answer}".strip()
    if not answer and (final := _last(question)):
        return *final, solution
    return question, answer, solution


def _last(text: str) -> tuple[str, str] | None:
    """Return the text before a final "####" and the number after it; None if there is none."""
    text = text.rstrip()
    tail = text[-100:]
    final = _FINAL.search(tail)
    return (text[: len(text) - len(tail) + final.start()].rstrip(), final[1]) if final else None


def _with_check_call(values: Columns, problem: Problem) -> Problem:
    """Complete a row of HumanEval: the program begins in the prompt, and `check` must be called with it."""
    entry, program = values.get("entry_point"), f"{problem.question}{problem.answer}"
    if not isinstance(entry, str) or len(problem.tests) != 1 or not syntax_tree(program):
        return problem
    return replace(problem, answer=program, tests=(f"{problem.tests[0].rstrip()}\n\ncheck(candidate)\n",))


def _domain(values: Columns, problem: Problem) -> Domain:
    declared = next((domain for domain in DOMAINS if domain == values.get("domain")), None)
    if declared:
        return declared
    tests = [syntax_tree(test) for test in problem.tests]
    called_by = (node for test in tests if test for node in ast.walk(test) if callee(node))
    if problem.answer and syntax_tree(problem.answer) and all(tests) and any(called_by):
        return "code"
    return "math" if _NUMBER.match(problem.answer.strip()) else "reading"


def _texts(value: Any, role: Role) -> Iterator[tuple[Role, str]]:
    """Yield every text inside a value with its role, in the order of the row."""
    match value:
        case str():
            yield role, value
            yield from _encoded(value, role)
        case bool() | int() | float() | Decimal():
            if role in _NUMBERS:
                yield role, _number(value)
        case bytes():
            if (text := _decode(value)) is not None:
                yield from _texts(text, role)
            elif role not in ("other", "inner", "label"):
                raise TypeError(f"{role}: bytes, not text")
        case Mapping():
            yield from _inside(value, role)
        case list() | tuple():
            yield from _listed(value, role)


def _inside(values: Mapping[Any, Any], role: Role) -> Iterator[tuple[Role, str]]:
    inherited = _speaker(values) or role
    for key, value in values.items():
        if isinstance(key, str) and _wordy(key):
            yield "inner", key
        part = _role(str(key), inherited)
        for kind, text in _texts(value, part):
            if kind != "label" or _wordy(text):
                yield kind, text


def _listed(values: Sequence[Any], role: Role) -> Iterator[tuple[Role, str]]:
    """Yield the texts of a list; if it is a text cut into pieces, the whole text and the longer pieces."""
    pieces = [part for part in values if isinstance(part, str)]
    in_pieces = role in ("other", "inner", "label") and len(pieces) > 1
    if in_pieces:
        yield role, " ".join(pieces)
    for part in values:
        if not (in_pieces and isinstance(part, str) and not _wordy(part)):
            yield from _texts(part, role)


def _encoded(text: str, role: Role) -> Iterator[tuple[Role, str]]:
    """Yield the texts inside a text that is JSON, because messages are often stored so."""
    if text.lstrip()[:1] not in ("{", "["):
        return
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return
    for kind, part in _texts(value, "other" if role == "other" else "inner"):
        yield kind if role == "other" else "inner", part


def is_named(name: str) -> bool:
    """Return whether a column of numbers may be part of a problem: its name is a label's, an answer's or the like."""
    return name in _COLUMNS or _role(name, "other") != "other"


def _role(name: str, inherited: Role) -> Role:
    """Return the role of a key's value.

    A known key decides, but inside a value with a known role only labels, and aliases of an answer, do.
    """
    role = _ROLES.get(name.strip().lower(), "other")
    if inherited == "other" or role == "label":
        return role
    return "aliases" if role == "aliases" and inherited == "answer" else inherited


def _speaker(values: Mapping[Any, Any]) -> Role | None:
    """Return the role of a turn of a conversation, by its speaker; None for anything else."""
    name = next((values[key] for key in ("role", "from") if isinstance(values.get(key), str)), "")
    return _SPEAKERS.get(name.strip().lower())


def _number(value: bool | int | float | Decimal) -> str:
    """Return a number as text, and a truth value as "yes" or "no"."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _decode(value: bytes) -> str | None:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return None


def _join(texts: Sequence[str]) -> str:
    """Join texts into one, without those that are part of another (if there are at most 16)."""
    few = len(texts) <= 16
    return "\n".join(text for text in texts if not few or not any(text != other and text in other for other in texts))


def _label(values: Columns, name: str) -> str:
    value = values.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else ""


def _wordy(text: str) -> bool:
    return len(text.split(maxsplit=WORDS)) >= WORDS
