"""Whether the values of a configuration agree: what each may be alone, and not beside the others.

Example: `student.hidden: 65 is not 4 heads of one even size; set it to 64 or 72`.
"""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from string import Formatter

from pfe.config.records import CHANCE, NO_BASELINE, Benchmark, Config, Rules, Student, Tutor
from pfe.errors import nearest

FIELDS = ("question", "context", "tests", "functions")  # what a prompt may hold, in braces
# Data sets of reasoning-gym that no tutor may write from, and why.
SEALED = {"gsm_symbolic": "is made of GSM8K's test problems, with other names and numbers"}
# The aspects that runs of methods and examinations of language models have.
COMPETITION_ASPECTS = ("accuracy", "simplicity", "property", "r2")
LEADERBOARD_ASPECTS = ("canonical", "icr", "relative_lift")


def disagreements(settings: Config) -> Iterator[str]:
    """Every mistake of that kind, with the path of its parameter and what to do."""
    yield from _odd_heads(settings.student)
    yield from _too_few_readers(settings)
    for name, tutor in settings.tutor.items():
        yield from (f"tutor.{name}.{wrong}" for wrong in _wrong_writer(tutor, settings.scale.targets))
    for name, benchmark in settings.benchmark.items():
        yield from (f"benchmark.{name}.prompt: {wrong}" for wrong in _wrong_prompt(benchmark))
    baseline, methods = settings.rules.baseline, settings.methods
    nobody_qualifies = settings.rules.qualification == "none"
    if baseline not in methods and not (nobody_qualifies and baseline == NO_BASELINE):
        setting = f"rules.baseline={NO_BASELINE}" if nobody_qualifies else "rules.qualification=none"
        yield (
            f"rules.baseline: the method '{baseline}' is not chosen; {nearest(baseline, methods)}; "
            f"add it to -S 'method=[…]', or set {setting}"
        )
    yield from _twice("methods", {name: method.label for name, method in methods.items()})
    yield from _twice("models", {name: model.label for name, model in settings.models.items()})
    yield from _wrong_aspects("rules", settings.rules, COMPETITION_ASPECTS)
    yield from _wrong_aspects("leaderboard", settings.leaderboard, LEADERBOARD_ASPECTS)
    baseline, models = settings.leaderboard.baseline, {CHANCE, *settings.models}
    if baseline not in models:
        yield f"leaderboard.baseline: unknown model '{baseline}'; {nearest(baseline, models)}"


def _odd_heads(student: Student) -> Iterator[str]:
    """A head turns its numbers by pairs, by their place in the text, so its size is even."""
    step = 2 * student.heads
    if student.hidden % step:
        below = student.hidden // step * step
        near = f"{below} or {below + step}" if below else f"{step}"
        yield f"student.hidden: {student.hidden} is not {student.heads} heads of one even size; set it to {near}"


def _too_few_readers(settings: Config) -> Iterator[str]:
    """A consensus that no problem could reach; where nobody reads, `answer_keys.unread` decides."""
    readers = [name for name, tutor in settings.tutor.items() if tutor.reads]
    models: dict[tuple[str, str | None, str | None], str] = {}
    for name in readers:
        tutor = settings.tutor[name]
        first = models.setdefault((tutor.kind, tutor.model, tutor.base_url), name)
        if first != name:
            yield f"tutor.{name}.model: is that of tutor.{first} too, which does not make two opinions; leave one out"
    consensus = settings.answer_keys.consensus
    if readers and consensus is not None and consensus > len(readers):
        yield (
            f"answer_keys.consensus: {consensus} tutors that read a problem are to agree, and those chosen are "
            f"{len(readers)} ({', '.join(readers)}); choose more with -S 'tutor=[…]', or set it to null for all of them"
        )
    elif consensus == len(readers) > 1 and (writers := [name for name in readers if settings.tutor[name].writes]):
        yield (
            f"answer_keys.consensus: {consensus} tutors that read a problem are to agree, and of what {writers[0]} "
            f"writes there are {len(readers) - 1} besides itself; choose one more, or set it to null for all of them"
        )


def _wrong_writer(tutor: Tutor, sets: Iterable[str]) -> Iterator[str]:
    for name in tutor.writes:
        if name not in sets:
            yield f"writes: unknown synthetic set '{name}'; {nearest(name, sets)}"
    if tutor.writes and tutor.kind == "procedural":
        yield "writes: the families of a set write what no other tutor does, unasked; leave it out"
    if tutor.dataset in SEALED:
        yield f"dataset: {tutor.dataset} {SEALED[tutor.dataset]}; choose another data set"
    if tutor.budget.dollars is not None and tutor.prices is None:
        yield "budget.dollars: cannot be counted without prices; add prices: [dollars per million tokens in, and out]"


def fields_of(prompt: str) -> list[str]:
    """The fields of a prompt, as they stand in their braces.

    Raises:
        ValueError: braces that do not match.
    """
    parsed = Formatter().parse(prompt)
    return [
        f"{field}{f'!{conversion}' if conversion else ''}{f':{form}' if form else ''}"
        for _, field, form, conversion in parsed
        if field is not None
    ]


def _wrong_prompt(benchmark: Benchmark) -> Iterator[str]:
    allowed = f"allowed: {', '.join(f'{{{field}}}' for field in FIELDS)}"
    try:
        fields = fields_of(benchmark.prompt)
    except ValueError as error:
        yield f"braces that do not match ({error}); write {{{{ or }}}} for one that is text; {allowed}"
        return
    if not fields:
        yield f"shows nothing of a problem, for it has no field; {allowed}"
    for field in fields:
        if field not in FIELDS:
            near = [f"did you mean '{{{name}}}'? " for name in get_close_matches(field, FIELDS, n=1)]
            yield f"unknown field '{{{field}}}'; {''.join(near)}{allowed}"
    if benchmark.form == "suffix" and "_" in benchmark.prompt:
        yield "a _ of its own, which form: suffix would take for the problem's blank; leave it out"


def _twice(where: str, labels: Mapping[str, str]) -> Iterator[str]:
    """Labels that two bear: in a table nobody could tell them apart."""
    owners: dict[str, str] = {}
    for name, label in labels.items():
        if label in owners:
            yield f"{where}.{name}.label: '{label}' is that of {where}.{owners[label]} too; change one of them"
        owners.setdefault(label, name)


def _wrong_aspects(where: str, rules: Rules, known: Iterable[str]) -> Iterator[str]:
    for aspect in rules.aspects:
        if aspect not in known:
            yield f"{where}.aspects: unknown aspect '{aspect}'; {nearest(aspect, known)}"
    if rules.within == "interval" and known is COMPETITION_ASPECTS:
        yield f"{where}.within: runs of a competition have no intervals; set it to equal"
