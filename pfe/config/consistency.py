"""Consistency checks across the configuration: values that are valid alone but do not fit together.

Example: `student.hidden: 65 is not 4 heads of one even size; set it to 64 or 72`.
"""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from string import Formatter
from typing import Any

from pfe.config.error_messages import GROUPS
from pfe.config.records import (
    CHANCE,
    NO_BASELINE,
    TUTORS,
    Benchmark,
    Config,
    Embedded,
    NewStudent,
    Rules,
    Student,
    Tutor,
)
from pfe.errors import nearest

FIELDS = ("question", "context", "tests", "functions")  # what a prompt may hold, in braces
# Data sets of reasoning-gym that no tutor may use, and why.
SEALED = {"gsm_symbolic": "is made of GSM8K's test problems, with other names and numbers"}
MOST_PROCESSES = 1024  # of one machine
# The field that a tutor of each kind needs, and its possible values.
NEEDED = {
    "procedural": ("route", "derive, verify, replay, read or eliminate"),
    "openai": ("model", "the name that the server knows it by"),
    "huggingface": ("model", "a folder, or a name on the hub (owner/model)"),
    "reasoning_gym": ("dataset", "the name of one of its data sets, such as leg_counting"),
}
# The aspects of runs of methods, and of evaluations of language models.
COMPETITION_ASPECTS = ("accuracy", "simplicity", "property", "r2")
LEADERBOARD_ASPECTS = ("canonical", "icr", "relative_lift")


def disagreements(settings: Config) -> Iterator[str]:
    """Yield every inconsistency, with the path of its parameter and a remedy."""
    yield from _wrong_sizes(settings)
    yield from _wrong_lengths(settings.student)
    yield from _without_teachers(settings)
    yield from _too_few_readers(settings)
    yield from _too_many_processes(settings)
    yield from _unnamed(settings)
    for name, method in settings.methods.items():
        yield from _no_numbers(f"methods.{name}.settings", method.settings)
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
    yield from _twice("methods", "label", {name: method.label for name, method in methods.items()})
    yield from _twice("models", "label", {name: model.label for name, model in settings.models.items()})
    yield from _wrong_aspects("rules", settings.rules, COMPETITION_ASPECTS)
    yield from _wrong_aspects("leaderboard", settings.leaderboard, LEADERBOARD_ASPECTS)
    baseline, models = settings.leaderboard.baseline, {CHANCE, *settings.models}
    if baseline not in models:
        yield f"leaderboard.baseline: unknown model '{baseline}'; {nearest(baseline, models)}"


def _wrong_sizes(settings: Config) -> Iterator[str]:
    """Yield errors in the sizes of models with random weights: the student, if it is new, and its tutors."""
    student, tutors = settings.student, settings.embedded
    if isinstance(student, NewStudent):
        yield from _odd_heads("student", student)
    elif tutors:
        yield (
            f"embedded: {', '.join(tutors)} would learn from random weights as the student does, which begins as "
            f"'{student.path}'; choose student=scratch or student=small, or embedded=[]"
        )
    for name, tutor in tutors.items():
        yield from _odd_heads(f"embedded.{name}", tutor)
        if isinstance(student, NewStudent):
            yield from _too_small(f"embedded.{name}", tutor, student)
    yield from _twice("embedded", "seed", {name: tutor.seed for name, tutor in tutors.items()})


def _wrong_lengths(student: Student) -> Iterator[str]:
    if student.batch_tokens < student.sequence:
        yield (
            f"student.batch_tokens: {student.batch_tokens} hold no sequence of student.sequence={student.sequence}; "
            "set it to as many or more, or lower student.sequence"
        )
    if student.gkd.max_new_tokens >= student.context:
        yield (
            f"student.gkd.max_new_tokens: {student.gkd.max_new_tokens} leave no room for a prompt in "
            f"student.context={student.context}; lower it, or raise student.context"
        )


def _too_many_processes(settings: Config) -> Iterator[str]:
    workers = settings.firewall.workers
    if settings.firewall.engine == "datatrove" and workers > MOST_PROCESSES:
        yield (
            f"firewall.workers: {workers} processes are more than one machine runs; set it to {MOST_PROCESSES} or "
            "fewer, about as many as it has cores, or firewall.engine to slurm or ray"
        )


def _unnamed(settings: Config) -> Iterator[str]:
    """Yield the models and tutors that lack the path or name needed to open them."""
    for name, model in settings.models.items():
        if model.kind != "chance" and model.path is None:
            yield (
                f"models.{name}.path: null, which opens no model; set it to a folder (data/models/base), a name on the "
                "hub (owner/model), or the name that a server knows it by"
            )
    for name, tutor in settings.tutor.items():
        field, example = NEEDED[tutor.kind]
        if getattr(tutor, field) is None:
            yield f"tutor.{name}.{field}: null, without which kind: {tutor.kind} is none; set it to {example}"


def _no_numbers(where: str, value: Any) -> Iterator[str]:
    """Yield the numbers in a method's settings that no regressor can compute with."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _no_numbers(f"{where}.{key}", inner)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _no_numbers(f"{where}.{place}", inner)
    elif isinstance(value, float) and not isfinite(value):
        yield f"{where}: {value} is no finite number; give one, or leave it out for the regressor's own"
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        yield f"{where}: an integer of {len(str(abs(value)))} digits is more than libraries hold; give one below 2^63"


def _odd_heads(where: str, model: NewStudent | Embedded) -> Iterator[str]:
    """Yield an error unless heads have an even size: rotary position embeddings rotate pairs of dimensions."""
    step = 2 * model.heads
    if model.hidden % step:
        below = model.hidden // step * step
        near = f"{below} or {below + step}" if below else f"{step}"
        yield f"{where}.hidden: {model.hidden} is not {model.heads} heads of one even size; set it to {near}"


def _too_small(where: str, tutor: Embedded, student: NewStudent) -> Iterator[str]:
    """Yield an error unless the tutor is larger than its student, by layers times hidden size squared."""
    if tutor.layers * tutor.hidden**2 <= student.layers * student.hidden**2:
        yield (
            f"{where}: {tutor.layers} layers of {tutor.hidden} are no more than the student's {student.layers} of "
            f"{student.hidden}; raise {where}.layers or {where}.hidden"
        )


def _without_teachers(settings: Config) -> Iterator[str]:
    """Yield the settings about tutors with token probabilities that do not fit the chosen tutors."""
    gkd, tutors = settings.student.gkd, settings.embedded
    choose = f"choose as in -S '{GROUPS['embedded']}'"
    if gkd.steps and not tutors:
        yield f"student.gkd.steps: {gkd.steps} steps, and no tutor with token probabilities; {choose}, or set it to 0"
    if idle := [] if gkd.steps else _not_examined(settings):
        yield (
            f"embedded: {', '.join(idle)} would be trained for nothing, since student.gkd.steps=0 and no model is one "
            f"of them; set it as in -S student.gkd.steps=200, examine them as in -S 'model=[base,student,{idle[0]}]', "
            "or leave them out"
        )
    for name in gkd.weights:
        if name not in tutors:
            yield f"student.gkd.weights: the embedded tutor '{name}' is not chosen; {choose}, or leave it out"
    if gkd.weights and gkd.ensemble == "route":
        yield "student.gkd.weights: each set has one tutor under ensemble=route; leave them out, or set it to mix"
    if tutors and gkd.ensemble == "route" and not settings.corpus.validation.problems:
        yield (
            "student.gkd.ensemble: route goes by answers to problems that are kept from training, and "
            "corpus.validation.problems=0 keeps none; raise it, or set student.gkd.ensemble=mix"
        )
    for name, tutor in _examined(settings):
        if tutor not in tutors:
            yield f"models.{name}.path: the embedded tutor '{tutor}' is not chosen; {choose}"


def _examined(settings: Config) -> Iterator[tuple[str, str]]:
    """Yield the models that are embedded tutors, with the tutors' names."""
    paths = {name: Path(model.path or "") for name, model in settings.models.items()}
    yield from ((name, path.name) for name, path in paths.items() if path.parent == Path(TUTORS))


def _not_examined(settings: Config) -> list[str]:
    examined = {tutor for _, tutor in _examined(settings)}
    return [name for name in settings.embedded if name not in examined]


def _too_few_readers(settings: Config) -> Iterator[str]:
    """Yield an error for a consensus that no problem could reach; without readers `answer_keys.unread` decides."""
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
    """Return the fields of a prompt, as written in its braces.

    Raises:
        ValueError: the braces do not match.
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


def _twice(where: str, field: str, values: Mapping[str, str | int]) -> Iterator[str]:
    """Yield the entries that share a value which must be unique: a label in tables, or a tutor's seed."""
    owners: dict[str | int, str] = {}
    for name, value in values.items():
        if value in owners:
            yield f"{where}.{name}.{field}: {value!r} is that of {where}.{owners[value]} too; change one of them"
        owners.setdefault(value, name)


def _wrong_aspects(where: str, rules: Rules, known: Iterable[str]) -> Iterator[str]:
    for aspect in rules.aspects:
        if aspect not in known:
            yield f"{where}.aspects: unknown aspect '{aspect}'; {nearest(aspect, known)}"
    if rules.within == "interval" and known is COMPETITION_ASPECTS:
        yield f"{where}.within: runs of a competition have no intervals; set it to equal"
