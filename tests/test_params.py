"""conf/ and params.yaml: one composes to the other, every member composes, mistakes are one line."""

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from dvc.utils.hydra import get_hydra_sweeps
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pfe import config
from pfe.errors import UserError
from pfe.params import composed, written
from tests.conftest import ROOT

SINGLE = ("canonical", "scale", "firewall", "student", "competition", "rules", "experiment")
SEVERAL = ("benchmark", "model", "tutor", "embedded", "method")
MEMBERS = [(group, path.stem) for group in SINGLE + SEVERAL for path in sorted((ROOT / "conf" / group).glob("*.yaml"))]


@pytest.fixture(autouse=True)
def _in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_params_yaml_is_what_conf_composes_to() -> None:
    assert (ROOT / "params.yaml").read_text() == written()


@pytest.mark.gate
@pytest.mark.parametrize(("group", "member"), MEMBERS)
def test_every_member_of_every_group_composes_and_is_valid(group: str, member: str) -> None:
    members = ["linear", member] if group == "method" and member != "linear" else [member]
    chosen = f"{group}=[{','.join(members)}]" if group in SEVERAL else ""
    needed = [f"embedded=[{member}]"] if (group == "model" and ("embedded", member) in MEMBERS) else []
    needed += ["student.gkd.steps=1"] if group == "embedded" else []
    needed += ["student=scratch"] if needed else []
    leaderboards = (group, member) == ("rules", "pfe")
    assert composed([chosen or f"{'rules@leaderboard' if leaderboards else group}={member}", *needed])


@pytest.mark.gate
@pytest.mark.parametrize("path", sorted((ROOT / "conf/experiment").glob("*.yaml")), ids=lambda path: path.stem)
def test_an_experiment_is_called_as_its_file_and_changes_what_is_there(path: Path) -> None:
    values = composed([f"experiment={path.stem}"])
    assert values["experiment"] == path.stem
    assert yaml.safe_load(path.read_text()).keys() - {"defaults"} <= values.keys()


@pytest.mark.parametrize(("group", "member"), MEMBERS)
def test_every_config_file_shows_the_command_that_uses_it(group: str, member: str) -> None:
    head = (ROOT / "conf" / group / f"{member}.yaml").read_text().splitlines()[:3]
    assert any("dvc exp run -S" in line for line in head)


def test_a_typo_in_an_override_names_the_nearest_key() -> None:
    with pytest.raises(UserError, match=r"firewall\.treshold: unknown key; did you mean 'threshold'\?"):
        composed(["firewall.treshold=0.25"])


@pytest.mark.gate
@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("benchmark=[arc_esy]", "unknown benchmark 'arc_esy'; did you mean 'arc_easy'"),
        ("model=[base,studnet]", "unknown model 'studnet'; did you mean 'student'"),
        ("tutor=[claude]", "unknown tutor 'claude'; allowed: derive"),
        ("scale=ful", "unknown scale 'ful'; did you mean 'full'"),
        ("modle=[base]", "modle: unknown key; did you mean 'model'?"),
        ("+firewall.treshold=0.25", "firewall.treshold: unknown key; did you mean 'threshold'?"),
        ("firewall.gates.disguse=0.1", "firewall.gates.disguse: unknown key; did you mean 'disguise'?"),
        ("firewall.gates={disguse: 0.1}", "firewall.gates.disguse: unknown key; did you mean 'disguise'?"),
        ("+firewall.gates.disguse=0.1", "firewall.gates.disguse: unknown key; did you mean 'disguise'?"),
        (
            "benchmark.race.max_tokens=3",
            "benchmark.race.max_tokens: not listed there; add it, as in -S +benchmark.race.max",
        ),
        ("models.base.dtype=bfloat16", "models.base.dtype: not listed there; add it, as in -S +models.base.dtype=…"),
        ("~firewall.gates.disguse", "firewall.gates.disguse: unknown key; did you mean 'disguise'?"),
        ("scale.targets.gsm1k_synth.x=5", "scale.targets.gsm1k_synth.x: unknown key"),
        ("firewall.gates.disguise.x=1", "firewall.gates.disguise.x: unknown key"),
        ("scale.targets.gsm1k_snth=5", "scale.targets.gsm1k_snth: unknown key; did you mean 'gsm1k_synth'?"),
        ("scale.targets={gsm1k_snth: 5}", "scale.targets.gsm1k_snth: unknown key; did you mean 'gsm1k_synth'?"),
        ("+scale.targets.gsm1k_snth=5", "scale.targets.gsm1k_snth: no set has this name; did you mean 'gsm1k_synth'?"),
        ("firewall.gates.disguise=1.1", "firewall.gates.disguise: 1.1 is no threshold; give a number from 0 to 1"),
        ("firewall.gates.disguise=nan", "firewall.gates.disguise: nan is no threshold"),
        ("firewall.gates.disguise=true", "firewall.gates.disguise: True is no threshold"),
        ("firewall.gates.language=0.5", "firewall.gates.language: 0.5 is no threshold; give true, or null for none"),
        ("+firewall.gates.token_overlap=0.2", "firewall.gates.token_overlap: unknown key"),
        ("benchmark.race.columns=rce", "benchmark.race.columns: unknown value 'rce'; did you mean 'race'?"),
        ("rules.ties=densee", "rules.ties: unknown value 'densee'; did you mean 'dense'?"),
        ("rules@leaderbord=pfe", "rules@leaderboard"),
        ("~seeed", "seeed: unknown key; did you mean 'seed'?"),
        ("~seed", "seed: missing"),
        ("~firewall.threshold", "firewall.threshold: missing"),
        ("~model", "'model' cannot be left out"),
        ("seed=null", "seed: null should be a valid integer"),
        ("firewall.threshold=[0.3]", "firewall.threshold: [0.3] should be a valid number"),
        ("firewall.threshold=nan", "firewall.threshold: NaN should be a finite number"),
        ("evaluate.limit=-3", "evaluate.limit: -3 should be greater than 0"),
        ("model=[]", "models: none chosen; name at least one, as in -S 'model=[base,student]'"),
        ("model=[chance,chance]", "model: 'chance' stands there twice; leave one out"),
        ("benchmark=[arc_easy,arc_easy]", "benchmark: 'arc_easy' stands there twice; leave one out"),
        ("evaluate.arms=[icr,icr,canonical]", "evaluate.arms: 'icr' stands there twice; leave one out"),
        ("seed=4294967296", "seed: 4294967296 should be less than or equal to 4294967295"),
        ("models=[base]", "models: cannot be replaced by 'models=[base]'; choose as in -S 'model=[base,student]'"),
        (
            "tutor=derive,verify",
            "a list is 'tutor=[derive,verify]', a sweep `dvc exp run --queue -S tutor=derive,verify`",
        ),
        ("seed=0,1", "several of which an experiment has one; `dvc exp run --queue -S seed=0,1` tries each"),
        ("evaluate.arms=icr,canonical", "a list is 'evaluate.arms=[icr,canonical]', a sweep `dvc exp run --queue -S"),
        (
            "models=base,student",
            "a list is 'model=[base,student]', a sweep `dvc exp run --queue -S model=base,student`",
        ),
        ("model=[base],[chance]", "a list is 'model=[base,chance]', a sweep `dvc exp run --queue -S 'model=[base],[ch"),
        ("seed=range(0,3)", "has one; `dvc exp run --queue -S 'seed=range(0,3)'` tries each"),
        ("seed=choice(1,2)", "has one; `dvc exp run --queue -S 'seed=choice(1,2)'` tries each"),
        (
            "seed=glob(*)",
            "seed: DVC tries no glob(*); write out what it is to try, as in `dvc exp run --queue -S 'seed=",
        ),
        ("scale=glob(*)", "write out what it is to try, as in `dvc exp run --queue -S scale=demo,full,smoke`"),
        ("rules@leaderboard=pfe,srbench2022", "`dvc exp run --queue -S rules@leaderboard=pfe,srbench2022` tries each"),
        ("models=???", "models: ??? is no value; choose as in -S 'model=[base,student]'"),
        ("seed=???", "seed: ??? is no value; give one, as in -S seed=…"),
        ("tutor.derive.budget.tokns=1", "tutor.derive.budget.tokns: unknown key; did you mean 'tokens'?"),
        ("+benchmark.race.stop=[1]", "benchmark.race.stop.0: 1 is no text; put it in quotes, as in '1'"),
        ("+tutor.mine={model: 5}", "tutor.mine.model: 5 is no text; put it in quotes, as in model: '5'"),
        ("+tutor.mine={model: 1e5}", "tutor.mine.model: is read as a number; put it in quotes, as in model: '…'"),
        ("+models.mine={kind: chance}", "models.mine.label: missing; give it there too, as in label: …"),
        ("+models.mine.kind=chance", "models.mine.label: missing; give it too, as in -S +models.mine.label=…"),
        (
            "+tutor.derive={budget: 3}",
            "budget: 3 stands where its keys belong; write them there, as in budget: {tokens",
        ),
        (
            "scale=demo,full",
            "several of which an experiment has one; `dvc exp run --queue -S scale=demo,full` tries each",
        ),
        (
            "experiment=[sft,no_library]",
            "one is chosen, as in -S experiment=NAME; `dvc exp run --queue -S experiment=sft,no_library` tries several",
        ),
        ("rules@leaderboard=[pfe]", "rules@leaderboard: one is chosen, as in -S rules@leaderboard=NAME"),
        ("embedded=[[wide]]", "members are chosen by their names, as in -S 'embedded=[wide,deep]'"),
        (
            "student.gkd.weights.wide=2",
            "student.gkd.weights.wide: not listed there; add it, as in -S +student.gkd.weights.wide=…",
        ),
        ("models.other.path=x", "models.other: not chosen; choose as in -S 'model=[base,student]'"),
        ("student.tokens=0", "student.tokens: 0 should be greater than 0"),
        ("student.gkd.temperature=1e-300", "student.gkd.temperature: 1e-300 should be greater than or equal to 0.01"),
        ("student.tokens=10000000000000", "student.tokens: 10000000000000 should be less than or equal to"),
        ("model=[base", "cannot read the override 'model=[base'"),
        ("seed", "cannot read the override 'seed'; it has the form KEY=VALUE"),
        ("a b=1", "cannot read the override 'a b=1'"),
        ("a b=1", "'a b' is no key; a key is letters from a to z, digits, _ and -, with dots between its parts"),
        ("student.größe=3", "cannot read the override 'student.größe=3': 'student.größe' is no key; a key is letters"),
        ("+student.gkd.weights.größe=1", "'student.gkd.weights.größe' is no key"),
        ("~größe", "'größe' is no key"),
        ("student-tokens=1", "student-tokens: unknown key; did you mean 'student'?"),
        (
            "student.path=größe",
            ": put what has other signs than letters and digits in quotes: -S \"student.path='…'\"",
        ),
        ("model=[base", "close its brackets"),
        ("seed=1]", "close its brackets"),
        ("student.path='x", "close its brackets and quotes"),
        (
            "student.tokens==3",
            "cannot read the override 'student.tokens==3': one = is enough; write -S student.tokens=3",
        ),
        ("seed=١", "digits are 0 to 9; write -S seed=1"),
        ("+seed=１２", "digits are 0 to 9; write -S +seed=12"),
        ("evaluate.limit=५", "digits are 0 to 9; write -S evaluate.limit=5"),
        (
            "embedded=[wide,]",
            "cannot read the override 'embedded=[wide,]': beside a comma there is nothing; leave it out",
        ),
        ("embedded=[wide,,deep]", "beside a comma there is nothing"),
        ("scale=demo,", "beside a comma there is nothing"),
        ("student.tokens=0,5", "`dvc exp run --queue -S student.tokens=0,5` tries each"),
        ("=1", "cannot read the override '=1'; it has the form KEY=VALUE"),
        ("firewall=null", "firewall: null is no name; choose one, as in -S firewall=NAME"),
        ("student=1", "student: 1 is no name; choose one, as in -S student=NAME"),
        ("experiment=null", "experiment: null is no name; choose one, as in -S experiment=NAME; leave it out for none"),
        ("rules@leaderboard=null", "rules@leaderboard: null is no name; choose one, as in -S rules@leaderboard=NAME"),
        (
            "embedded=null",
            "embedded: null is no list of names; choose as in -S 'embedded=[wide,deep]', and none as in -S 'embedded",
        ),
        ("embedded={wide: 1}", "embedded: {wide: 1} is no list of names; choose as in -S 'embedded=[wide,deep]'"),
        ("tutor={read: 1}", "tutor: {read: 1} is no list of names; choose as in -S 'tutor=[derive,verify]'"),
        ("models=null", "models: null is no list of names; choose as in -S 'model=[base,student]'"),
        (
            "models.base.depends=",
            "models.base.depends: '' names nothing; name a file or folder, whose change makes DVC",
        ),
        ("benchmark.race.columns=a/b", "benchmark.race.columns: 'a/b' is not a name; a name is up to 64 letters"),
        ("competition.path=", "competition.path: '' is not one line of text; write one, or null where it may be left"),
        ("seed=${foo}", "seed: Interpolation key 'foo' not found"),
        ("competition.path=${oc.env:PFE_NO_SUCH}", "'PFE_NO_SUCH' not found"),
        ("firewall.threshold.x=1", "firewall.threshold.x: unknown key"),
        (
            "+models.minilm.path=x",
            "models.minilm.path: is there already; leave out the +, as in -S models.minilm.path=…",
        ),
        ("leaderboard=pfe", "leaderboard: chosen as in -S rules@leaderboard=NAME"),
        ("evaluate=1", "evaluate: 1 stands where its keys belong; set them one by one, as in -S evaluate.limit=…"),
        (
            "models.base=3",
            "models.base: 3 stands where its keys belong; set them one by one, as in -S models.base.kind=",
        ),
        (
            "evaluate.arms=[]",
            "evaluate.arms: [] is too short; give at least 1, as in -S 'evaluate.arms=[canonical,icr]'",
        ),
        ("evaluate.arms=icr", "evaluate.arms: 'icr' is no list; write one in brackets, as in -S 'evaluate.arms=[canon"),
        ("rules.aspects=accuracy", "rules.aspects: 'accuracy' is no list; write one in brackets"),
        (
            "competition.target=5",
            "competition.target: 5 is no text; put it in quotes, as in -S \"competition.target='5'\"",
        ),
        (
            "student.hidden=130",
            "student.hidden: goes with vocabulary and layers and heads, which this one has not; choose another, -S",
        ),
        (
            "models.base.path=null",
            "models.base.path: null, which opens no model; set it to a folder (data/models/base)",
        ),
        (
            "tutor.derive.route=null",
            "tutor.derive.route: null, without which kind: procedural is none; set it to derive",
        ),
        ("firewall.workers=100000", "firewall.workers: 100000 should be less than or equal to 10000"),
        ("firewall.cluster.time=never", "firewall.cluster.time: 'never' is no time that Slurm reads; write hours:min"),
        ("firewall.semantic.sha256=x", "firewall.semantic.sha256: 'x' is no SHA-256; it is 64 digits"),
        ("+methods.gplearn.settings.x=-inf", "methods.gplearn.settings.x: -inf is no finite number; give one"),
    ],
)
def test_a_mistake_in_an_override_is_one_line_that_names_the_nearest(override: str, words: str) -> None:
    with pytest.raises(UserError, match=re.escape(words)) as error:
        composed([override])
    assert "\n" not in str(error.value)


GROUPS = [str(next(iter(entry))) for entry in yaml.safe_load((ROOT / "conf/config.yaml").read_text())["defaults"][1:]]
NOT_CHOSEN = sorted({path.name for path in (ROOT / "conf").iterdir() if path.is_dir()} - {*GROUPS})


@pytest.mark.parametrize("group", sorted({*GROUPS, "models", "methods"} - {"experiment"}))
def test_a_group_that_is_left_out_is_one_mistake_and_not_one_for_each_of_its_keys(group: str) -> None:
    with pytest.raises(UserError, match=f"^'{group}' cannot be left out; choose ") as error:
        composed([f"~{group}"])
    assert "missing" not in str(error.value)


@pytest.mark.parametrize("value", ["../student/small", "./small", "/small", "small.yaml"])
@pytest.mark.parametrize("group", [group for group in GROUPS if "@" not in group])
def test_a_path_is_no_name_of_a_member(group: str, value: str) -> None:
    with pytest.raises(UserError, match=rf"^unknown {group} '{re.escape(value)}'; (did you mean|allowed:) "):
        composed([f"{group}=[{value}]" if group in SEVERAL else f"{group}={value}"])


@pytest.mark.parametrize("folder", NOT_CHOSEN)
def test_what_nothing_is_chosen_of_is_no_parameter(folder: str) -> None:
    with pytest.raises(UserError, match=f"^{folder}: no parameter, and nothing is chosen of it"):
        composed([f"{folder}=fsdp"])


@pytest.mark.parametrize("value", ["{}=1", "{}.x=1", "{}.x.y=1", "+{}.x=1", "++{}={{}}", "~{}", "~{}.x", "{}=null"])
@pytest.mark.parametrize("name", ["sources", "hydra"])
def test_what_is_not_set_by_itself_is_a_clear_no(name: str, value: str) -> None:
    with pytest.raises(UserError, match=f"^{name}: .*; (set one of those|leave it out)$"):
        composed([value.format(name)])


ADVICE = re.compile(r"-S (?:['\"]([^\n]*?)['\"](?=$|;)|(\S+))")


@pytest.mark.gate
@pytest.mark.parametrize(
    ("overrides", "place", "filled"),
    [
        (["student=scratch", "embedded=[wide]", "student.gkd.steps=1", "student.gkd.weights={wide: 2}"], 3, {}),
        (["student=scratch", "embedded=[wide]", "student.gkd.steps=1", "student.gkd.weights.wide=2"], 3, {"…": "2"}),
        (["benchmark.race={max_tokens: 3}"], 0, {}),
        (["models.base.dtype=bfloat16"], 0, {"…": "bfloat16"}),
        (["student=full", "student.lora.rank=8"], 1, {"rank: …": "rank: 8", "alpha: …": "alpha: 8", "…": "0.0"}),
        (["student=full", "+student.lora.rank=8"], 1, {"rank: …": "rank: 8", "alpha: …": "alpha: 8", "…": "0.0"}),
        (["student.tokens==3"], 0, {}),
        (["seed=١"], 0, {}),
        (["evaluate.arms=[]"], 0, {}),
        (["evaluate.arms=icr"], 0, {}),
        (["competition.target=5"], 0, {}),
        (["firewall.cluster.time=60"], 0, {}),
        (["+models.minilm.path=owner/x"], 0, {"…": "owner/x"}),
        (["evaluate=1"], 0, {"…": "1"}),
        (["+models.base.revision=1234567"], 0, {}),
        (["+models.base.revision=123e456"], 0, {}),
        (["++models.base.revision=1_0"], 0, {}),
        (["firewall.semantic.sha256=" + "9012e4".zfill(64).replace("0", "1")], 0, {}),
        (["competition.target=true"], 0, {}),
        (["firewall.cluster.time=86400"], 0, {}),
        (["+models.base.prices=[1]"], 0, {"…": "1,2"}),
        (["+models.base.prices=3"], 0, {"…": "1,2"}),
        (["tutor.derive.budget.tokens=100"], 0, {"…": "100"}),
        (["+tutor.derive.budget=3"], 0, {"…": "100"}),
        (["tutor.derive={budget: {tokens: 5}}"], 0, {}),
        (["models=???"], 0, {}),
        (["+rules=srbench2023"], 0, {}),
        (["+rules@leaderboard=pfe"], 0, {}),
        (["+scale=full"], 0, {}),
        (["+experiment=sft"], 0, {}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_who_follows_the_advice_arrives(overrides: list[str], place: int, filled: dict[str, str]) -> None:
    with pytest.raises(UserError) as error:
        composed(overrides)
    (advice,) = {quoted or bare for quoted, bare in ADVICE.findall(str(error.value))}
    for old, new in filled.items():
        advice = advice.replace(old, new)
    assert composed([*overrides[:place], advice, *overrides[place + 1 :]])


@pytest.mark.parametrize(
    "override", ["+models.base.revision=123e456", "++models.base.revision=1_0", "competition.target=true"]
)
def test_advice_to_quote_keeps_what_was_written(override: str) -> None:
    with pytest.raises(UserError, match=re.escape(f'-S "{override.replace("=", f"={chr(39)}")}\'"')):
        composed([override])


@pytest.mark.gate
@pytest.mark.parametrize(
    "override",
    ["seed=0,1", "seed=range(0,3)", "seed=choice(1,2)", "scale=glob(*)", "model=[base],[chance]", "scale=demo,full",
     "models=base,chance", "evaluate.arms=[icr],[canonical]", "scale=choice(demo,full)"],
)  # fmt: skip
def test_a_sweep_that_is_advised_is_one_that_dvc_queues_and_that_composes(override: str) -> None:
    with pytest.raises(UserError) as error:
        composed([override])
    (command,) = re.findall(r"`(dvc exp run --queue [^`]*)`", str(error.value))
    sweeps = list(get_hydra_sweeps({"params.yaml": [shlex.split(command)[-1]]}))
    assert len(sweeps) > 1
    assert all(composed(sweep["params.yaml"]) for sweep in sweeps)


def test_too_few_is_told_only_where_too_few_were_given() -> None:
    with pytest.raises(UserError, match=r"evaluate\.arms\.0: unknown value 'nope'") as error:
        composed(["evaluate.arms=[nope]"])
    assert "too short" not in str(error.value)


EMBEDDING = ("firewall.semantic.model", "firewall.semantic.multilingual", "models.minilm.path")


@pytest.mark.gate
@pytest.mark.parametrize("path", EMBEDDING)
@pytest.mark.parametrize(
    "name", ["/nowhere/x", "./x", "../x", "a/b/c/d", "/", ".", "..", "sentence-transformers/", "a/-b", "x" * 300]
)
def test_what_is_no_folder_and_no_name_on_the_hub_is_no_embedding_model(path: str, name: str) -> None:
    with pytest.raises(
        UserError, match=rf"^{path}: '{re.escape(name)}' is no folder here, .*; give one .*, as in "
    ) as e:
        composed([f"{path}={name}"])
    if "/" in name:
        assert composed([f"{path}={str(e.value).rpartition(' as in ')[2]}"])


@pytest.mark.parametrize("name", ["data/models/student", "data/models/of/a/later/stage", "/later"])
def test_a_folder_that_a_stage_makes_later_may_be_a_language_model(name: str) -> None:
    assert composed([f"models.student.path={name}"])


@pytest.mark.gate
@pytest.mark.parametrize("path", EMBEDDING)
def test_an_embedding_model_that_is_nowhere_is_told_with_those_that_are(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UserError, match=rf"^{path}: 'nope' is no folder here, .* PFE \(all-MiniLM-L6-v2\); give one"):
        composed([f"{path}=nope"])
    assert composed([f"{path}=sentence-transformers/nope"])
    (tmp_path / "nope/of/mine").mkdir(parents=True)
    (tmp_path / "conf").symlink_to(ROOT / "conf")
    monkeypatch.chdir(tmp_path)
    for name in ("nope", "./nope", "nope/of/mine", str(tmp_path / "nope")):
        assert composed([f"{path}={name}"])


def test_overrides_are_read_once_beside_hydra_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[list[str]] = []
    reads = OverridesParser.parse_overrides

    def parse_overrides(self: OverridesParser, overrides: list[str], **options: Any) -> list[Override]:
        read.append(overrides)
        return reads(self, overrides=overrides, **options)

    monkeypatch.setattr(OverridesParser, "parse_overrides", parse_overrides)
    composed(["seed=1"])
    assert read == [["seed=1"], ["seed=1"]]


def test_members_are_changed_by_a_mapping_of_their_own() -> None:
    values = composed(["student={tokens: 3}", "tutor={read: {kind: procedural}}"])
    assert (values["student"]["tokens"], list(values["tutor"])) == (3, list(composed()["tutor"]))


def test_a_gate_that_a_choice_does_not_list_is_added_with_a_plus() -> None:
    with pytest.raises(UserError, match=r"firewall\.gates\.edits: not listed there; add it, as in -S \+firewall"):
        composed(["firewall=spec", "firewall.gates.edits=0.2"])
    assert "  gates:\n    edits: 0.2\n" in written(["firewall=spec", "+firewall.gates.edits=0.2"])


HEAD = b"# @package models.mine\n"


@pytest.mark.gate
@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("model/mine.yaml", HEAD + b"kind:\n\thuggingface", "conf/model/mine.yaml:3: not YAML: found character"),
        ("model/mine.yaml", HEAD + b"label: a: b", "conf/model/mine.yaml:2: not YAML: mapping values"),
        ("model/mine.yaml", HEAD + b"kind: a\nkind: b", "conf/model/mine.yaml:3: not YAML: found duplicate key kind"),
        ("model/mine.yaml", HEAD + b"a: [1", "conf/model/mine.yaml:2: not YAML: expected"),
        ("model/mine.yaml", HEAD + b"a: !!python/object:os.system x", "conf/model/mine.yaml:2: not YAML: could not"),
        ("model/mine.yaml", HEAD + b"label: \xff", "conf/model/mine.yaml: not UTF-8"),
        ("model/mine.yaml", HEAD + b"a: " + b"[" * 5000, "nested too deeply"),
        ("model/mine.yaml", HEAD + b"a: &a [*a]", "nested too deeply"),
        ("model/mine.yaml", HEAD + b"a: \x00", "conf/model/mine.yaml: not YAML"),
        ("model/mine.yaml", HEAD + b"a: ${b.c}", "models.mine.a: Interpolation key 'b.c' not found"),
        ("model/mine.yaml", HEAD + b"defaults: [nope]", "unknown model 'nope'"),
        (
            "firewall/strict.yaml",
            b"defaults: [spec, _self_]\ncluster:\n  time: 24:00:00",
            "firewall.cluster.time: is read as a number; write it in quotes as hours:minutes:seconds, as in time: '24",
        ),
        (
            "model/mine.yaml",
            HEAD + b"revision: 123e+456",
            "models.mine.revision: is read as a number; put it in quotes, as in revision: '…'",
        ),
        (
            "model/mine.yaml",
            HEAD + b"prices: 3",
            "models.mine.prices: 3 is no list; write one in brackets, as in prices: [",
        ),
        ("model/mine.yaml", HEAD + b"system: 010", "as in system: '…'"),
        (
            "model/mine.yaml",
            HEAD + b"dtype: float3",
            "'float3'; did you mean 'float32'",
        ),
        ("model/mine.yaml", b"", "gives no models.mine; it must begin with the line `# @package models.mine`"),
        ("model/mine.yaml", b"- a", "gives no models.mine"),
        ("model/mine.yaml", b"# @package models.other\nkind: chance", "gives no models.mine"),
        ("config.yaml", b"", "missing"),
        ("config.yaml", b"- a", "primary config 'config' must be a DictConfig"),
        ("config.yaml", b"\xff", "conf/config.yaml: not UTF-8"),
        ("config.yaml", b"defaults: [", "conf/config.yaml:1: not YAML"),
        ("rules/srbench2022.yaml", b"ties: [", "conf/rules/srbench2022.yaml:1: not YAML"),
        ("benchmark/gsm1k.yaml", b"title: 3", "gives no benchmark.gsm1k"),
    ],
)
def test_a_mistake_in_a_file_of_conf_is_one_line_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, content: bytes, words: str
) -> None:
    shutil.copytree(ROOT / "conf", tmp_path / "conf")
    (tmp_path / "conf" / file).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=re.escape(words)) as error:
        composed(["model=[base,mine]"] if "mine" in file else [])
    assert "\n" not in str(error.value)
    assert str(tmp_path) not in str(error.value)


def test_a_damaged_file_that_is_not_chosen_hides_no_other_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "conf", tmp_path / "conf")
    for name, content in {"broken": b"a: [", "bytes": b"\xff", "tagged": b"a: !!python/object:os.system x"}.items():
        (tmp_path / f"conf/student/{name}.yaml").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        UserError,
        match=r"student\.hidden: goes with .*; choose another, -S student=scratch or -S student=small$",
    ):
        composed(["student.hidden=3"])


def test_a_model_may_be_taken_out_again() -> None:
    assert "chance" not in composed(["~models.chance"])["models"]


def test_params_yaml_holds_of_a_benchmark_what_was_changed() -> None:
    assert set(map(str, yaml.safe_load(written())["benchmark"].values())) == {"{}"}
    text = written(["+benchmark.race.max_tokens=3", "benchmark.gsm1k.shots=5", "~benchmark.mbpp.stop"])
    changed = {name: values for name, values in yaml.safe_load(text)["benchmark"].items() if values}
    assert changed == {"race": {"max_tokens": 3}, "mbpp": {"stop": []}}  # GSM1K's file says 5 already


OVERRIDES = {
    "benchmark.gsm1k.max_tokens={}": st.integers(1, 300),
    "benchmark.gsm1k.shots={}": st.integers(0, 9),
    "+benchmark.race.shots_split={}": st.sampled_from(["train", "null"]),
    "benchmark.mbpp.stop={}": st.sampled_from(["[]", "[a]", "['###',b]"]),
    "benchmark.arc_easy.library={}": st.sampled_from(["arc.txt", "boolq.txt"]),
    "benchmark.arc_easy.prompt={}": st.sampled_from(["'{question}'", "'Question: {question}\\nAnswer:'"]),
    "benchmark={}": st.sampled_from(["[gsm1k,race,mbpp,arc_easy]", "[arc_easy,mbpp,race,gsm1k,boolq]"]),
    "~benchmark.mbpp.stop{}": st.just(""),
    "~benchmark.arc_easy.shots{}": st.just(""),
}


@pytest.mark.gate
@given(st.data())
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_read_of_params_yaml_is_what_was_composed(tmp_path: Path, data: st.DataObject) -> None:
    chosen = data.draw(
        st.lists(st.sampled_from(list(OVERRIDES)), max_size=5, unique_by=lambda key: re.sub(r"[~+]|[={].*", "", key))
    )
    overrides = [key.format(data.draw(OVERRIDES[key])) for key in chosen]
    shutil.copytree(ROOT / "conf", tmp_path / "conf", dirs_exist_ok=True)
    (tmp_path / "params.yaml").write_text(written(overrides))
    assert config.load(tmp_path / "params.yaml") == config.parse(composed(overrides), "conf")
