"""Which writings of a call are the same call, and which are none, case by case."""

import json

import pytest

from pfe.problem import Problem
from pfe.scorers import score

OFFERED = ("get_weather", "search_web", "send_email", "calculate", "get_stock_price")


def problem(answer: str) -> Problem:
    """One that offers the functions of the specification, or none where the answer calls others."""
    functions = OFFERED if answer.startswith(OFFERED) else ()
    return Problem("a/1", "a", "function_call", "A question?", answer, functions=functions)


WEATHER = 'get_weather("Oslo")'
TOOL_CALL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "get_weather", "arguments": json.dumps({"location": "Oslo"})},
}
TWO = 'get_weather("Oslo")\nget_stock_price("ACME")'
MAIL = 'send_email("a@example.com", "Total", calculate("12 * 9"))'


@pytest.mark.parametrize(
    ("answer", "output"),
    [
        (WEATHER, "get_weather(location='Oslo')"),
        (WEATHER, 'get_weather(units="celsius", location=" Oslo ")'),
        (WEATHER, "get_weather('Oslo', 'celsius')"),
        (WEATHER, f"```python\n{WEATHER}\n```"),
        (WEATHER, f"Call: {WEATHER}"),
        (WEATHER, f"{WEATHER}\n\nThis asks for the weather in Oslo."),
        (WEATHER, f"{WEATHER}\nQuestion: Next?"),
        (WEATHER, f"[{WEATHER}]"),
        (WEATHER, '{"name": "get_weather", "arguments": {"location": "Oslo"}}'),
        (WEATHER, '[{"name": "get_weather", "parameters": {"location": "Oslo", "units": "celsius"}}]'),
        (WEATHER, json.dumps({"name": "get_weather", "arguments": json.dumps({"location": "Oslo"})})),
        (
            WEATHER,
            json.dumps({"type": "function", "function": {"name": "get_weather", "arguments": {"location": "Oslo"}}}),
        ),
        (TWO, 'get_stock_price("ACME")\nget_weather("Oslo")'),
        (TWO, 'get_stock_price("ACME"); get_weather("Oslo")'),
        (TWO, '[get_weather("Oslo"), get_stock_price(symbol="ACME")]'),
        (TWO, 'get_weather("Oslo"), get_stock_price("ACME")'),
        (
            TWO,
            '{"name": "get_stock_price", "arguments": {"symbol": "ACME"}}\n'
            '{"name": "get_weather", "arguments": {"location": "Oslo"}}',
        ),
        (MAIL, 'send_email(to="a@example.com", body=calculate(expression="12 * 9"), subject="Total")'),
        (
            MAIL,
            '{"name": "send_email", "arguments": {"to": "a@example.com", "subject": "Total", '
            '"body": {"name": "calculate", "arguments": {"expression": "12 * 9"}}}}',
        ),
        ('search_web("tea", 5)', 'search_web("tea", 5.0)'),
        ('search_web("tea")', 'search_web(query="tea", num_results=5)'),
        (WEATHER, json.dumps({"tool_calls": [TOOL_CALL]})),
        (WEATHER, json.dumps({"role": "assistant", "content": None, "tool_calls": [TOOL_CALL]})),
        (WEATHER, json.dumps([TOOL_CALL])),
        (WEATHER, json.dumps({"function": {"name": "get_weather", "arguments": {"location": "Oslo"}}})),
        (WEATHER, '<tool_call>\n{"name": "get_weather", "arguments": {"location": "Oslo"}}\n</tool_call>'),
        (WEATHER, 'I look.\n<tool_call>{"name": "get_weather", "arguments": {"location": "Oslo"}}'),
        (WEATHER, '<|python_tag|>{"name": "get_weather", "parameters": {"location": "Oslo"}}<|eom_id|>'),
        (WEATHER, '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"location": "Oslo"}}]'),
        (WEATHER, 'Sure:\n```json\n[{"name": "get_weather", "arguments": {"location": "Oslo"}}]\n```\nDone.'),
        (WEATHER, '{"name": "get_weather", "arguments": {"location": "Oslo"}}\nThis asks for the weather.'),
        (WEATHER, json.dumps({"name": "get_weather", "arguments": {"location": "Oslo"}}, indent=2)),
        (WEATHER, f"{WEATHER}\nThis asks for the weather in Oslo."),
        (WEATHER, 'get_weather(\n    "Oslo",\n)\nThis asks for the weather.'),
        (WEATHER, f'{WEATHER} → {{"temp": 7}}'),
        (WEATHER, f"`{WEATHER}`"),
        (WEATHER, f"- {WEATHER}"),
        (WEATHER, f"{WEATHER}  # the weather"),
        (WEATHER, f"x = {WEATHER}"),
        (WEATHER, f"print({WEATHER})"),
        (WEATHER, f"{WEATHER}. That is all."),
        (WEATHER, f"Here is the call:\n\n{WEATHER}"),
        (WEATHER, f"The user wants the weather in Oslo.\n\nCall: {WEATHER}"),
        (WEATHER, f"The user wants the weather in Oslo.\n\n**Call:** {WEATHER}"),
        (WEATHER, f"The user wants the weather in Oslo.\n\n**Answer:** `{WEATHER}`"),
        (WEATHER, f"Weather in Oslo, please.\nCall: {WEATHER}"),
        (WEATHER, f"The right call: {WEATHER}"),
        (WEATHER, f"The answer is: {WEATHER}"),
        (WEATHER, f"Assistant: {WEATHER}"),
        (TWO, 'Both are needed.\nCall: get_weather("Oslo")\nCall: get_stock_price("ACME")'),
        (WEATHER, f"from tools import get_weather\n{WEATHER}"),
        (WEATHER, f"import json\n\n{WEATHER}"),
        (WEATHER, f"The final answer is: $\\boxed{{\\text{{{WEATHER}}}}}$."),
        ("now()", '{"name": "now", "parameters": null}'),
        (
            WEATHER,
            f"I cannot run it, so here is the call:\n```\n{WEATHER}\n```\nNo further calls are needed. What else?",
        ),
        (WEATHER, f"{WEATHER}\n\nSo {WEATHER} asks for the weather."),
        (WEATHER, f"{WEATHER}</s>\n{WEATHER}"),
        (WEATHER, f"# Look it up\n{WEATHER}"),
        (WEATHER, f"assistant\n\n{WEATHER}"),
        (WEATHER, f"**{WEATHER}**"),
        (WEATHER, f"{WEATHER}\r\n\r\nThis asks for the weather."),
        (WEATHER, f"```python\n# Look it up\nweather = {WEATHER}\n\n# Show it\nprint(weather)\n```\nIf not, say so."),
        (WEATHER, f"{WEATHER}<bot_end>\nThought: The call {WEATHER} does it."),
        (WEATHER, f"<tool_call>{WEATHER}</tool_call>\n<tool_response>\n{{}}\n</tool_response>\n{WEATHER}"),
        (WEATHER, f"{WEATHER}\n\nget_weather(location: str) -> dict\n\nRequest: Rome?\nCall: get_weather('Rome')"),
        (WEATHER, "functions.get_weather(location='Oslo')"),
        (WEATHER, '{"name": "get_weather", "arguments": {"location": "Oslo"}} asks for the weather.'),
        (MAIL, 'x = calculate("12 * 9")\nsend_email("a@example.com", "Total", x)'),
        (MAIL, 'x = calculate("12 * 9"); send_email("a@example.com", "Total", body=x)'),
        (
            MAIL,
            "<function=send_email><parameter=to>a@example.com</parameter><parameter=subject>Total</parameter>"
            '<parameter=body>{"name": "calculate", "arguments": {"expression": "12 * 9"}}</parameter></function>',
        ),
        (TWO, 'print(get_weather("Oslo"), get_stock_price("ACME"))'),
        (WEATHER, f"{WEATHER}\n\n[REQUEST]\nIs it raining?"),
        (WEATHER, f'```\n{WEATHER}\n```\ngives\n```json\n{{"temp": 7}}\n```'),
        (TWO, '```\nget_weather("Oslo")\n```\nand\n```\nget_stock_price("ACME")\n```'),
        (TWO, '1. get_weather("Oslo")\n2. get_stock_price("ACME")'),
        (TWO, 'get_weather("Oslo") -> {}\nget_stock_price("ACME") -> {}'),
        (
            TWO,
            '<tool_call>{"name": "get_stock_price", "arguments": {"symbol": "ACME"}}</tool_call>\n'
            '<tool_call>{"name": "get_weather", "arguments": {"location": "Oslo"}}</tool_call>',
        ),
        (
            TWO,
            '{"name": "get_stock_price", "parameters": {"symbol": "ACME"}}; '
            '{"name": "get_weather", "parameters": {"location": "Oslo"}}',
        ),
        ('get_weather("Zürich")', 'get_weather("Zu\u0308rich")'),
        ('get_weather("a → b) -> c")', 'get_weather("a → b) -> c")'),
        ("now()", '{"name": "now"}'),
        ("now()", '{"name": "now", "arguments": ""}'),
        ("unlisted(1, [2, -3], {'a': None}, b=True)", 'unlisted(1.0, (2.0, -3), {"a": null}, b=true)'),
        ("tools.unlisted(x)", "tools.unlisted( x )"),
    ],
)
def test_the_same_calls_in_another_writing_are_right(answer: str, output: str) -> None:
    assert score("function_call", problem(answer), output).correct


@pytest.mark.parametrize(
    ("answer", "output"),
    [
        (WEATHER, 'get_weather("oslo")'),
        (WEATHER, 'get_weather("Oslo", "fahrenheit")'),
        (WEATHER, f"{WEATHER}\n{WEATHER}"),
        (WEATHER, TWO),
        (TWO, WEATHER),
        (WEATHER, 'get_weather("Oslo", location="Oslo")'),
        (WEATHER, 'get_weather("Oslo", "celsius", 1)'),
        (WEATHER, 'get_weather("Oslo", city="Oslo")'),
        (WEATHER, "get_weather()"),
        (WEATHER, 'get_weather(*["Oslo"])'),
        (WEATHER, 'get_weather(**{"location": "Oslo"})'),
        (WEATHER, 'get_weather("Os" + "lo")'),
        (WEATHER, '__import__("os").system("true")'),
        (WEATHER, '{"name": "get_weather", "arguments": {"location": "Oslo", "location": "Rome"}}'),
        (WEATHER, '{"name": "get_weather", "arguments": ["Oslo"]}'),
        (WEATHER, '{"name": ["get_weather"], "arguments": {}}'),
        (WEATHER, '{"name": "get_weather", "arguments": {"location": "Rome", "location": "Oslo"}}'),
        (WEATHER, '{"name": "get_weather", "arguments": {"location": "Oslo"}, "parameters": {}}'),
        (WEATHER, '{"name": "get_weather", "arguments": {"location": "Oslo"}, "comment": 1}'),
        (WEATHER, '{"name": "get_weather", "arguments": "{"}'),
        (WEATHER, '{"name": "get_weather", "arguments": null}'),
        (WEATHER, '{"tool_calls": []}'),
        (WEATHER, "<tool_call></tool_call>"),
        (WEATHER, '<tool_call>{"name": "get_weather", "arguments": {"location": "Oslo"}}</tool_call><tool_call>x'),
        (WEATHER, f"{WEATHER}\nor\nget_weather('Rome')"),
        (WEATHER, f"{WEATHER}\nwhich gives\n{{}}"),
        (WEATHER, f"```\n{WEATHER}\n```\n```\n{WEATHER}\n```"),
        (WEATHER, f"I call {WEATHER}"),
        (WEATHER, f'{WEATHER}\n\nThen I call:\n\nget_stock_price("ACME")'),
        (TWO, f'{WEATHER}\n\nThen I call:\n\nget_stock_price("ACME")'),
        (TWO, f'{WEATHER} or get_stock_price("ACME")'),
        (TWO, f'```\n{WEATHER}\n```\nor\n```\nget_stock_price("ACME")\n```'),
        (WEATHER, f"{WEATHER}\n\nAlternatively, get_weather('Rome')."),
        (WEATHER, f"{WEATHER} and get_weather('Rome')"),
        (WEATHER, f"I would not call:\n{WEATHER}"),
        (WEATHER, f"If it rains:\n{WEATHER}"),
        (WEATHER, f"If it rains, then\nCall: {WEATHER}"),
        (WEATHER, f"The wrong call: {WEATHER}"),
        (WEATHER, f"I would never write \\boxed{{{WEATHER}}}"),
        (WEATHER, f"\\boxed{{Wrong: {WEATHER}}}"),
        (WEATHER, f"\\boxed{{{WEATHER}}}\n\nNo:\n\\boxed{{get_weather('Rome')}}"),
        (WEATHER, f"{WEATHER}}}"),
        (WEATHER, '[{"get_weather": {"location": "Oslo"}}, {"delete_all": {"sure": true}}]'),
        (WEATHER, f"{WEATHER}\nno_call()"),
        (WEATHER, f"I look it up.\nCall: {WEATHER}\n\nI look again.\nCall: {WEATHER}"),
        (WEATHER, f"You must avoid:\n```\n{WEATHER}\n```"),
        (WEATHER, f"I would not call:\n```\n{WEATHER}\n```"),
        (WEATHER, f"It is a mistake to write:\n{WEATHER}"),
        (WEATHER, f"The following call fails:\n{WEATHER}"),
        (WEATHER, f"For example:\n{WEATHER}"),
        (WEATHER, 'Never send:\n{"name": "get_weather", "arguments": {"location": "Oslo"}}'),
        (WEATHER, f"{WEATHER}\nActually no call is needed."),
        (WEATHER, f"{WEATHER}\nOn second thought, ignore that."),
        (WEATHER, f"{WEATHER}\nThat is wrong."),
        (WEATHER, f"```\n{WEATHER}\n```\nI need more information. Which city?"),
        (WEATHER, f"I look it up.\n\n{WEATHER}"),
        (WEATHER, f"get_weather('Rome')\nCorrection:\n{WEATHER}"),
        (WEATHER, f"# get_weather('Rome')\n{WEATHER}"),
        (WEATHER, f"{WEATHER}\nget_weather('Rome'"),
        (WEATHER, f"[{WEATHER} for _ in range(2)]"),
        (WEATHER, "get_weather('Oslo', units=None)"),
        (WEATHER, '[TOOL_CALLS]get_weather[ARGS]{"location": "Oslo"}[TOOL_CALLS]get_weather[ARGS]{"location": "Ro'),
        (WEATHER, f"```python\nif cold:\n    {WEATHER}\n```"),
        (WEATHER, f"def f():\n    {WEATHER}"),
        (WEATHER, f"<tool_call>{WEATHER}</tool_call>\n{WEATHER}"),
        (WEATHER, f"```\n{WEATHER}\n```\n{WEATHER}"),
        (WEATHER, f'{{"name": "get_weather", "arguments": {{"location": "Oslo"}}}} {WEATHER}'),
        (WEATHER, f"{WEATHER}[0]"),
        (WEATHER, f"{WEATHER}.json()"),
        (WEATHER, f"x = {WEATHER} or 1"),
        (WEATHER, f"{WEATHER} if cold else None"),
        (WEATHER, f"x = {WEATHER}\nget_weather(x)"),
        (WEATHER, f"# {WEATHER}"),
        (WEATHER, f"'{WEATHER}'"),
        (WEATHER, f"<think>{WEATHER}"),
        (WEATHER, f"<think>{WEATHER}</think>"),
        (WEATHER, "no call"),
        (
            MAIL,
            'x = calculate("2")\nsend_email("a@example.com", "Total", x)\nsend_email("a@example.com", "T", x)',
        ),
        (MAIL, 'calculate("12 * 9")\nsend_email("a@example.com", "Total", 108)'),
        (WEATHER, f"-{WEATHER}"),
        (WEATHER, f"not {WEATHER}"),
        (WEATHER, "get_weather"),
        (WEATHER, ""),
        ('search_web("tea", 1)', 'search_web("tea", True)'),
        ('search_web("tea", 1)', 'search_web("tea", +True)'),
        ('search_web("tea", -1)', 'search_web("tea", -True)'),
        ('search_web("tea", 1)', '{"name": "search_web", "arguments": {"query": "tea", "num_results": true}}'),
        ('search_web("tea", 1)', 'search_web("tea", "1")'),
        ("unlisted(a=1)", "unlisted(a=1, a=1)"),
        ("unlisted({'a': 1})", "unlisted({'a': 2, 'a': 1})"),
        ("unlisted({'a': 1})", "unlisted({'a': True})"),
        ("unlisted([1, 2])", "unlisted([2, 1])"),
        ("unlisted(1, b=2)", "unlisted(b=2, a=1)"),
        (MAIL, 'send_email("a@example.com", "Total", "108")'),
        (MAIL, 'send_email("a@example.com", "Total", \'calculate("12 * 9")\')'),
    ],
)
def test_other_calls_are_wrong(answer: str, output: str) -> None:
    assert not score("function_call", problem(answer), output).correct
