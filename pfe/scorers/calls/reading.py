"""Reading of the calls in an answer: every call counts, wherever it occurs.

Example: the answer

    I look it up:
    <tool_call>{"name": "get_weather", "arguments": {"location": "Oslo"}}</tool_call>

makes one call, `get_weather(location="Oslo")`.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

from pfe.scorers.calls.notation import Names, Notation, all_notations
from pfe.scorers.calls.notations.objects import calls_of, object_at
from pfe.scorers.calls.source import call_of, closing, parse_statement
from pfe.scorers.calls.written import BrokenError, RawCall, UnreadableError, Variable
from pfe.scorers.trimming import NEXT, SIGNATURE

LONGEST = 20_000  # characters; a longer answer is not read
ATTEMPTS = 200  # positions per answer where a call may begin but does not

# Tokens that end the model's turn or begin another one.
_END = (
    r"</s>|<eos>|<end_of_turn>|<start_of_turn>|<\|(?:im_end|im_start|eot_id|eom_id|endoftext|end_of_text|return|user|"
    r"start_header_id|observation|END_OF_TURN_TOKEN|assistant_end)\|>|<｜(?:end▁of▁sentence|User)｜>|\[/?INST\]|"
    r"</?(?:tool_response|tool_result|function_results|function_response|start_function_response)>|<\|tool_response\|?>|"
    r"<｜tool▁outputs▁begin｜>|\[TOOL_RESULTS\]"
)
_RUN_ON = rf"(?<=\n)(?:{NEXT}|{SIGNATURE})"
_FENCE = r"```[\w+-]*[ \t]*\r?\n|(?<=\n)[ \t]*```"
_MESSAGE = r"(?:<\|start\|>assistant)?<\|channel\|>\w*<\|message\|>|<answer>"
# An untagged call must be alone, or follow words that introduce it without a condition.
_INTRODUCED = re.compile(r"\A\s*(?:assistant|model)?\s*\Z|[:：][\s*_`]*\Z")
_ASIDE = re.compile(r"^[ \t]*(?:\#[^\n]*|(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+[\w.]+[ \t]*;?$)", re.MULTILINE)
# The line that introduces a call warns against it, or shows it as an example; later words withdraw it.
_WARNED = re.compile(
    r"\b(?:mistake|wrong|wrongly|incorrect|invalid|(?:must|should) not|instead of|for example|for instance)\b|\be\.g\.|"
    r"\b(?:(?<!I )do not|(?<!I )don['’]t|never|would not|wouldn['’]t|avoid)\s*(?:\W\Z|\s(?:just |ever )?"
    r"(?:call|us|writ|mak|run|do\b|say|send|output|this|the|it))|\bfail(?:s|ed)?\W*\Z|\A\W*(?:an )?examples?\W*\Z",
    re.IGNORECASE,
)
_WITHDRAWN = re.compile(
    r"\bno (?:(?:function|tool|such) )?calls? (?:is|are|was|were|should|can)\b|\bon second thought|"
    r"\bI take (?:that|it) back|\b(?:ignore|disregard|scratch|forget|cancel|(?:do not|don['’]t) (?:make|run|use)) "
    r"(?:that|this|it|the above)\b|\b(?:this|that|it|the call) (?:call )?(?:is|was|would be) "
    r"(?:wrong|incorrect|a mistake|not (?:right|correct|needed))\b|\bI (?:also |still |first )?need (?:more|to know)\b|"
    r"(?:\A|[.!?\n])\W*(?:which|what) (?!else|next|now|about)\w+(?: (?:do|did|should|is|are)\b[^.?!\n]*)?\?",
    re.IGNORECASE,
)
_DOUBTFUL = re.compile(r"\b(?:if|unless|when|not|never|don't|won't|cannot|wrong)\b|n't\b|instead of", re.IGNORECASE)
_CHOICE = re.compile(r"\b(?:or|alternatively|otherwise|instead)\b", re.IGNORECASE)
_CONTROL = re.compile(
    r"^[ \t]*(?:(?:if|elif|while)\b[^\n]*|for\b[^\n]*\bin\b[^\n]*|(?:async[ \t]+)?def\b[^\n]*|class\b[^\n]*|"
    r"with\b[^\n]*\bas\b[^\n]*|except\b[^\n]*|else|try|finally):[ \t]*(?:\#[^\n]*)?$",
    re.MULTILINE,
)
# Data next to calls that does not call a function on offer: an object, alone or after a name.
_DATA = re.compile(r"^[ \t]*(?:[\w.-]+(?=\{\s*[\"'}]))?\{", re.MULTILINE)
_MENTION = re.compile(r"(?<![\w.-])(?P<name>[^\W\d][\w.-]{0,200})[ \t]*(?=\()")
_OBJECT = re.compile(r"\{(?=\s*[\"'])")
MENTIONS = 60  # per answer


@dataclass(frozen=True)
class Answer:
    """The content of an output apart from its thoughts: the calls that it makes, and the words around them.

    `calls` is None if something was meant as a call but is not a valid one, or if it is unclear which calls are made.
    `mentions` are calls inside sentences.
    """

    calls: tuple[RawCall, ...] | None
    mentions: tuple[RawCall, ...] = ()
    words: str = ""


@dataclass
class _Scan:
    """The state of a scan: the calls so far, the prose before, between and after them, and the prose outside fences."""

    prose: list[str] = field(default_factory=lambda: [""])
    outside: list[str] = field(default_factory=list)
    calls: list[tuple[Notation, tuple[RawCall, ...]]] = field(default_factory=list)
    bare: list[int] = field(default_factory=list)
    broken: bool = False
    fenced: bool = False
    attempts: int = 0

    def say(self, text: str) -> None:
        self.prose[-1] += text
        if not self.fenced:
            self.outside.append(text)

    def call(self, notation: Notation, calls: tuple[RawCall, ...], label: str) -> None:
        """Record the calls of one reading; a label on their line introduces them like one on the line before."""
        if notation.bare and not self.fenced and not self._goes_on():
            self.bare.append(len(self.calls))
            self.prose[-1] += label
        self.calls.append((notation, calls))
        self.prose.append("")
        self.outside.append("\n")

    def _goes_on(self) -> bool:
        """Return whether the previous call is untagged too and nothing stands between them."""
        return bool(self.calls) and self.calls[-1][0].bare and not self.prose[-1].strip()


def read(output: str, names: Names) -> Answer:
    """Read the calls of an output without thoughts.

    Args:
        names: the functions on offer; in prose, mentions of other functions do not count.
    """
    text = output.strip().replace("]<]minimax[>[", "").replace("\r\n", "\n")  # the first precedes MiniMax-M3's tags
    if len(text) > LONGEST:
        return Answer(None)
    try:
        scan = _scan(text, names)
        calls, mentions = _calls(scan), tuple(_mentions(scan, names))
        return Answer(None if len(mentions) > MENTIONS else calls, mentions, "\n".join(scan.prose))
    except RecursionError:
        return Answer(None)


@cache
def _events() -> re.Pattern[str]:
    """Return a pattern of everything that may change the state of a scan: a named mark, or the start of a notation."""
    tagged = "|".join(f"(?:{_anonymous(n)})" for n in all_notations() if not n.bare)
    untagged = "|".join(f"(?:{_anonymous(n)})" for n in all_notations() if n.bare)
    return re.compile(
        rf"(?P<message>{_MESSAGE})|(?P<stop>{_END}|{_RUN_ON})|(?P<fence>{_FENCE})|{tagged}|(?:(?<=\n)|\A)(?:{untagged})"
    )


def _anonymous(notation: Notation) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", notation.opening.pattern)


def _scan(text: str, names: Names) -> _Scan:
    """Scan the output up to where it runs on to something else."""
    scan = _Scan()
    place = 0
    while event := _events().search(text, place):
        at = event.start()
        scan.say(text[place:at])
        if event["message"]:
            place = _begin(scan, text, event.end(), names)
        elif event["stop"] and at:
            return scan
        elif event["fence"]:
            scan.fenced = not scan.fenced
            place = event.end()
        else:
            line = at == 0 or text[at - 1] == "\n"
            end = _take_calls(scan, text, at, names, line=line)
            scan.say("" if end else text[at])
            place = _begin(scan, text, end, names) if end else at + 1
        if scan.broken:
            return scan
    scan.say(text[place:])
    return scan


def _begin(scan: _Scan, text: str, place: int, names: Names) -> int:
    """Return the position after a call, or after a mark before an answer, and after further calls on the same line."""
    while (at := _gap(text, place)) < len(text) and (end := _take_calls(scan, text, at, names, line=True)):
        place = end
    return place


def _gap(text: str, place: int) -> int:
    while text[place : place + 1] in (" ", "\t", ",", ";"):
        place += 1
    return place


def _take_calls(scan: _Scan, text: str, at: int, names: Names, *, line: bool) -> int:
    """Read the calls that begin at a position and return where they end; 0 if there are none.

    Args:
        line: whether a line begins here, as `bare` notations require.
    """
    for notation in all_notations():
        opened = notation.opening.match(text, at) if line or not notation.bare else None
        if not opened:
            continue
        try:
            reading = notation.read(text, opened, names)
        except BrokenError:
            scan.broken = True
            return 0
        except UnreadableError:
            scan.attempts += 1
            scan.broken |= scan.attempts > ATTEMPTS
            continue
        if reading.end > at:
            scan.call(notation, reading.calls, opened.groupdict().get("label") or "")
            return reading.end
    return 0


def _calls(scan: _Scan) -> tuple[RawCall, ...] | None:
    """Return all calls; None if it is unclear which of them are made."""
    calls = tuple(call for _, calls in scan.calls for call in calls)
    prose = "\n".join(scan.prose)
    if scan.broken or _CONTROL.search(prose):
        return None
    if not calls:
        return ()
    if len(scan.bare) > 1 or _DATA.search("".join(scan.outside)):
        return None
    if len(calls) > 1 and _CHOICE.search("\n".join(scan.prose[1:-1])):
        return None
    if _WITHDRAWN.search("\n".join(scan.prose[1:])):
        return None
    if any(
        notation.bare and _WARNED.search(_last_line(words))
        for (notation, _), words in zip(scan.calls, scan.prose, strict=False)
    ):
        return None
    for i in scan.bare:
        before = _ASIDE.sub("", "\n".join(scan.prose[: i + 1]))
        if not scan.calls[i][0].clear and (not _INTRODUCED.search(before) or _DOUBTFUL.search(before)):
            return None
    return calls


def _last_line(words: str) -> str:
    return _ASIDE.sub("", words).rstrip().rpartition("\n")[2]


def _mentions(scan: _Scan, names: Names) -> Iterator[RawCall]:
    """Yield the calls inside sentences: with at least one argument and no variables in Python syntax, or as objects."""
    for prose in scan.prose:
        for mention in islice(_MENTION.finditer(prose), MENTIONS * 20):
            if mention["name"] in names and (call := _call_at(prose, mention, names)):
                yield call
        for place in islice(_OBJECT.finditer(prose), MENTIONS):
            try:
                yield from calls_of(object_at(prose, place.start())[0], names)
            except UnreadableError:
                continue


def _call_at(prose: str, mention: re.Match[str], names: Names) -> RawCall | None:
    try:
        end = closing(prose, mention.end())
        statement, odd = parse_statement(prose[mention.start() : end], names)
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
            return None
        call = call_of(statement.value, odd)
    except UnreadableError:
        return None
    return call if [*call.values()] and not any(map(_open, call.values())) else None


def _open(value: object) -> bool:
    """Return whether a value contains a variable, as in `send_money(to, amount)`."""
    match value:
        case Variable():
            return True
        case RawCall():
            return any(map(_open, value.values()))
        case list():
            return any(map(_open, value))
        case dict():
            return any(map(_open, value.values()))
    return False
