"""The column layouts of published benchmarks: how a row of each Hugging Face data set becomes a problem.

Example, a row of allenai/ai2_arc:
    {"id": "sample_arc_easy_001", "question": "Which tool measures air pressure?",
     "choices": {"text": ["barometer", "ruler", ...], "label": ["A", "B", ...]}, "answerKey": "A"}
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from math import isfinite
from typing import Any

from pfe.icr.definitions import offered
from pfe.problem import Problem
from pfe.rows.row import Columns
from pfe.scorers.calls.gold import NO_CALL, Functions, example_call, expected_calls, names_of

Fields = dict[str, Any]
_MARK = re.compile(r"\[[^\]\n]*\]")


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"expected text, found {value!r}")
    return value


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list | tuple):
        raise ValueError(f"expected a list of texts, found {values!r}")
    return tuple(values)


def _labelled(choices: Sequence[str], labels: Sequence[str], label: Any) -> str:
    """Return the choice with a label."""
    for choice, name in zip(choices, labels, strict=False):
        if name == label:
            return choice
    raise ValueError(f"the answer {label!r} is none of the labels {', '.join(map(str, labels))}")


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


def _gsm(row: Columns) -> Fields:
    solution, mark, number = _text(row["answer"]).rpartition("#### ")
    answer = number.strip().replace(",", "")
    if not isfinite(float(answer)):
        raise ValueError(f"expected a number, found {answer!r}")
    return {"question": _text(row["question"]), "answer": answer, "solution": solution + mark + number if mark else ""}


def _arc(row: Columns) -> Fields:
    labels, texts = _texts(row["choices"]["label"]), _texts(row["choices"]["text"])
    return {
        "id": row["id"],
        "question": _text(row["question"]),
        "choices": texts,
        "answer": _labelled(texts, labels, row["answerKey"]),
    }


def _race(row: Columns) -> Fields:
    return {
        "question": _text(row["question"]),
        "context": _text(row["article"]),
        "choices": _texts(row["options"]),
        "answer": _labelled(_texts(row["options"]), "ABCD", row["answer"]),
        "group": _digest(row["article"]),
    }


def _boolq(row: Columns) -> Fields:
    if not isinstance(row["answer"], bool):
        raise ValueError(f"expected true or false, found {row['answer']!r}")
    return {
        "question": _text(row["question"]),
        "context": _text(row["passage"]),
        "choices": ("no", "yes"),
        "answer": "yes" if row["answer"] else "no",
        "group": _digest(row["passage"]),
    }


def _hellaswag(row: Columns) -> Fields:
    title = _text(row["activity_label"])
    context, _, question = _unmarked(f"{title}: {row['ctx_a']} {row['ctx_b'].capitalize()}").partition(": ")
    endings = tuple(map(_unmarked, _texts(row["endings"])))
    return {
        "question": _text(question),
        "context": context,
        "choices": endings,
        "answer": _labelled(endings, [str(number) for number in range(len(endings))], str(row["label"])),
        "group": row.get("source_id", ""),
    }


def _unmarked(text: str) -> str:
    """Return a text of HellaSwag without WikiHow's marks ([header], [title], [step], …).

    The result is byte for byte that of lm-evaluation-harness 0.4.13 (tasks/hellaswag/utils.py): a title ends the
    sentence before it, and of two spaces that a mark leaves one remains.
    """
    return _MARK.sub("", text.strip().replace(" [title]", ". ")).replace("  ", " ")


def _winogrande(row: Columns) -> Fields:
    choices = (_text(row["option1"]), _text(row["option2"]))
    if _text(row["sentence"]).count("_") != 1:
        raise ValueError("the sentence needs exactly one blank _")
    return {
        "question": row["sentence"],
        "choices": choices,
        "answer": _labelled(choices, "12", row["answer"]),
        "group": _digest(" ".join(sorted(choices))),
    }


def _mbpp(row: Columns) -> Fields:
    if not row["test_list"]:
        raise ValueError("test_list is empty")
    return {
        "id": row["task_id"],
        "question": _text(row["text"]),
        "answer": _text(row["code"]),
        "setup": row["test_setup_code"],
        "tests": _texts(row["test_list"]),
    }


def _trivia_qa(row: Columns) -> Fields:
    return {
        "id": row["question_id"],
        "question": _text(row["question"]),
        "answer": _text(row["answer"]["value"]),
        "aliases": _texts(row["answer"]["aliases"]),
    }


def _fncall(row: Columns) -> Fields:
    """Return the fields of a request with functions on offer and its calls; accepts the Berkeley leaderboard's columns.

    Functions are names in our catalogue, or definitions. The correct calls are in `calls`, or in `possible_answer` or
    `ground_truth`: a list of {function: {argument: [accepted values]}}, empty if no call is correct.
    """
    listing = _json(_either(row, "functions", "function"))
    entries = [listing] if isinstance(listing, dict) else listing
    functions = tuple(
        entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
        for entry in entries
    )
    on_offer = offered(functions)
    answer, values = _answer(row, on_offer)
    expected_calls(on_offer, answer, values, names_of(on_offer, answer, values))
    return {
        "id": row["id"],
        "question": _request(_either(row, "request", "question")),
        "answer": answer,
        "aliases": values,
        "functions": functions,
    }


def _problem(row: Columns) -> Fields:
    """Return the fields of a row with the columns of `Problem`."""
    columns = {name: row[name] for name in Problem.schema().names if row.get(name) is not None}
    problem = Problem.of(columns)
    values = {_text(problem.question), _text(problem.answer), *problem.choices, *problem.library, *problem.functions}
    values |= {text for variant in problem.variants for text in (*variant.library, variant.answer, variant.otherwise)}
    if not all(isinstance(value, str) for value in values):
        raise ValueError("expected texts in choices, library, functions and variants")
    offered(problem.functions)
    fields = {name: getattr(problem, name) for name in columns}
    return fields | {"id": problem.id.removeprefix(f"{problem.set}/")}


def _answer(row: Columns, functions: Functions) -> tuple[str, tuple[str, ...]]:
    """Return one correct answer, and the accepted values of each of its calls."""
    if row.get("calls") is not None:
        return _text(row["calls"]), ()
    alternatives = _json(_either(row, "possible_answer", "ground_truth"))
    calls = alternatives if isinstance(alternatives, list) else [alternatives]
    answer = "\n".join(example_call(call, functions) for call in calls) or NO_CALL
    return answer, tuple(json.dumps(call, ensure_ascii=False) for call in calls)


def _request(request: Any) -> str:
    """Return the request of a row, which is text or the messages of one turn."""
    turns = request if isinstance(request, list) else [request]
    messages = [part for turn in turns for part in (turn if isinstance(turn, list) else [turn])]
    users = [part["content"] if isinstance(part, dict) else part for part in messages]
    if len(turns) != 1:
        raise ValueError("a conversation of more than one turn")
    return "\n\n".join(map(_text, users))


def _either(row: Columns, name: str, alternative: str) -> Any:
    return row[name] if row.get(name) is not None or alternative not in row else row[alternative]


def _json(value: Any) -> Any:
    """Return the value of a column that holds objects, stored as such or as JSON text."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON ({error}): {value:.80}") from None


PUBLISHED: Mapping[str, Callable[[Columns], Fields]] = {
    "gsm": _gsm,
    "arc": _arc,
    "race": _race,
    "boolq": _boolq,
    "hellaswag": _hellaswag,
    "winogrande": _winogrande,
    "mbpp": _mbpp,
    "trivia_qa": _trivia_qa,
    "fncall": _fncall,
    "problem": _problem,
}
