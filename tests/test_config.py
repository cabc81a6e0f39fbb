"""Settings: what composes, and the one line that a mistake in them gives."""

import copy
import datetime
import re
import shutil
from collections.abc import Iterator
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from pfe import config
from pfe.config import Budget, Config, Tutor, record
from pfe.config.loading import KINDS
from pfe.errors import UserError
from pfe.icr.contexts import library
from pfe.params import composed
from tests.conftest import ROOT


@cache
def defaults() -> dict[str, Any]:
    return composed(conf=ROOT / "conf")


@pytest.fixture
def values() -> Any:
    return copy.deepcopy(defaults())


@cache
def with_scratch() -> dict[str, Any]:
    """With a student of random weights."""
    return composed(["student=scratch"], ROOT / "conf")


@pytest.fixture
def from_scratch() -> Any:
    return copy.deepcopy(with_scratch())


def test_spec_parameters_are_the_default(settings: Config) -> None:
    """SPEC, "The Contamination Firewall": n = 5, 30 %, cosine 0.85."""
    assert (settings.firewall.n, settings.firewall.threshold, settings.firewall.semantic.threshold) == (5, 0.3, 0.85)


def test_a_typo_names_the_nearest_key(values: Any) -> None:
    values["firewall"]["treshold"] = values["firewall"].pop("threshold")
    with pytest.raises(UserError, match=r"firewall\.treshold: unknown key; did you mean 'threshold'\?"):
        config.parse(values, "params.yaml")


def test_a_typo_inside_a_benchmark_names_the_nearest_key(values: Any) -> None:
    values["benchmark"]["race"]["promt"] = "x"
    with pytest.raises(UserError, match=r"benchmark\.race\.promt: unknown key; did you mean 'prompt'\?"):
        config.parse(values, "params.yaml")


@pytest.mark.parametrize(
    ("path", "value"),
    [("seed", "zero"), ("seed", -1), ("firewall.threshold", "0.3"), ("firewall.threshold", 1.5), ("firewall.n", 5.5),
     ("evaluate.arms", ["canonical", "icl"]), ("evaluate.arms", []), ("models", {}), ("student.tokens", True),
     ("firewall.threshold", float("nan")), ("student.learning_rate", float("inf")), ("firewall.threshold", None),
     ("firewall.threshold", [0.3]), ("evaluate.limit", -3), ("firewall", None), ("firewall", [1]), ("seed", {"a": 1}),
     ("seed", datetime.date(2026, 1, 1)), ("scale.targets", {}), ("rules.aspects", "accuracy"), ("seed", 2**32),
     ("student.tokens", 0), ("student.context", 1), ("student.batch_tokens", 0), ("student.learning_rate", 1e30),
     ("student.tokens", 2**41), ("competition.memory", 2**53), ("competition.seconds", 1e300),
     ("competition.repetitions", 10**30), ("student.path", ""),
     ("student.context", 2), ("student.sequence", 1), ("student.learning_rate", 1e-300),
     ("firewall.n", 10**6), ("competition.seconds", 1e-300), ("competition.memory", 1),
     ("firewall.workers", 10_001), ("competition.workers", 1025),
     ("canonical.path", ""), ("canonical.path", " "), ("canonical.path", "a\nb"), ("canonical.path", "a" * 4097)],
)  # fmt: skip
def test_an_ill_typed_value_is_told_with_its_path(values: Any, path: str, value: Any) -> None:
    place, *inner = path.split(".")
    if inner:
        values[place][inner[0]] = value
    else:
        values[place] = value
    with pytest.raises(UserError, match=path):
        config.parse(values, "params.yaml")


@cache
def everything() -> dict[str, Any]:
    """With what the default leaves out."""
    chosen = ["student=qwen", "tutor=[derive,gpt4o]", "model=[base,gpt4o,local_server]"]
    values = composed([*chosen, "competition=full", "calibration=known"], ROOT / "conf")
    return values | {
        "embedded": composed(["student=scratch", "embedded=[wide]", "student.gkd.steps=1"], ROOT / "conf")["embedded"]
    }


# What is bounded by other rules, and where.
ELSEWHERE = (
    r"\.settings\b",  # a method's own
    r"^firewall\.gates\b",  # each gate knows its thresholds
    r"\.depends$",  # commands without DVC leave it empty; `check_names` refuses that where DVC reads it
    r"^firewall\.cluster\.account$",  # an empty one is the user's own
    r"\.prompt$", r"^(rules|leaderboard)\.(aspects|baseline)",  # pfe/config/consistency.py
    r"\.stop\.",  # of any letters, but not of none
)  # fmt: skip


def spoiled(values: Any, kinds: tuple[type, ...], bad: Any, paths: list[str], path: str = "") -> Any:
    """The values with every number, or every text, replaced; the paths of these are noted."""
    if isinstance(values, dict | list):
        entries = values.items() if isinstance(values, dict) else enumerate(values)
        made = {key: spoiled(value, kinds, bad, paths, f"{path}.{key}".lstrip(".")) for key, value in entries}
        return made if isinstance(values, dict) else list(made.values())
    is_other = isinstance(values, bool) or not isinstance(values, kinds)
    if is_other or any(re.search(pattern, path) for pattern in ELSEWHERE):
        return values
    paths.append(path)
    return bad


@pytest.mark.parametrize("bad", [-1, 2**63, float("nan"), "", " ", "\x00"], ids=repr)
def test_every_number_is_bounded_and_every_text_says_something(bad: Any) -> None:
    paths: list[str] = []
    values = spoiled(everything(), (str,) if isinstance(bad, str) else (int, float), bad, paths)
    with pytest.raises(UserError) as error:
        config.parse(values, "params.yaml")
    assert len(paths) > 60
    assert [path for path in paths if f" {path}: " not in str(error.value)] == []


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    """A JSON schema and all that it is made of."""
    if isinstance(schema, dict):
        yield schema
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from parts(part)


def test_what_may_be_null_is_bounded_too() -> None:
    """Every field of every record, as its type says it."""
    whole = TypeAdapter(Config).json_schema()
    records = {"Config": whole, **whole["$defs"]}
    fields_of_records = {
        f"{name}.{key}": field for name, one in records.items() for key, field in one["properties"].items()
    }
    bounds = {
        "integer": ({"minimum", "exclusiveMinimum"}, {"maximum", "exclusiveMaximum"}),
        "number": ({"minimum"}, {"maximum", "exclusiveMaximum"}),  # above 0 is 1e-300 too
        "string": ({"pattern", "minLength"},),
    }
    unbounded = {
        path
        for path, field in fields_of_records.items()
        for part in parts(field)
        if "enum" not in part
        if any(not needed & part.keys() for needed in bounds.get(part.get("type", ""), ()))
    }
    assert unbounded == {
        "Benchmark.prompt", "Cluster.account", "Model.depends", "Rules.aspects", "Rules.baseline"
    }, "of these ELSEWHERE says where they are"  # fmt: skip


def test_what_is_done_at_once_is_no_more_than_machines_do() -> None:
    schema = TypeAdapter(Config).json_schema()
    bounds = {
        f"{name}.{key}": max(part["maximum"] for part in parts(field) if "maximum" in part)
        for name, one in schema["$defs"].items()
        for key, field in one["properties"].items()
        if key in ("workers", "cpus", "concurrency")
    }
    assert len(bounds) == 5
    assert all(bound <= 10_000 for bound in bounds.values()), bounds


@pytest.mark.parametrize("engine", ["local", "datatrove", "slurm", "ray"])
def test_more_processes_than_a_machine_runs_are_for_a_cluster(values: Any, engine: str) -> None:
    values["firewall"] |= {"engine": engine, "workers": 5000}
    if engine != "datatrove":
        assert config.parse(values, "params.yaml")
        return
    with pytest.raises(UserError, match=r"firewall\.workers: 5000 processes are more than one machine runs; set it to"):
        config.parse(values, "params.yaml")


@pytest.mark.parametrize(
    "time", ["0", "90", "90:00", "24:00:00", "2-12", "2-12:30", "2-12:30:00", "UNLIMITED", "infinite"]
)
def test_a_time_is_as_slurm_reads_it(values: Any, time: str) -> None:
    values["firewall"]["cluster"]["time"] = time
    assert config.parse(values, "params.yaml").firewall.cluster.time == time
    for wrong in (f"{time}h", f"-{time}", f"{time} ", f"{time}:", f"{time}\n"):
        values["firewall"]["cluster"]["time"] = wrong
        with pytest.raises(UserError, match=r"firewall\.cluster\.time: .* is no time that Slurm reads; write hours:"):
            config.parse(values, "params.yaml")


@pytest.mark.parametrize("kind", ["huggingface", "vllm", "openai", "embedding"])
def test_a_model_that_nothing_opens_is_told(values: Any, kind: str) -> None:
    values["models"]["mine"] = {"kind": kind, "label": "Mine", "depends": "x"}
    with pytest.raises(
        UserError, match=r"models\.mine\.path: null, which opens no model; set it to a folder .* a name"
    ):
        config.parse(values, "params.yaml")
    values["models"]["mine"] |= {"kind": "chance"}
    assert config.parse(values, "params.yaml")


@pytest.mark.parametrize(
    ("kind", "field"),
    [("procedural", "route"), ("openai", "model"), ("huggingface", "model"), ("reasoning_gym", "dataset")],
)
def test_a_tutor_that_nothing_opens_is_told(values: Any, kind: str, field: str) -> None:
    values["tutor"]["mine"] = {"kind": kind}
    with pytest.raises(UserError, match=rf"tutor\.mine\.{field}: null, without which kind: {kind} is none; set it to "):
        config.parse(values, "params.yaml")


@pytest.mark.parametrize("bad", [float("inf"), float("-inf"), float("nan"), 2**63, -(2**63) - 1, 10**30], ids=repr)
@pytest.mark.parametrize("place", ["x", "x.0", "x.1.y"])
def test_a_setting_that_no_regressor_computes_with_is_told(values: Any, bad: float, place: str) -> None:
    values["methods"]["lasso"]["settings"]["x"] = {"x": bad, "x.0": [bad, 1], "x.1.y": [1, {"y": bad}]}[place]
    with pytest.raises(UserError, match=rf"methods\.lasso\.settings\.{re.escape(place)}: .*; give one"):
        config.parse(values, "params.yaml")


def test_other_settings_are_the_regressor_s_own(values: Any) -> None:
    settings = {"a": 2**63 - 1, "b": 1e300, "c": [True, None, "inf"], "d": {"e": -1}}
    values["methods"]["lasso"]["settings"] = settings
    assert config.parse(values, "params.yaml").methods["lasso"].settings == settings


@pytest.mark.parametrize(
    ("name", "value"), [("vocabulary", 257), ("vocabulary", 2**31 - 1), ("hidden", 2**31), ("layers", 100_000)]
)
def test_a_size_that_no_student_has_is_told_with_its_path(from_scratch: Any, name: str, value: int) -> None:
    from_scratch["student"][name] = value
    with pytest.raises(UserError, match=f"student.{name}"):
        config.parse(from_scratch, "params.yaml")


def test_a_student_with_both_beginnings_is_one_mistake(from_scratch: Any) -> None:
    values = from_scratch
    values["student"]["path"] = "x"
    with pytest.raises(UserError, match=r": student: has the path of a trained model and the sizes of random") as error:
        config.parse(values, "params.yaml")
    assert "missing" not in str(error.value)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"batch_tokens": 511},
            "student.batch_tokens: 511 hold no sequence of student.sequence=512; set it to as many",
        ),
        (
            {"context": 64, "gkd": {"max_new_tokens": 64}},
            "student.gkd.max_new_tokens: 64 leave no room for a prompt in student.context=64",
        ),
    ],
)
def test_lengths_that_do_not_fit_each_other_are_told(values: Any, changes: dict[str, Any], told: str) -> None:
    values["student"]["gkd"] |= changes.pop("gkd", {})
    values["student"] |= changes
    with pytest.raises(UserError, match=re.escape(told)):
        config.parse(values, "params.yaml")


@pytest.mark.parametrize("value", [0.0, 0.01, 1.0])
def test_a_temperature_is_none_or_divides(values: Any, value: float) -> None:
    values["models"]["base"]["temperature"] = value
    assert config.parse(values, "params.yaml").models["base"].temperature == value
    values["models"]["base"]["temperature"] = 1e-300
    with pytest.raises(UserError, match=r"models\.base\.temperature: 1e-300 divides .*; set it to 0, which is greedy"):
        config.parse(values, "params.yaml")


def test_a_missing_key_is_told(values: Any) -> None:
    del values["corpus"]["icr_share"]
    with pytest.raises(UserError, match=r"corpus\.icr_share: missing"):
        config.parse(values, "params.yaml")


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run from the repository's root"):
        config.load(tmp_path / "params.yaml")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a: [1", "not YAML"),
        (b"", "params.yaml: empty; run `pfe params`"),
        (b"- a", "not a mapping of parameters"),
        (b"seed: \xff\xfe", "not UTF-8"),
        (b"a: " + b"[" * 5000, "not YAML"),
        (b"a: &a [*a]", "not plain values"),
        (b"2026-01-01: x", "not plain values"),
        (b"a: !!python/object:os.system x", "not YAML"),
    ],
)
def test_a_damaged_file_is_one_line(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "params.yaml").write_bytes(content)
    with pytest.raises(UserError, match=words) as error:
        config.load(tmp_path / "params.yaml")
    assert "\n" not in str(error.value)


def test_a_consensus_that_no_problem_could_reach_is_told(values: Any) -> None:
    values["answer_keys"]["consensus"] = 2
    assert config.parse(values, "params.yaml").answer_keys.consensus == 2  # nobody reads: `unread` decides
    values["tutor"]["mine"] = {"kind": "openai", "model": "m"}
    with pytest.raises(UserError, match=r"consensus: 2 tutors .* are 1 \(mine\); choose more .* or set it to null"):
        config.parse(values, "params.yaml")


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (
            {"writes": {"gsm_synth": 5}},
            "tutor.mine.writes: unknown synthetic set 'gsm_synth'; did you mean 'gsm1k_synth'?",
        ),
        ({"writes": {"gsm1k_synth": 0}}, "tutor.mine.writes.gsm1k_synth: 0 should be greater than 0"),
        ({"budget": {"dollars": 5.0}}, "tutor.mine.budget.dollars: cannot be counted without prices; add prices: ["),
        (
            {"kind": "reasoning_gym", "dataset": "gsm_symbolic"},
            "tutor.mine.dataset: gsm_symbolic is made of GSM8K's test",
        ),
        ({"budget": {"euros": 5.0}}, "tutor.mine.budget.euros: unknown key"),
        (
            {"kind": "procedural", "route": "read", "writes": {"gsm1k_synth": 5}},
            "tutor.mine.writes: the families of a set",
        ),
    ],
)
def test_a_tutor_that_could_not_write_is_told(values: Any, entry: dict[str, Any], told: str) -> None:
    values["tutor"]["mine"] = {"kind": "openai", "model": "m"} | entry
    with pytest.raises(UserError, match=re.escape(told)):
        config.parse(values, "params.yaml")


def test_what_a_writer_leaves_out_of_its_budget_is_unbounded(values: Any) -> None:
    values["tutor"]["mine"] = {"kind": "openai", "model": "m", "writes": {"gsm1k_synth": 5}, "budget": {"tokens": 100}}
    assert config.parse(values, "params.yaml").tutor["mine"].budget == Budget(100, None)


def test_one_model_is_one_opinion(values: Any) -> None:
    values["tutor"] |= {name: {"kind": "openai", "model": "m"} for name in ("mine", "yours")}
    with pytest.raises(UserError, match=r"tutor\.yours\.model: is that of tutor\.mine too"):
        config.parse(values, "params.yaml")


def test_a_consensus_that_leaves_nobody_to_read_what_a_tutor_writes_is_told(values: Any) -> None:
    values["tutor"]["mine"] = {"kind": "openai", "model": "m", "writes": {"gsm1k_synth": 5}}
    values["tutor"]["yours"] = {"kind": "openai", "model": "n"}
    values["answer_keys"]["consensus"] = 2
    with pytest.raises(UserError, match=r"consensus: 2 .* of what mine writes there are 1 besides itself"):
        config.parse(values, "params.yaml")


def test_a_mistyped_word_names_the_nearest(values: Any) -> None:
    values["benchmark"]["race"]["scorer"] = "chioce"
    with pytest.raises(UserError, match=r"benchmark\.race\.scorer: unknown value 'chioce'; did you mean 'choice'\?"):
        config.parse(values, "params.yaml")
    values["rules"]["ties"] = "densee"
    with pytest.raises(UserError, match=r"rules\.ties: unknown value 'densee'; did you mean 'dense'\?"):
        config.parse(values, "params.yaml")


NAMED = ("benchmark", "models", "tutor", "methods")


@pytest.mark.parametrize("group", NAMED)
def test_a_group_without_members_says_how_to_choose_some(values: Any, group: str) -> None:
    values[group] = {}
    without = {key: value for key, value in values.items() if key != group}
    for empty in (values, without):
        with pytest.raises(UserError, match=f"{group}: none chosen; name at least one, as in -S '{group[:5]}"):
            config.parse(empty, "params.yaml")


STRANGE = ("../canonical", "x; touch F", "a b", "-rf", "a.b", "$(x)", "a" * 65, "a\n")
NAMES = st.from_regex(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,63}", fullmatch=True)


@pytest.mark.parametrize("place", [(group,) for group in NAMED] + [("scale", "targets")], ids=".".join)
@given(
    name=NAMES
    | st.text()
    | st.sampled_from(["../canonical", "x; touch F", "a b", "-rf", "a.b", "$(x)", "a" * 65, "a\n"])
)
def test_a_name_is_letters_digits_underscores_and_hyphens(place: tuple[str, ...], name: str) -> None:
    values = copy.deepcopy(defaults())
    mapping = values
    for part in place:
        mapping = mapping[part]
    mapping[name] = copy.deepcopy(next(iter(mapping.values())))
    if place[0] in ("methods", "models"):
        mapping[name]["label"] = "Another"
    allowed = set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")
    if 0 < len(name) <= 64 and set(name) <= allowed and name[0] != "-":
        assert config.parse(values, "params.yaml")
    else:
        with pytest.raises(UserError, match=r"not a name|not plain values"):
            config.parse(values, "params.yaml")


@pytest.mark.parametrize("library", ["../x.txt", "/etc/passwd", "a b.txt", "gsm1k", "x/y.txt", ".txt", "", "x.py"])
def test_a_library_is_a_file_of_the_libraries_folder(values: Any, library: str) -> None:
    values["benchmark"]["gsm1k"]["library"] = library
    with pytest.raises(UserError, match=rf"benchmark\.gsm1k\.library: '{library}' is not the name of a file"):
        config.parse(values, "params.yaml")


def test_the_libraries_of_the_specification_stand_in_the_place_of_ours_where_it_prints_one(values: Any) -> None:
    values["icr"]["library"] = "spec"
    libraries = {name: one.library for name, one in config.parse(values, "params.yaml").benchmark.items()}
    by_spec = {name: library for name, library in libraries.items() if (library or "").startswith("spec_")}
    assert by_spec == {
        "gsm1k": "spec_gsm1k.txt", "arc_easy": "spec_arc.txt", "arc_challenge": "spec_arc.txt", "mbpp": "spec_mbpp.txt"
    }  # fmt: skip
    assert libraries["race"] == "race.txt"
    assert "METHOD 1: COMBINING QUANTITIES (Addition)\nWhen: Someone gets more" in library("spec_gsm1k.txt").text


@given(hidden=st.integers(1, 600), heads=st.integers(1, 40))
def test_heads_that_do_not_fit_are_told_with_the_nearest_sizes_that_do(hidden: int, heads: int) -> None:
    values = copy.deepcopy(with_scratch())
    values["student"] |= {"hidden": hidden, "heads": heads}
    if hidden % heads == 0 and hidden // heads % 2 == 0:
        assert config.parse(values, "params.yaml")
        return
    with pytest.raises(UserError, match=rf"student\.hidden: {hidden} is not {heads} heads of one even size; ") as error:
        config.parse(values, "params.yaml")
    near = [int(word) for word in str(error.value).partition("set it to ")[2].split(" or ")]
    for value in near:
        values["student"]["hidden"] = value
        assert config.parse(values, "params.yaml")
    assert min(abs(value - hidden) for value in near) <= heads or near == [2 * heads]


def lists(values: Any, path: str = "") -> Iterator[str]:
    """The paths of all lists in the parameters; what stands in a method's settings is the method's own."""
    for key, value in values.items():
        if isinstance(value, list):
            yield f"{path}{key}"
        elif isinstance(value, dict) and key != "settings":
            yield from lists(value, f"{path}{key}.")


def test_no_list_holds_anything_twice() -> None:
    paths = list(lists(defaults()))
    assert len(paths) > 10
    for path in paths:
        values = mapping = copy.deepcopy(defaults())
        *folders, name = path.split(".")
        for folder in folders:
            mapping = mapping[folder]
        mapping[name] = [*mapping[name], *(mapping[name] or ["x", "x"])]
        with pytest.raises(UserError, match=rf"{re.escape(path)}: .* stands there twice; leave one out"):
            config.parse(values, "params.yaml")


ALLOWED = "allowed: {question}, {context}, {tests}, {functions}"


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("hi", f"shows nothing of a problem, for it has no field; {ALLOWED}"),
        ("", "has no field"),
        ("{{question}}", "has no field"),
        ("{qestion}", f"unknown field '{{qestion}}'; did you mean '{{question}}'? {ALLOWED}"),
        ("{question} {answer!r:>9}", f"unknown field '{{answer!r:>9}}'; {ALLOWED}"),
        ("{}", "unknown field '{}'"),
        ("{question.upper}", "unknown field '{question.upper}'; did you mean '{question}'?"),
        ("{question[0]}", "unknown field '{question[0]}'"),
        ("{question", "braces that do not match (expected '}' before end of string); write {{ or }} for one that"),
        ("{question} }", "braces that do not match"),
    ],
)  # fmt: skip
def test_a_prompt_that_cannot_be_filled_is_told_with_what_it_may_hold(values: Any, prompt: str, told: str) -> None:
    values["benchmark"]["gsm1k"]["prompt"] = prompt
    with pytest.raises(UserError, match=re.escape(told)) as error:
        config.parse(values, "params.yaml")
    assert "benchmark.gsm1k.prompt: " in str(error.value)


def test_an_end_of_no_letters_and_a_second_blank_are_told(values: Any) -> None:
    values["benchmark"]["gsm1k"]["stop"] = [""]
    with pytest.raises(UserError, match=r"benchmark\.gsm1k\.stop\.0: "):
        config.parse(values, "params.yaml")
    values["benchmark"]["gsm1k"]["stop"] = []
    values["benchmark"]["winogrande"]["prompt"] = "fill_in: {question}"
    with pytest.raises(UserError, match=r"benchmark\.winogrande\.prompt: a _ of its own"):
        config.parse(values, "params.yaml")


@pytest.mark.parametrize("group", ["methods", "models"])
def test_two_of_one_label_are_told(values: Any, group: str) -> None:
    first, second, *_ = values[group]
    values[group][second]["label"] = values[group][first]["label"]
    with pytest.raises(UserError, match=rf"{group}\.{second}\.label: .* is that of {group}\.{first} too; change one"):
        config.parse(values, "params.yaml")


@pytest.mark.parametrize("label", ["", " ", "a|b", "a\nb", "`a`", "\x1b[31m", "x" * 61])
@pytest.mark.parametrize("path", ["methods.linear.label", "models.base.label", "benchmark.gsm1k.title"])
def test_a_label_is_one_short_line_that_breaks_no_table(values: Any, path: str, label: str) -> None:
    group, name, key = path.split(".")
    values[group][name][key] = label
    with pytest.raises(UserError, match=rf"{re.escape(path)}: .*not one line of up to 60 letters for a table"):
        config.parse(values, "params.yaml")


@pytest.mark.parametrize(
    ("place", "aspects", "told"),
    [
        ("rules", ["accuarcy", "simplicity"], "unknown aspect 'accuarcy'; did you mean 'accuracy'"),
        ("rules", ["icr"], "unknown aspect 'icr'; allowed: accuracy, property, r2, simplicity"),
        ("leaderboard", ["canonical", "accuracy"], "unknown aspect 'accuracy'"),
    ],
)
def test_an_aspect_that_no_run_has_is_told_before_anything_runs(
    values: Any, place: str, aspects: list[str], told: str
) -> None:
    values[place]["aspects"] = aspects
    with pytest.raises(UserError, match=rf"{place}\.aspects: {told}"):
        config.parse(values, "params.yaml")


def test_intervals_are_for_language_models_alone(values: Any) -> None:
    values["rules"]["within"] = "interval"
    with pytest.raises(UserError, match=r"rules\.within: runs of a competition have no intervals; set it to equal"):
        config.parse(values, "params.yaml")


def test_a_baseline_that_is_not_chosen_is_told_before_anything_runs(values: Any) -> None:
    del values["methods"]["linear"]
    with pytest.raises(UserError, match=r"rules\.baseline: the method 'linear' is not chosen"):
        config.parse(values, "params.yaml")
    values["rules"]["qualification"] = "none"
    with pytest.raises(UserError, match=r"or set rules\.baseline=none"):
        config.parse(values, "params.yaml")
    values["rules"]["baseline"] = "none"
    assert config.parse(values, "params.yaml").rules.baseline == config.NO_BASELINE


def test_chance_is_a_baseline_whether_or_not_it_is_examined(values: Any) -> None:
    del values["models"]["chance"]
    assert config.parse(values, "params.yaml").leaderboard.baseline == config.CHANCE
    values["leaderboard"]["baseline"] = "chanse"
    with pytest.raises(UserError, match=r"leaderboard\.baseline: unknown model 'chanse'; did you mean 'chance'\?"):
        config.parse(values, "params.yaml")


def test_an_unknown_name_among_chosen_names_the_nearest(settings: Config) -> None:
    with pytest.raises(UserError, match="unknown model 'studnet'; did you mean 'student'"):
        config.chosen("studnet", settings.models, "model")


@pytest.mark.parametrize(
    ("whole", "own", "limit"), [(None, None, None), (9, None, 9), (None, 5, 5), (9, 5, 5), (4, 5, 4)]
)
def test_a_model_is_asked_as_few_problems_as_the_experiment_or_its_file_says(
    values: Any, whole: int | None, own: int | None, limit: int | None
) -> None:
    values["evaluate"]["limit"] = whole
    values["models"]["base"]["limit"] = own
    settings = config.parse(values, "params.yaml")
    assert (settings.limit_of("base"), settings.limit_of("chance")) == (limit, whole)


def test_what_may_be_left_out_has_its_default_in_conf_alone() -> None:
    defaults = yaml.safe_load((ROOT / "conf/defaults.yaml").read_text())
    assert set(defaults) == set(KINDS)
    for group, kind in KINDS.items():
        assert all(field.default is MISSING and field.default_factory is MISSING for field in fields(kind))
        assert set(defaults[group]) < {field.name for field in fields(kind)}


def test_a_changed_default_is_that_of_whoever_leaves_it_out(own_conf: Path, values: Any) -> None:
    path = own_conf / "defaults.yaml"
    path.write_text(path.read_text().replace("concurrency: 8", "concurrency: 3"))
    values["models"]["base"]["concurrency"] = 5
    models = config.parse(values, "params.yaml", own_conf).models
    assert {name: model.concurrency for name, model in models.items()} == {
        "base": 5, "student": 3, "reference": 3, "smollm2": 3, "minilm": 3, "chance": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a mapping of benchmark, models, tutor"),
        ("benchmark: {}\nmodels: {}\n", "not a mapping of benchmark, models, tutor"),
        ("benchmark: {}\nmodels: {}\ntutor: [\n", "defaults.yaml: not YAML"),
        (None, "defaults.yaml: no such file"),
    ],
)
def test_damaged_defaults_are_one_line(own_conf: Path, values: Any, text: str | None, words: str) -> None:
    path = own_conf / "defaults.yaml"
    path.unlink() if text is None else path.write_text(text)
    with pytest.raises(UserError, match=words) as error:
        config.parse(values, "params.yaml", own_conf)
    assert "\n" not in str(error.value)


def test_a_record_that_stands_in_no_file_has_the_defaults() -> None:
    tutor = record(Tutor, kind="openai", model="m", max_tokens=7)
    assert tutor == Tutor("openai", None, None, "m", None, None, 7, 8, None, {}, Budget(None, None))
    assert record(Tutor, kind="openai", budget={"tokens": 9}).budget == Budget(9, None)
    with pytest.raises(ValueError, match="kind"):
        record(Tutor, kind="opneai")


def test_a_benchmark_that_no_file_describes_is_told(tmp_path: Path) -> None:
    text = (ROOT / "params.yaml").read_text()
    (tmp_path / "params.yaml").write_text(text.replace("  gsm1k: {}", "  mine: {}"))
    with pytest.raises(UserError, match=r"benchmark\.mine: is described nowhere; write \S*conf/benchmark/mine\.yaml"):
        config.load(tmp_path / "params.yaml")


@pytest.fixture
def own_conf(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ROOT / "conf", tmp_path / "conf"))


def test_a_file_of_conf_is_parsed_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "conf", tmp_path / "conf")
    path = tmp_path / "conf/defaults.yaml"
    path.write_text(f"{path.read_text()}\n# of {tmp_path}\n")  # no other test has parsed these words
    shutil.copy(ROOT / "params.yaml", tmp_path)
    monkeypatch.chdir(tmp_path)
    parsed: list[str] = []
    safe_load = yaml.safe_load

    def counted(text: str) -> Any:
        parsed.append(text)
        return safe_load(text)

    monkeypatch.setattr(yaml, "safe_load", counted)
    first = config.load()
    tokens = record(Tutor, kind="openai", model="m").max_tokens
    before = len(parsed)
    assert path.read_text() in parsed
    for _ in range(3):
        assert config.load() == first
        assert record(Tutor, kind="openai", model="m").max_tokens == tokens
    assert len(parsed) == before
    values = safe_load(path.read_text())
    values["tutor"]["max_tokens"] = tokens + 1
    path.write_text(yaml.safe_dump(values))
    assert record(Tutor, kind="openai", model="m").max_tokens == tokens + 1
    assert len(parsed) == before + 1
