"""Rendering of the page from its template, style sheet, scripts and data.

Example: `render(content, islands)` begins with "<!doctype html>" and contains everything that a browser needs.

Untrusted text (problems, model outputs) reaches the page through Jinja's escaping, or as JSON in which `</script>` is
escaped. The scripts insert it as plain text only.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pfe.report.cells import decimal, with_interval

FOLDER = Path(__file__).parent
TEMPLATE, STYLE = "page.html.j2", "style.css"
PROGRAMS = ("page.js", "charts.js", "browser.js", "firewall.js")
_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def island(value: Any) -> str:
    """Return a value as JSON for an HTML script element, escaped so that it cannot end the script or open a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(_ESCAPES)


def side_file(name: str, value: Any) -> str:
    """Return a script that passes a part of the problems to the page; a page opened from disk can load scripts only."""
    return f"pfe.part({island(name)},{island(value)});\n"


def render(content: Mapping[str, Any], islands: Mapping[str, Any]) -> str:
    """Return the whole page; `islands` holds the data of the scripts, by element id."""
    page: str = _template().render(
        **content,
        style=_own(STYLE),
        programs="\n".join(_own(name) for name in PROGRAMS if (FOLDER / name).is_file()),
        vega=vega(),
        islands={name: island(value) for name, value in islands.items()},
    )
    return page


@cache
def vega() -> str:
    """Return Vega, Vega-Lite and vega-embed as one script that needs no network."""
    import vl_convert

    script = (
        vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
        .replace("</script", "<\\/script")
        .replace("<!--", "<\\!--")
    )
    return f"(() => {{{script}}})();"  # a function scope, so that minified names do not become global


def _own(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


@cache
def _template() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"points": points, "share": share, "signed": signed, "count": "{:,}".format}
    return environment.get_template(TEMPLATE)


def signed(value: float) -> str:
    """Return points with a sign and one decimal, without a negative zero."""
    return decimal(value, "+").replace("-", "−")


def points(figure: Any) -> str:
    """Return a difference with its CI, or a dash if there is none."""
    return f"{signed(figure.value)} [{signed(figure.low)}, {signed(figure.high)}]" if figure else "–"


def share(figure: Any) -> str:
    """Return a percentage with its CI, or a dash if there is none."""
    return with_interval(figure)
