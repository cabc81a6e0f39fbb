"""Which calls are right: those of the functions on offer, with the values that count and no others."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pfe.problem import Problem
from pfe.scorers import score
from tests.each import each


def definition(name: str, required: tuple[str, ...] = (), **properties: dict[str, Any]) -> str:
    schema = {"type": "dict", "properties": properties, "required": list(required)}
    return json.dumps({"name": name, "description": "Does it.", "parameters": schema})


TEXT, NUMBER = {"type": "string"}, {"type": "float"}
# Of the same names as ours, and others: with their own arguments.
FOREIGN = (
    definition(
        "send_email", ("recipient", "text"), recipient=TEXT, text=TEXT, urgent={"type": "boolean", "default": False}
    ),
    definition("translate", ("phrase", "to"), phrase=TEXT, to=TEXT),
    definition("convert_currency", ("amount", "from", "to"), amount=NUMBER, to=TEXT, **{"from": TEXT}),
    definition("math.hypot", ("a", "b"), a=NUMBER, b=NUMBER),
    definition("get-time", ("zone",), zone=TEXT, format={"type": "string", "enum": ["12h", "24h"]}),
    definition("ping"),
)


def problem(*alternatives: dict[str, Any], answer: str = "no call", functions: tuple[str, ...] = FOREIGN) -> Problem:
    told = tuple(map(json.dumps, alternatives))
    return Problem("a/1", "a", "function_call", "?", answer, aliases=told, functions=functions)


def right(gold: Problem, output: str) -> bool:
    return score("function_call", gold, output).correct


@pytest.mark.parametrize(
    "call",
    [
        'send_email(recipient="bo@x.org", text="Hi")',
        'send_email("bo@x.org", "Hi", False)',
        'translate(phrase="Hi", to="french")',
        'convert_currency(amount=5, from="USD", to="EUR")',
        'convert_currency(5.0, to="EUR", from="USD")',
        "math.hypot(a=3, b=4)",
        "math.hypot(3, 4.0)",
        'get-time(zone="CET")',
        "ping()",
    ],
)
def test_a_problem_is_bound_to_its_functions_and_not_to_ours_of_the_same_name(call: str) -> None:
    assert right(problem(answer=call), call)
    assert not right(problem(answer=call, functions=("get_weather",)), call)


@pytest.mark.parametrize(
    ("call", "ours"),
    [
        ('send_email(recipient="bo@x.org", text="Hi")', 'send_email(to="bo@x.org", subject="", body="Hi")'),
        ('translate(phrase="Hi", to="french")', 'translate(text="Hi", language="french")'),
        ('convert_currency(5, "USD", "EUR")', 'convert_currency(amount=5, source="USD", target="EUR")'),
    ],
)
def test_our_function_of_the_same_name_is_another(call: str, ours: str) -> None:
    assert not right(problem(answer=call), ours)
    assert not right(problem(answer=call), f"{call}\n{ours}")


LIGHT = definition(
    "light", ("room",), room=TEXT, level={"type": "integer"}, colour={"type": "string", "default": "warm"},
    where={"type": "dict"}, rows={"type": "array", "items": {"type": "dict"}},
)  # fmt: skip
GOLD = {
    "light": {
        "room": ["den", "the den"], "level": [5, 50, ""], "colour": ["", "red"],
        "where": [{"floor": [1, 2], "wing": ["east", ""]}, ""], "rows": [[{"a": [1, 2]}, {"b": ["x"]}], ""],
    }
}  # fmt: skip


@pytest.mark.parametrize(
    "output",
    [
        'light("den")',
        'light(room="the den", level=50)',
        'light(room="den", level=5.0, colour="red")',
        'light(room="den", colour="warm")',
        'light("den", where={"floor": 2})',
        'light("den", where={"wing": "east", "floor": 1.0})',
        'light("den", rows=[{"a": 2}, {"b": "x"}])',
        '<function=light><parameter=room>den</parameter><parameter=where>{"floor": 1}</parameter></function>',
        "<tool_call>light<arg_key>room</arg_key><arg_value>den</arg_value><arg_key>level</arg_key>"
        "<arg_value>50</arg_value></tool_call>",
    ],
)
def test_every_value_that_is_listed_counts_and_what_may_be_left_out_may(output: str) -> None:
    assert right(problem(GOLD, functions=(LIGHT,)), output)


@pytest.mark.parametrize(
    "output",
    [
        "light()",
        'light("Den")',
        'light("den", level="5")',
        'light("den", level=True)',
        'light("den", level=6)',
        'light("den", level=[5, 50])',
        'light("den", colour="blue")',
        'light("den", colour="")',
        'light("den", level=None)',
        'light("den", where={})',
        'light("den", where={"floor": 3})',
        'light("den", where={"floor": [1, 2]})',
        'light("den", where={"floor": 1, "wing": "west"})',
        'light("den", where={"floor": 1, "door": 1})',
        'light("den", rows=[{"a": 1}])',
        'light("den", rows=[{"b": "x"}, {"a": 1}])',
        'light("den", shade=1)',
        'light("den")\nlight("den")',
    ],
)
def test_no_other_value_counts(output: str) -> None:
    assert not right(problem(GOLD, functions=(LIGHT,)), output)


@given(
    rooms=st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=5),
    data=st.data(),
)
def test_parallel_calls_may_come_in_any_order_and_each_answers_for_one(rooms: list[str], data: st.DataObject) -> None:
    gold = problem(*({"light": {"room": [room, "x"]}} for room in rooms), functions=(LIGHT,))
    said = [room if data.draw(st.booleans()) else "x" for room in data.draw(st.permutations(rooms))]
    assert right(gold, "\n".join(f"light({room!r})" for room in said))
    assert not right(gold, "\n".join(f"light({room!r})" for room in [*said, "x"]))
    assert not right(gold, "\n".join(f"light({room!r})" for room in [*said[1:], "d"]))


@pytest.mark.parametrize(
    "output",
    [
        '{"name": "light", "arguments": {"room": "den", "level": null}}',
        '{"name": "light", "arguments": {"room": null}}',
        '{"name": "light", "arguments": {"room": "den", "rows": "[{\\"a\\": 1}, {\\"b\\": \\"x\\"}]"}}',
        '{"name": "light", "arguments": {"room": ["den"]}}',
        'light("den", where=\'{"floor": 2}\')',
        'light("den", where=dict(floor=1))',
        'light({"room": "den", "where": {"floor": 1}})',
    ],
)
def test_a_value_of_another_type_than_the_gold_s_is_wrong(output: str) -> None:
    assert not right(problem(GOLD, functions=(LIGHT,)), output)


def test_a_text_that_must_be_given_may_be_empty() -> None:
    gold = problem({"send_email": {"recipient": ["bo@x.org"], "text": [""]}})
    assert right(gold, 'send_email("bo@x.org", "")')
    assert not right(gold, 'send_email("bo@x.org")')
    assert not right(gold, 'send_email("bo@x.org", "Hi")')


ABSTAINING = [
    "no call", "No call.", "none", "N/A", "[]", '{"tool_calls": []}', "```\nno call\n```", "Call: no call",
    "None of the functions fits.", "Which city do you mean?", "I need the city first.", "I can't do that.",
    "Please specify the account.", "The translate() function needs a phrase.", "There is no function for that.",
    "translate(phrase, to) lacks its phrase, so no call.", "<think>translate('a', 'b')?</think>\nno call",
    "no call\n\nRequest: Say hello\nCall: ping()", "Sorry, that is beyond me.", "No function call is needed.",
    "none (the amount is missing)", "Unfortunately, the request does not say to whom.", "What is the amount?",
    "no_call", "no_call()", '{"name": "no_call", "arguments": {}}', "\\boxed{no call}", "null",
    "No call (the date is missing)", "Neither ping nor translate can drop a table.",
    "**No call** – none of the functions can undo it.", "No function call.", "To whom?",
    "Here it is:\n```\nno call\n```", "It is not on offer.\nCall: no call",
    "¿Qué ciudad?", "どの都市ですか？", "Set an alarm: none of the functions does that.",
    "I need the date; which day?", "Do you mean the bank of the river or of the money?",
    "There's no way to do that.",
    "I'm sorry, but I don't have a tool for alarms.", "The request cannot be fulfilled with the given tools.",
    "The given question lacks the parameters required by the function.",
    "You didn't say which city. Could you tell me?",
    "Sure, I can help with that! What time should it go off?", "The phrase is missing, so I won't make a call.",
    "It is outside the scope of my available functions.", "Setting alarms isn't supported.",
    "A phrase is required.",
    "Required argument `to` was not specified.", "The functions only translate and send.",
    "Missing information: to.",
    "I have looked at all the functions, and none of them calls a taxi.", "I'd be glad to! What's the address?",
    "I would need to know who should receive it.", "Please let me know the city you are interested in.",
    "There are several Bos. Which of them do you mean? I can look again.", "Not enough information to make a call.",
    "Sorry, I can’t help with that. Is there something else?",
    "The user asks to drop a table; no function drops one.",
]  # fmt: skip


@each(lambda: {output: output for output in ABSTAINING})
def test_where_no_call_is_right_an_answer_says_so(output: str) -> None:
    assert right(problem(), output)


ANSWERING = [
    "", " \n", "...", "<think>no call", "<think>no call</think>", "ping()", "x = ping()", "no call\nping()",
    'Shall I? {"name": "ping", "arguments": {}}', 'I would call translate("Hi", "french"). Shall I?', "ping(",
    '[{"name": "ping"}]', "<tool_call>", "<tool_call></tool_call>", 'translate("Hi", "fr', "The text is short.",
    "translate", '```json\n{"name": "ping", "arguments": {}}\n```', "Not sure.\n<function=ping>{}</function>",
    "delete_all(True)", "no_call(1)", "no_call()\nping()", "\\boxed{ping()}",
    "Sent! Do you need anything else?", "I have sent it. Anything else?",
    "12 degrees, no wind.",
    "Sure! I sent the email, no problem.", "No problem, it is sunny in Oslo today.", "It is not raining in Oslo.",
    "Which is the capital of Norway? Oslo.", "SELECT * FROM t WHERE x IS NOT NULL", "no functions were harmed",
    "No tools needed: 12 degrees", "<translate><phrase>Hi</phrase></translate>\nDo you want more?",
    "translate phrase=Hi to=none", 'POST /translate {"phrase": "Hi"} requires auth', "No, it is sunny.",
    "I've booked your taxi. Is there anything else?", "Your email has been sent. Would you like to send another?",
    "We have updated row 91. What else can I do?", "Done! It cannot be undone.",
    "Why not? To get to the other side.",
    "It can't get any better: sunshine all week!", "def f(x):\n    return x is not None", "You need a coat.",
    "Thanks! Let me know if you need anything else.", "No function needed, the answer is 42.",
    "Nothing beats Oslo.",
    "The postcode is 10115. Shall I look up another one?", "Beyond the fjord lies Oslo.",
    "Hello! How can I help you?",
    "The sky is not clear; take an umbrella.", "Marta did not reply yet.", "Is it raining? No, it is sunny.",
    "Your taxi is on its way, it can't be long.", "I cancelled it; you will not be charged.", "No rows match.",
    "It is at 120. Do you want to buy?", "All set! Your alarm rings at 6:15, no need to wait.",
]  # fmt: skip


@each(lambda: {output: output for output in ANSWERING})
def test_where_no_call_is_right_calls_silence_and_other_matters_are_wrong(output: str) -> None:
    assert not right(problem(), output)


def test_an_answer_that_was_cut_off_abstains_only_in_the_plain_form() -> None:
    from pfe.scorers import score_all

    problems, outputs = [problem()] * 3, ["I cannot tell which of the", "no call\nThe request names no", "Which one?"]
    assert [one.correct for one in score_all("function_call", problems, outputs, ended=[False, False, True])] == [
        False, True, True,
    ]  # fmt: skip


def test_a_call_is_never_right_where_none_is_wanted_nor_silence_where_one_is() -> None:
    assert not right(problem(answer="ping()"), "no call")
    assert not right(problem(answer="ping()"), "Which one?")
    assert not right(problem(answer="ping()", functions=()), "")


JOIN = definition("join", ("separator",), separator={}, rows={"type": "array"}, where={"type": "dict"})
BLANKS = ("", " ", "  ", "\t", "\n", "\r", "\n\n", "\u00a0", "\u2000", "\u2002", "\u3000", "\x0b")
EMPTY: tuple[Any, ...] = (*BLANKS, None, [], {}, 0, False, [""], [" "], "None", "0", "[]", "{}")
HOLDERS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "itself": lambda value: {"separator": value},
    "a list": lambda value: {"separator": "x", "rows": [1, [value]]},
    "an object": lambda value: {"separator": "x", "where": {"a": {"b": value}}},
    "a key": lambda value: {"separator": "x", "where": {str(value): 1}},
}


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("notation", ["python", "json"])
def test_blanks_and_empty_values_equal_only_themselves(notation: str, holder: str) -> None:
    values = BLANKS if holder == "a key" else EMPTY
    for wanted in values:
        answer = f"join({', '.join(f'{key}={value!r}' for key, value in HOLDERS[holder](wanted).items())})"
        gold = problem(answer=answer, functions=(JOIN,))
        for value in values:
            arguments = HOLDERS[holder](value)
            output = f"join({', '.join(f'{key}={item!r}' for key, item in arguments.items())})"
            if notation == "json":
                output = json.dumps({"name": "join", "arguments": arguments})
            same = value == wanted and isinstance(value, bool) == isinstance(wanted, bool)
            assert right(gold, output) == same, (wanted, output)


@pytest.mark.parametrize("wanted", ["", " ", "\t", "\n"])
def test_a_blank_among_accepted_values_is_compared_as_it_is(wanted: str) -> None:
    gold = problem({"join": {"separator": [wanted, ","]}}, functions=(JOIN,))
    assert right(gold, 'join(",")')
    assert [blank for blank in BLANKS if right(gold, f"join({blank!r})")] == [wanted]


def test_a_blank_between_tags_may_have_line_breaks_around_it_as_layout() -> None:
    def accepted(wanted: str) -> list[str]:
        gold = problem(answer=f"join(separator={wanted!r})", functions=(JOIN,))
        form = "<function=join><parameter=separator>{}</parameter></function>"
        texts = ("", " ", "  ", "\n", "\n\n", "\n \n", "\n  \n", "\t", "\n\t\n")
        return [text for text in texts if right(gold, form.format(text))]

    assert accepted("") == ["", "\n", "\n\n", "\n \n", "\n  \n", "\n\t\n"]
    assert accepted(" ") == [" ", "\n \n"]
    assert accepted("  ") == ["  ", "\n  \n"]
    assert accepted("\t") == ["\t", "\n\t\n"]
    assert accepted("\n") == ["\n", "\n\n"]
