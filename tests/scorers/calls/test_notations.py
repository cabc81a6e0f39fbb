"""Every notation says the same: the right call is right in it, and nothing else is.

Each writer below writes calls as the prompt asks, or as one model family does; its source stands in the docstring of
its module in `pfe/scorers/calls/notations/`.
"""

import importlib
import json
import pkgutil
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pfe.problem import Problem
from pfe.scorers import score
from pfe.scorers.calls import notations
from pfe.scorers.calls.reading import read


class Call(NamedTuple):
    name: str
    arguments: dict[str, Any]


def python(call: Call) -> str:
    return f"{call.name}({', '.join(f'{key}={value!r}' for key, value in call.arguments.items())})"


def arguments(call: Call) -> str:
    return json.dumps(call.arguments, ensure_ascii=False)


def named(call: Call, name: str = "name", given: str = "arguments") -> dict[str, Any]:
    return {name: call.name, given: call.arguments}


def each(write: Callable[[Call], str], before: str = "", after: str = "", between: str = "\n") -> Callable[..., str]:
    return lambda calls: before + between.join(map(write, calls)) + after


def listed(write: Callable[[Call], Any], before: str = "", after: str = "") -> Callable[..., str]:
    return lambda calls: before + json.dumps([write(call) for call in calls]) + after


def raw(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def parameters(call: Call, form: str) -> str:
    return "".join(form.format(key=key, value=raw(value)) for key, value in call.arguments.items())


def qwen_coder(call: Call, tag: str = "tool_call") -> str:
    inner = parameters(call, "<parameter={key}>\n{value}\n</parameter>\n")
    return f"<{tag}>\n<function={call.name}>\n{inner}</function>\n</{tag}>"


def invoke(call: Call, space: str = "", attribute: str = "") -> str:
    form = '<{0}parameter name="{1}"{2}>{3}</{0}parameter>\n'
    inner = "".join(
        form.format(space, key, attribute and attribute[isinstance(value, str)], raw(value))
        for key, value in call.arguments.items()
    )
    return f'<{space}invoke name="{call.name}">\n{inner}</{space}invoke>\n'


def minimax_m3(call: Call) -> str:
    inner = parameters(call, "]<]minimax[>[<{key}>{value}]<]minimax[>[</{key}>")
    return f']<]minimax[>[<invoke name="{call.name}">{inner}]<]minimax[>[</invoke>\n'


def glm(call: Call) -> str:
    inner = parameters(call, "<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n")
    return f"<tool_call>{call.name}\n{inner}</tool_call>"


def hy3(call: Call) -> str:
    form = "<arg_key:opensource>{key}</arg_key:opensource>\n<arg_value:opensource>{value}</arg_value:opensource>\n"
    inner = f"{call.name}<tool_sep:opensource>\n{parameters(call, form)}"
    return f"<tool_call:opensource>{inner}</tool_call:opensource>"


def marked(value: Any, mark: str) -> str:
    match value:
        case str():
            return mark + value + mark
        case list():
            return f"[{','.join(marked(item, mark) for item in value)}]"
        case dict():
            return f"{{{','.join(f'{key}:{marked(item, mark)}' for key, item in value.items())}}}"
    return json.dumps(value)


GEMMA = '<|"|>'


def kimi_k3(call: Call) -> str:
    inner = "".join(
        f'<|open|>argument key="{key}" type="{"string" if isinstance(value, str) else "object"}"<|sep|>'
        f"{raw(value)}<|close|>argument<|sep|>"
        for key, value in call.arguments.items()
    )
    return f'<|open|>call tool="{call.name}" index="1"<|sep|>{inner}<|close|>call<|sep|>'


def openai(call: Call) -> dict[str, Any]:
    return {"id": "c", "type": "function", "function": {"name": call.name, "arguments": arguments(call)}}


NOTATIONS: dict[str, Callable[[Sequence[Call]], str]] = {
    # As the prompt asks, and as any model puts it on a page.
    "python": each(python),
    "python, one line": each(python, between="; "),
    "python list": each(python, "[", "]", ", "),
    "assigned": each(lambda call: f"result = {python(call)}"),
    "printed": each(lambda call: f"print({python(call)})"),
    "full stop": each(lambda call: f"{python(call)}."),
    "bullets": each(lambda call: f"- {python(call)}"),
    "code marks": each(lambda call: f"`{python(call)}`" if "`" not in python(call) else python(call)),
    "label": each(lambda call: f"Call: {python(call)}"),
    "introduced": each(python, "I look it up, the call is:\n\n"),
    "fence": each(python, "Sure, here it is:\n\n```python\n", "\n```\nLet me know!"),
    "boxed": each(lambda call: f"$\\boxed{{{python(call)}}}$"),
    # Python, as one family writes it.
    "Gemma's tool_code": each(lambda call: f"print({python(call)})", "```tool_code\n", "\n```"),
    "Llama 4's pythonic": each(python, "[", "]<|eot_id|>", ", "),
    "LFM2": each(python, "<|tool_call_start|>[", "]<|tool_call_end|>", ", "),
    "OLMo 3": each(python, "<function_calls>", "</function_calls>"),
    # JSON objects.
    "json": each(lambda call: json.dumps(named(call))),
    "json and prose": each(lambda call: json.dumps(named(call)), after=" This does it."),
    "json, indented": each(lambda call: json.dumps(named(call), indent=2), after="\n\nThis does it."),
    "json in Python's writing": each(lambda call: repr(named(call))),
    "json fence": listed(named, "Sure:\n```json\n", "\n```\nDone."),
    "parameters": each(lambda call: json.dumps(named(call, given="parameters")), between="; "),
    "xLAM": lambda calls: json.dumps({"tool_calls": list(map(named, calls))}),
    "OpenAI": lambda calls: json.dumps({"role": "assistant", "content": None, "tool_calls": list(map(openai, calls))}),
    "OpenAI's list": listed(openai),
    # Between tags, or behind one.
    "Hermes": each(lambda call: f"<tool_call>\n{json.dumps(named(call))}\n</tool_call>", "I look.\n"),
    "Granite": listed(named, "<|tool_call|>"),
    "Phi-4": listed(named, "<|tool_call|>", "<|/tool_call|>"),
    "Phi-4's functools": listed(named, "functools"),
    "Granite 20B": each(lambda call: f"<function_call> {json.dumps(named(call))}"),
    "Mistral's list": listed(named, "[TOOL_CALLS] "),
    "LongCat": each(lambda call: f"<longcat_tool_call>\n{json.dumps(named(call))}\n</longcat_tool_call>", "I look.\n"),
    "Mistral": each(lambda call: f"[TOOL_CALLS]{call.name}[ARGS]{arguments(call)}", between="", after="</s>"),
    "Mistral's ids": each(lambda call: f"[TOOL_CALLS]{call.name}[CALL_ID]a1b2c3d4e[ARGS]{arguments(call)}", between=""),
    "Mistral without special tokens": each(lambda call: f"{call.name}{arguments(call)}"),
    "Llama 3.1": each(lambda call: json.dumps(named(call, given="parameters")), "<|python_tag|>", "<|eom_id|>", "; "),
    "Llama 3.1's functions": each(lambda call: f"<function={call.name}>{arguments(call)}</function>"),
    "Jamba": listed(named, "<tool_calls>", "</tool_calls>"),
    "MiniMax-M1": each(lambda call: json.dumps(named(call)), "<tool_calls>\n", "\n</tool_calls>"),
    "MiniMax-M2": each(invoke, "<minimax:tool_call>\n", "</minimax:tool_call>"),
    "MiniMax-M3": each(minimax_m3, "]<]minimax[>[<tool_call>\n", "]<]minimax[>[</tool_call>"),
    "Qwen3-Coder": each(qwen_coder, "I look.\n"),
    "Seed-OSS": each(lambda call: qwen_coder(call, "seed:tool_call")),
    "GLM-4.5": each(glm, "I look.\n"),
    "Hy3": each(hy3, "<tool_calls:opensource>\n", "\n</tool_calls:opensource>"),
    "DeepSeek V3": each(
        lambda call: (
            f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>{call.name}\n"
            f"```json\n{arguments(call)}\n```<｜tool▁call▁end｜>"
        ),
        "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
    ),
    "DeepSeek V3.1": each(
        lambda call: f"<｜tool▁call▁begin｜>{call.name}<｜tool▁sep｜>{arguments(call)}<｜tool▁call▁end｜>",
        "I look.<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", "",
    ),
    "DeepSeek V3.2": each(
        lambda call: invoke(call, "｜DSML｜", (' string="false"', ' string="true"')),  # type: ignore[arg-type]
        "<｜DSML｜function_calls>\n", "</｜DSML｜function_calls>",
    ),
    "Step3": each(
        lambda call: f"<｜tool_call_begin｜>function<｜tool_sep｜>{invoke(call, 'steptml:')}<｜tool_call_end｜>",
        "<｜tool_calls_begin｜>\n", "\n<｜tool_calls_end｜>",
    ),
    "Kimi K2": each(
        lambda call: (
            f"<|tool_call_begin|>functions.{call.name}:0"
            f"<|tool_call_argument_begin|>{arguments(call)}<|tool_call_end|>"
        ),
        "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", "",
    ),
    "Solar Open": each(
        lambda call: (
            f"<|tool_call:begin|>b462b4f8<|tool_call:name|>{call.name}"
            f"<|tool_call:args|>{arguments(call)}<|tool_call:end|>"
        ),
        "<|tool_calls|>", between="",
    ),
    "Kimi K3": each(kimi_k3, "<|open|>tools<|sep|>", "<|close|>tools<|sep|>", ""),
    "harmony": each(
        lambda call: (
            f"<|channel|>commentary to=functions.{call.name} <|constrain|>json<|message|>{arguments(call)}<|call|>"
        ),
        "<|channel|>analysis<|message|>Perhaps now()?<|end|><|start|>assistant", between="<|start|>assistant",
    ),
    "harmony, recipient first": each(
        lambda call: (
            f"<|start|>assistant to=functions.{call.name}<|channel|>commentary json<|message|>{arguments(call)}<|call|>"
        )
    ),
    "GLM-4": each(lambda call: f"{call.name}\n{arguments(call)}"),
    "Functionary": each(lambda call: f">>>{call.name}\n{arguments(call)}"),
    "Functionary 2": each(lambda call: f"<|from|>assistant\n<|recipient|>{call.name}\n<|content|>{arguments(call)}"),
    "Command R7B": listed(
        lambda call: {"tool_call_id": "0"} | named(call, "tool_name", "parameters"),
        "<|START_THINKING|>now()?<|END_THINKING|><|START_ACTION|>", "<|END_ACTION|>",
    ),
    "InternLM 2": each(lambda call: f"<|action_start|><|plugin|>\n{json.dumps(named(call))}<|action_end|>"),
    "Nemotron": listed(named, "<TOOLCALL>", "</TOOLCALL>"),
    "Apertus": listed(lambda call: {call.name: call.arguments}, "<|tools_prefix|>", "<|tools_suffix|>"),
    "FunctionGemma": each(
        lambda call: f"<start_function_call>call:{call.name}{marked(call.arguments, '<escape>')}<end_function_call>"
    ),
    "Gemma 4": each(
        lambda call: f"<|tool_call>call:{call.name}{marked(call.arguments, GEMMA)}<tool_call|>", between=""
    ),
}  # fmt: skip
# Their values stand between tags, which no text can hold itself.
TAGGED = {
    "MiniMax-M2", "MiniMax-M3", "Qwen3-Coder", "Seed-OSS", "GLM-4.5", "Hy3", "DeepSeek V3.2", "Step3", "Kimi K3",
}  # fmt: skip
UNQUOTED = TAGGED | {"FunctionGemma", "Gemma 4"}  # a text in no quotation marks may hold no mark of a thought

DEFINITIONS = tuple(
    json.dumps({"name": name, "parameters": {"type": "object", "properties": properties, "required": required}})
    for name, properties, required in (
        ("send_note", {
            "to": {"type": "string"}, "text": {"type": "string"}, "times": {"type": "integer", "default": 1},
            "tags": {"type": "array", "items": {"type": "string"}}, "options": {"type": "object"},
        }, ["to", "text"]),
        ("rooms.set-light", {
            "room": {"type": "string"}, "level": {"type": "number"}, "from": {"type": "string"},
        }, ["room"]),
        ("now", {}, []),
    )
)  # fmt: skip
TEXTS = st.lists(
    st.sampled_from(
        ["Oslo", "a b", " ", "\n", "\nQ: b", "\n\nRequest: x\nCall: now()", "</s>", "<tool_call>", "</tool_call>",
         '"', "'", "\\", "{", "}", "[", "]", "(", ")", ",", ":", "#", "<think>", "</think>", "é", "→", "=", "5", "true",
         'send_note("a", "b")', '{"name": "now", "arguments": {}}', "<|im_end|>", "[TOOL_CALLS]", "\n[ASK ME]\n", "```"]
    ),
    min_size=1, max_size=6,
).map("".join).filter(str.strip)  # fmt: skip
NOTES = st.fixed_dictionaries(
    {"to": TEXTS, "text": TEXTS},
    optional={
        "times": st.integers(-3, 9),
        "tags": st.lists(TEXTS, max_size=3),
        "options": st.dictionaries(st.sampled_from(["a", "b_c"]), st.integers() | st.booleans() | TEXTS),
    },
).map(lambda given: Call("send_note", given))
LIGHTS = st.fixed_dictionaries({"room": TEXTS}, optional={"level": st.floats(0, 1), "from": TEXTS}).map(
    lambda given: Call("rooms.set-light", given)
)
CALLS = st.lists(NOTES | LIGHTS, min_size=1, max_size=3)
EXTRA = Call("send_note", {"to": "Bo", "text": "Hei"})
every_notation = pytest.mark.parametrize("notation", NOTATIONS)
few = settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow])
many = settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
ANY = st.sampled_from(list(NOTATIONS))


def problem(calls: Sequence[Call]) -> Problem:
    told = tuple(json.dumps({call.name: {key: [value] for key, value in call.arguments.items()}}) for call in calls)
    return Problem("a/1", "a", "function_call", "?", "no call", aliases=told, functions=DEFINITIONS)


def right(calls: Sequence[Call], output: str) -> bool:
    return score("function_call", problem(calls), output).correct


def sayable(notation: str, calls: Sequence[Call]) -> bool:
    """Tell whether a notation can say these values: XML has no way to quote its own tags, nor texts like numbers."""
    texts = json.dumps([call.arguments for call in calls])
    return not (notation in TAGGED and any(mark in texts for mark in ("</", "<|"))) and not (
        notation in UNQUOTED and "think>" in texts
    )


def unended(written: str) -> str:
    """Calls without the mark that ends a turn: what stands behind it is no part of the answer."""
    return re.sub(r"(?:</s>|<\|eo[tm]_id\|>|<｜end▁of▁sentence｜>)\Z", "", written)


def plain(calls: Sequence[Call]) -> list[Call]:
    """The calls with the alternatives spelled out: in nested objects each key has a list of its own."""
    return [
        Call(
            name,
            {
                key: ({k: [v] for k, v in value.items()} if isinstance(value, dict) else value)
                for key, value in given.items()
            },
        )
        for name, given in calls
    ]


@pytest.mark.parametrize("module", [module.name for module in pkgutil.iter_modules(notations.__path__)])
def test_every_example_of_a_module_is_read_as_calls(module: str) -> None:
    text = importlib.import_module(f"{notations.__name__}.{module}").__doc__ or ""
    examples = re.findall(r"^ {4}(\S.*(?:\n {8}.*)*)", text, re.MULTILINE)
    assert examples
    for example in (example for example in examples if "…" not in example):
        assert read(example.replace("⏎", "\n"), {"get_weather", "get_time", "find_person", "set_light"}).calls, example


@every_notation
@few
@given(calls=CALLS)
def test_the_right_calls_are_right(notation: str, calls: list[Call]) -> None:
    assume(sayable(notation, calls))
    assert right(plain(calls), NOTATIONS[notation](calls))
    assert right(plain(calls), NOTATIONS[notation](calls[::-1]))


@many
@given(notation=ANY, calls=CALLS, data=st.data())
def test_any_change_is_wrong(notation: str, calls: list[Call], data: st.DataObject) -> None:
    assume(sayable(notation, calls))
    changed = list(calls)
    place = data.draw(st.integers(0, len(calls) - 1))
    changed[place] = data.draw(mutated(calls[place]))
    assert not right(plain(calls), NOTATIONS[notation](changed))


@many
@given(notation=ANY, calls=CALLS, data=st.data())
def test_one_call_more_or_less_is_wrong(notation: str, calls: list[Call], data: st.DataObject) -> None:
    assume(sayable(notation, calls))
    more = [*calls, data.draw(st.sampled_from([EXTRA, calls[0], Call("now", {}), Call("delete_all", {"sure": True})]))]
    assert not right(plain(calls), NOTATIONS[notation](more))
    assert not right(plain(more), NOTATIONS[notation](calls))
    other = data.draw(st.sampled_from(list(NOTATIONS)))
    assume(sayable(other, calls))
    between = data.draw(st.sampled_from(["\n", "\n\n", "\n\nThen I call:\n\n", "\nor\n", "\n\nAlternatively:\n"]))
    assert not right(plain(calls), unended(NOTATIONS[notation](calls)) + between + NOTATIONS[other]([EXTRA]))


@many
@given(notation=ANY, calls=CALLS)
def test_what_is_only_thought_is_no_call(notation: str, calls: list[Call]) -> None:
    written = unended(NOTATIONS[notation](calls))
    assume(not any(mark in json.dumps([calls, written]) for mark in ("think>", "THINK", "<|end|>")))
    for thought in (
        f"<think>{written}</think>",
        f"<think>{written}",
        f"{written}</think>",
        f"[THINK]{written}[/THINK]",
    ):
        assert not right(plain(calls), thought)
    none = Problem("a/1", "a", "function_call", "?", "no call", functions=DEFINITIONS)
    assert score("function_call", none, f"<think>{written}</think>\nno call").correct
    if sayable(notation, calls):
        assert not score("function_call", none, written).correct
        assert not score("function_call", none, f"no call\n{written}").correct


@every_notation
@pytest.mark.parametrize("extra", [EXTRA, Call("delete_all", {"sure": True}), Call("delete-all", {"sure": "x"})])
def test_a_call_beside_the_right_one_is_never_overlooked(notation: str, extra: Call) -> None:
    call = Call("rooms.set-light", {"room": "Oslo"})
    assert not right([call], NOTATIONS[notation]([call, extra]))
    assert not right([call], NOTATIONS[notation]([extra, call]))


def mutated(call: Call) -> st.SearchStrategy[Call]:
    """The call with one thing in it changed that changes its meaning."""
    name, given = call
    required = {"send_note": ["to", "text"], "rooms.set-light": ["room"]}[name]
    ways = [
        Call(name, {**given, "colour": "red"}),
        Call("send_memo", given),
        Call("rooms.set-light" if name == "send_note" else "send_note", given),
    ]
    ways += [Call(name, {other: value for other, value in given.items() if other != key}) for key in required]
    for key, value in given.items():
        ways += [
            Call(name, {**given, key: other}) for other in changed(value) if not (key == "times" and other == value)
        ]
    return st.sampled_from(ways)


def changed(value: Any) -> list[Any]:
    match value:
        case bool():
            return [not value]
        case int() | float():
            return [value + 1, f"{value} pieces"]
        case str():
            return [f"{value}x", f"un{value}", [value]]
        case list():
            return [[*value, "more"], *([value[:-1]] if value else [])]
        case dict():
            return [{**value, "more": 1}, *([{}] if value else [])]
    return []
