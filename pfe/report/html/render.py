"""The page put together: its template, style and programs, and the data that these read.

Example: `render(content)` begins with "<!doctype html>" and holds every byte that a browser needs.

Text of others (problems, what models wrote) reaches the page through Jinja's escaping or as JSON that no `</script>`
ends, and its programs set it as text alone.
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
    """A value as JSON that may stand in a script of HTML: nothing in it ends the script or begins a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(_ESCAPES)


def side_file(name: str, value: Any) -> str:
    """A script that hands its part of the problems to the page: what a page that is a file can load."""
    return f"pfe.part({island(name)},{island(value)});\n"


def render(content: Mapping[str, Any], islands: Mapping[str, Any]) -> str:
    """The whole page, `islands` being the data by the ids under which its programs read them."""
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
    """Vega, Vega-Lite and vega-embed as one script that needs no network."""
    import vl_convert

    script = (
        vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
        .replace("</script", "<\\/script")
        .replace("<!--", "<\\!--")
    )
    return f"(() => {{{script}}})();"  # its short names stay its own


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
    """Points with their sign and one decimal, and no minus before zero."""
    return decimal(value, "+").replace("-", "−")


def points(figure: Any) -> str:
    """A difference with its interval, or a dash."""
    return f"{signed(figure.value)} [{signed(figure.low)}, {signed(figure.high)}]" if figure else "–"


def share(figure: Any) -> str:
    """A percentage with its interval, or a dash."""
    return with_interval(figure)
