r"""Conversion of Markdown, LaTeX and HTML to plain text, as a page shows it.

Example: r"So $\boxed{\text{**B**}}$ is <b>18\,\%</b>" is shown as "So $\boxed{B}$ is 18%". Boxes remain for
`pfe.scorers.stated`, and dollar signs because "$18" has one too.
"""

import re

# Every repetition is bounded, so that the time is linear in the length of the text.
_STYLE = re.compile(
    r"\\(?:text(?:bf|it|rm|tt|sf|normal|color\s?\{[^{}\n]{0,20}\})?|math(?:rm|bf|it|sf|tt|bb)|boldsymbol|bm|mbox|"
    r"operatorname|emph|underline|color\s?\{[^{}\n]{0,20}\})\s?\{([^{}]{0,300})\}"
)
_FRACTION = re.compile(r"\\[dtc]?frac\s?(?:\{\s?(-?[0-9.,]{1,20})\s?\}\s?\{\s?([0-9.,]{1,20})\s?\}|([0-9])\s?([0-9]))")
_LATEX = (
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"(?<=[0-9])\\[,;:! ](?=[0-9]{3})"), ""),
    (re.compile(r"\\(?:[,;:! ]|quad\b|qquad\b|left\b|right\b|displaystyle\b|[()\[\]])"), " "),
    (re.compile(r"\$\$"), " "),
    (re.compile(r"\s?\\([%$&#_])"), r"\1"),
    (re.compile(r"\\(?:times|cdot|ast)\b"), "×"),
    (re.compile(r"\\div\b"), "÷"),
    (re.compile(r"\\approx\b"), "≈"),
    (re.compile(r"\^\s?\{?\\(?:circ|degree)\}?|\\degree\b"), "°"),
    (re.compile(r"\\(?:rightarrow|to|Rightarrow|implies|therefore)\b"), "→"),
)
_TAG = re.compile(r"</?(?:b|strong|em|i|u|p|div|span|sup|sub|br|font|mark|code|center|h[1-6])\b[^<>\n]{0,80}>", re.I)
_STRUCK = re.compile(r"~~(?=\S)[^~\n]{1,300}~~")
BOLD = re.compile(r"(?<![\w)*])\*\*(?=[^\s*])([^*]{1,300})(?<=\S)\*\*(?![\w*])")
_EMPHASIS = (
    (BOLD, r"\1"),
    (re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,300})(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<![\w_])_{1,2}(?=[^\s_])([^_\n]{1,300})(?<=\S)_{1,2}(?![\w_])"), r"\1"),
    (re.compile(r"^[ \t]{0,20}\*\*(?=[^\s*])|(?<=[^\s*])\*\*[ \t]{0,20}$", re.M), ""),  # opened or closed only
    (re.compile(r"`"), ""),
)
# Maps full width to half width, digits to ASCII, all spaces to plain ones and quotation marks to straight ones, and
# removes characters without width.
_CHARACTERS = str.maketrans(
    {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    | {chr(zero + digit): str(digit) for zero in (0x660, 0x6F0, 0x966, 0x9E6) for digit in range(10)}
    | {"。": ".", "、": ",", "《": '"', "》": '"', "「": '"', "」": '"', "『": '"', "』": '"'}
    | dict.fromkeys("\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " ")
    | dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad", "")
    | dict.fromkeys("‘’‛ʼ", "'")
    | dict.fromkeys("“”„‟«»", '"')
)


def typed(text: str) -> str:
    """Return the text with the characters of a keyboard: straight quotes, plain spaces, half width."""
    return text.translate(_CHARACTERS)


def shown(text: str) -> str:
    """Return the text without LaTeX commands, HTML tags and struck-out text; bold text keeps its asterisks."""
    text = _STRUCK.sub(" ", _TAG.sub("", text))
    if "\\" not in text and "{" not in text and "$$" not in text:
        return text
    for _ in range(2):  # commands may be nested
        text = _STYLE.sub(lambda match: match[1], text)
    text = _FRACTION.sub(lambda match: f" {match[1] or match[3]}/{match[2] or match[4]}", text)
    for pattern, replacement in _LATEX:
        text = pattern.sub(replacement, text)
    return text


def unemphasised(text: str) -> str:
    """Return the text without Markdown's asterisks, underscores and backticks around words; "2**3" is unchanged."""
    for pattern, replacement in _EMPHASIS:
        text = pattern.sub(replacement, text)
    return text


def plain(output: str) -> str:
    """Return the output as a page shows it: `typed`, `shown` and `unemphasised`."""
    return unemphasised(shown(typed(output)))
