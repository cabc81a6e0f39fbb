"""Conversion of the reports' Markdown to HTML.

Example: `html("## Gates", {})` is "<h3>Gates</h3>\\n", because the title of a section has the second level.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from markupsafe import Markup, escape

HIGHEST = 3  # level of the highest heading in a section


def html(text: str, figures: Mapping[str, Markup] | None = None) -> Markup:
    """Return Markdown as HTML, with tables in scrollable boxes; HTML in the Markdown is escaped.

    Args:
        text: the Markdown.
        figures: the HTML that replaces each image, by its address; other images are left out.
    """
    parser = _parser()
    tokens = parser.parse(text, {})
    levels = [int(token.tag[1]) for token in tokens if token.type == "heading_open"]
    environment = {"figures": figures or {}, "lower": HIGHEST - min(levels, default=HIGHEST)}
    return Markup(parser.renderer.render(tokens, parser.options, environment))


def picture(svg: bytes | str, title: str) -> Markup:
    """Return a drawing as an inline image, so that its scripts do not run and its ids do not clash with others."""
    from base64 import b64encode

    content = svg if isinstance(svg, bytes) else svg.encode()
    source = f"data:image/svg+xml;base64,{b64encode(content).decode()}"
    return Markup(
        '<span class="drawn" tabindex="0" role="group" aria-label="{}"><img class="drawing" alt="{}" src="{}"></span>'
    ).format(title, title, source)


@cache
def _parser() -> Any:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("heading_open", _heading)
    parser.add_render_rule("heading_close", _heading)
    parser.add_render_rule("table_open", _scroll)
    parser.add_render_rule("table_close", _end_scroll)
    parser.add_render_rule("th_open", _title)
    parser.add_render_rule("th_close", _end_title)
    parser.add_render_rule("image", _image)
    return parser


def _heading(_: Any, tokens: Sequence[Any], place: int, __: Any, environment: Mapping[str, Any]) -> str:
    token = tokens[place]
    level = min(6, int(token.tag[1]) + environment["lower"])
    return f"<h{level}>" if token.nesting == 1 else f"</h{level}>\n"


def _scroll(*_: Any) -> str:
    return '<div class="scroll" tabindex="0" role="group" aria-label="table"><table>'


def _end_scroll(*_: Any) -> str:
    return "</table></div>\n"


def _title(_: Any, tokens: Sequence[Any], place: int, *__: Any) -> str:
    tag, style = "th" if tokens[place + 1].content else "td", tokens[place].attrGet("style")  # empty: no header cell
    return f'<{tag} style="{style}">' if style else f"<{tag}>"


def _end_title(_: Any, tokens: Sequence[Any], place: int, *__: Any) -> str:
    return "</th>" if tokens[place - 1].content else "</td>"


def _image(_: Any, tokens: Sequence[Any], place: int, __: Any, environment: Mapping[str, Any]) -> str:
    token = tokens[place]
    return str(escape(environment["figures"].get(token.attrs["src"], "")))
