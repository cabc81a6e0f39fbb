"""DeepSeek's calls: V3 and R1 with a fence around the arguments, V3.1 without.

    <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather
    ```json
    {"location": "Oslo"}
    ```<｜tool▁call▁end｜><｜tool▁calls▁end｜>
    <｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"location": "Oslo"}<｜tool▁call▁end｜>

V3.2's markup is read in `markup.py`. Source: the chat templates of deepseek-ai/DeepSeek-V3-0324 and -V3.1;
vLLM's deepseekv3_tool_parser and deepseekv31_tool_parser.
"""

from pfe.scorers.calls.arguments import named_object

_BAR = "[｜|]"
_BEGIN = rf"<{_BAR}tool▁call▁begin{_BAR}>"
_SEPARATOR = rf"<{_BAR}tool▁sep{_BAR}>"
NOTATIONS = (
    named_object(
        rf"{_BEGIN}\s*(?:function\s*{_SEPARATOR}\s*(?P<name>[\w.-]{{1,200}})\s*```(?:json)?)",
        rf"```\s*<{_BAR}tool▁call▁end{_BAR}>",
    ),
    named_object(
        rf"{_BEGIN}\s*(?P<name>[\w.-]{{1,200}})\s*{_SEPARATOR}\s*",
        rf"<{_BAR}tool▁call▁end{_BAR}>",
    ),
)
