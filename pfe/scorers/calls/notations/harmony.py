"""Calls to a recipient: gpt-oss's harmony, Functionary, GLM-4, the agents of ReAct and Qwen.

    <|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"location": "Oslo"}<|call|>
    <|recipient|>get_weather
    <|content|>{"location": "Oslo"}
    >>>get_weather
    {"location": "Oslo"}
    Action: get_weather
    Action Input: {"location": "Oslo"}
    ✿FUNCTION✿: get_weather
    ✿ARGS✿: {"location": "Oslo"}

Sources: OpenAI's harmony response format (cookbook.openai.com/articles/openai-harmony); MeetKai's functionary,
prompt templates v2 and v3.2; Yao et al. 2022, arXiv:2210.03629, as LangChain writes it; QwenLM/Qwen-Agent.
"""

from pfe.scorers.calls.arguments import named_object

_NAME = r"(?P<name>[\w.-]{1,200})"
NOTATIONS = (
    named_object(rf"\bto=(?:functions\.)?{_NAME}(?=[\s<{{])[^{{}}\n]{{0,80}}", r"<\|call\|>|<\|end\|>"),
    named_object(rf"<\|recipient\|>\s*{_NAME}\s*<\|content\|>", r"<\|stop\|>"),
    named_object(rf">>>\s*{_NAME}\n"),
    named_object(rf"\bAction:[ \t]*`?{_NAME}`?[ \t]*\n+[ \t]*Action Input:"),
    named_object(rf"✿FUNCTION✿:?\s*{_NAME}\s*✿ARGS✿:?"),
)
