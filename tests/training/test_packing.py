"""A packed student is what was trained, in half the bytes, and says where it is from."""

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml
from datasets import Dataset
from safetensors.torch import load_file

from pfe.commands.pack import main
from pfe.config import Config, HubStudent, NewStudent, parse
from pfe.errors import UserError
from pfe.files import read_record, write_json, write_record
from pfe.lock import hash_of
from pfe.models.loading import load
from pfe.params import composed
from pfe.problem import Problem
from pfe.training.corpus import benchmark_by_domain
from pfe.training.curves import read_curves
from pfe.training.embedded import NOBODY
from pfe.training.files import corpus_sha256
from pfe.training.hub import adapters, on_this_machine, save_trained
from pfe.training.packing import ADAPTERS, Provenance, pack
from pfe.training.record import Training
from pfe.training.split import HeldOut, read_held_out, write_held_out
from pfe.training.student import new_student, new_tokenizer, save
from pfe.training.teachers import TeacherRecord
from pfe.training.validation import Validator
from tests.conftest import ROOT

ROWS: list[dict[str, Any]] = [
    {"library": "", "library_loss": False, "prompts": [f"What is {n} plus 1?\nAnswer:"], "completions": [f" {n + 1}"]}
    for n in range(8)
]
PLAIN = Problem("s/f/s0/0", "s", "science", "What do kralos eat?", "moss", choices=("moss", "ferns"))
FILES = {"s.parquet": "abcd"}


@pytest.fixture
def checkout(settings: Config, scratch: NewStudent, tmp_path: Path) -> Path:
    """What a stage `train` leaves, and what dvc.lock says of it."""
    root = tmp_path / "checkout"
    tokenizer = new_tokenizer((row["prompts"][0] for row in ROWS), 300, 128)
    size: dict[str, Any] = {"hidden": 32, "layers": 1, "heads": 2, "context": 128, "vocabulary": 300}
    model = new_student(tokenizer, replace(scratch, **size), seed=3)
    save(model, tokenizer, root / "data/models/student")
    (root / "data/models/student/README.md").write_text("the card of the stage")
    Dataset.from_list(ROWS).save_to_disk(root / "data/corpus")
    (root / "data/validation").mkdir()
    held_out = HeldOut({"s": (PLAIN,)}, {"s": ()}, (), benchmark_by_domain(settings.benchmark), FILES)
    write_held_out(root / "data/validation", held_out)
    validation = Validator(tokenizer, held_out, 128, 3)(model)
    write_record(root / "data/training/figures.json", Training(1.5, 5.7, 8, 2, 24000, 2, validation))
    write_record(root / "data/training/taught.json", TeacherRecord({"derive": 8}, NOBODY, None))
    curve = root / "data/training/plots/metrics/loss.tsv"
    curve.parent.mkdir(parents=True)
    curve.write_text("step\tloss\n1\t5.7\n2\t1.5\n")
    (root / "code").mkdir()
    (root / "code/train").write_text("f00d\npython 3.11\ntorch 2.13.0\n")
    write_json(root / "data/certificate.json", {"files": {"synthetic": FILES}})
    values = {"seed": 3, "student": {"gkd": asdict(scratch)["gkd"], **size}}
    (root / "params.yaml").write_text(yaml.safe_dump({**values, "rules": {"resamples": 20}}))
    lock(root, values)
    return root


def lock(root: Path, values: object) -> None:
    def listed(*paths: str) -> list[dict[str, str]]:
        return [{"path": path, "md5": hash_of(root / path)} for path in paths]

    train = {
        "cmd": "python -m stages.train",
        "deps": listed("code/train", "data/corpus", "data/validation"),
        "params": {"params.yaml": values},
        "outs": listed("data/models/student", "data/training"),
    }
    (root / "dvc.lock").write_text(yaml.safe_dump({"schema": "2.0", "stages": {"train": train}}))


def test_what_is_packed_are_the_trained_weights_in_bfloat16(
    checkout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(tmp_path / "packed", checkout)
    assert "MB of weights in bfloat16, validation loss" in capsys.readouterr().out
    trained, packed = (
        load_file(folder / "model.safetensors") for folder in (checkout / "data/models/student", tmp_path / "packed")
    )
    assert packed.keys() == trained.keys()
    for name, weights in packed.items():
        assert weights.dtype == torch.bfloat16
        assert torch.equal(weights, trained[name].to(torch.bfloat16)), name
    assert json.loads((tmp_path / "packed/config.json").read_text())["dtype"] == "bfloat16"
    for name in ("tokenizer.json", "tokenizer_config.json"):
        assert (tmp_path / "packed" / name).read_bytes() == (checkout / "data/models/student" / name).read_bytes()


def test_where_it_is_from_lies_beside_it(checkout: Path, tmp_path: Path) -> None:
    packed = pack(checkout, tmp_path / "packed", most=1.0)
    provenance = read_record(tmp_path / "packed/provenance.json", Provenance)
    assert (provenance.code, provenance.versions, provenance.seed) == ("f00d", ("python 3.11", "torch 2.13.0"), 3)
    assert provenance.problems == FILES
    assert provenance.corpus == corpus_sha256(Dataset.from_list(ROWS))
    for name in ("certificate.json", "params.yaml"):
        (source,) = (path for path in (checkout / name, checkout / "data" / name) if path.exists())
        assert (tmp_path / "packed" / name).read_bytes() == source.read_bytes()
    assert read_curves(tmp_path / "packed/training/plots/metrics") == {"loss": [(1, 5.7), (2, 1.5)]}
    assert read_record(tmp_path / "packed/figures.json", Training) == packed.shipped
    card = (tmp_path / "packed/README.md").read_text()
    for words in ("sha256 f00d", "Seed 3", "| s.parquet", "## How it is packed", packed.losses(), "`certificate.json`"):
        assert words in card, words
    listed = {path.name for path in (tmp_path / "packed").iterdir()}
    assert {name for name in listed if f"`{name}" in card} >= {
        "certificate.json", "figures.json", "params.yaml", "provenance.json", "training",
    }  # fmt: skip


def test_adapters_are_packed_as_adapters_and_read_with_their_base(checkout: Path, tmp_path: Path) -> None:
    base = shutil.move(checkout / "data/models/student", tmp_path / "base")
    student = parse(composed(["student=smollm2"], ROOT / "conf"), "conf", ROOT / "conf").student
    assert isinstance(student, HubStudent)
    whole = load(str(base), None, "float32", "cpu")
    student = on_this_machine(replace(student, path=str(base)))
    with adapters(whole.model, student, 0, tmp_path / "adapter") as adapted:
        for name, weights in adapted.named_parameters():
            if "lora_B" in name:
                torch.nn.init.normal_(weights, std=0.05)
    save_trained(whole.model, whole.tokenizer, tmp_path / "adapter", checkout / "data/models/student")
    lock(checkout, yaml.safe_load((checkout / "dvc.lock").read_text())["stages"]["train"]["params"]["params.yaml"])
    packed = pack(checkout, tmp_path / "packed", most=10.0)
    assert packed.size < 0.5 * (checkout / "data/models/student" / ADAPTERS).stat().st_size + 10_000
    ids = torch.arange(30)[None]
    with torch.no_grad():
        read = load(str(tmp_path / "packed"), None, "float32", "cpu").model(ids).logits
        torch.testing.assert_close(read, whole.model(ids).logits, rtol=0.02, atol=0.02)
        assert not torch.allclose(read, load(str(base), None, "float32", "cpu").model(ids).logits, atol=0.05)


def test_figures_are_those_of_the_weights_as_they_are_packed(checkout: Path, tmp_path: Path) -> None:
    packed = pack(checkout, tmp_path / "packed", most=1.0)
    assert packed.shipped.validation
    assert packed.trained.validation
    assert packed.shipped.validation.loss == pytest.approx(packed.trained.validation.loss, abs=0.05)
    assert packed.shipped.validation.loss != packed.trained.validation.loss, "weights were rounded"
    assert read_held_out(checkout / "data/validation").worlds["s"] == (PLAIN,)


def test_weights_that_are_too_large_are_refused_with_what_to_change(checkout: Path, tmp_path: Path) -> None:
    words = r"0\.\d MB of weights in bfloat16, and at most 0\.01 are packed; .*student\.hidden.*or .*: --most 1"
    with pytest.raises(UserError, match=words):
        main(tmp_path / "packed", checkout, most=0.01)
    assert not (tmp_path / "packed").exists()


def test_what_was_not_trained_as_it_lies_there_is_refused(checkout: Path, tmp_path: Path) -> None:
    (checkout / "data/models/student/config.json").write_text("{}")
    with pytest.raises(UserError, match=r"data/models/student: not what dvc\.lock says of the run of train; run `dvc"):
        pack(checkout, tmp_path / "packed", most=1.0)
    lock: dict[str, Any] = {"schema": "2.0", "stages": {"train": {"cmd": "train"}}}
    unsaid: list[dict[str, Any]] = [
        {}, {"seed": 0}, {"student": {}}, {"student": None, "seed": 0}, {"student": {}, "seed": "0"}
    ]  # fmt: skip
    for values in unsaid:
        lock["stages"]["train"]["params"] = {"params.yaml": values}
        (checkout / "dvc.lock").write_text(yaml.safe_dump(lock))
        with pytest.raises(UserError, match=r"dvc\.lock: does not say which student train made"):
            pack(checkout, tmp_path / "packed", most=1.0)
    (checkout / "dvc.lock").unlink()
    with pytest.raises(UserError, match=r"dvc\.lock says of no run of train; run `dvc repro train` there"):
        pack(checkout, tmp_path / "packed", most=1.0)
    for place in (checkout, checkout / "code/train"):
        with pytest.raises(UserError, match="no checkout with a trained student; run `dvc repro train` there"):
            main(tmp_path / "packed", place)


@pytest.mark.parametrize(
    ("old", "new"), [("seed: 3", "seed: 4"), ("hidden: 32", "hidden: 64"), ("lmbda: ", "lmbda: 0.1"), ("seed: 3\n", "")]
)
def test_parameters_of_another_run_are_refused(old: str, new: str, checkout: Path, tmp_path: Path) -> None:
    params = checkout / "params.yaml"
    assert params.read_text().count(old) == 1
    params.write_text(params.read_text().replace(old, new))
    with pytest.raises(UserError, match=r"params\.yaml: has other parameters than .* `dvc status` in .* names them"):
        pack(checkout, tmp_path / "packed", most=1.0)
    assert not (tmp_path / "packed").exists()


@pytest.mark.parametrize("rate", ["1e-05", "1.0e-05", "0.00001", "1E-5"])
def test_parameters_are_the_same_however_a_number_is_written(rate: str, checkout: Path, tmp_path: Path) -> None:
    params, lock = checkout / "params.yaml", yaml.safe_load((checkout / "dvc.lock").read_text())
    params.write_text(params.read_text() + f"rate: {rate}\n")
    lock["stages"]["train"]["params"]["params.yaml"]["rate"] = 1e-05
    (checkout / "dvc.lock").write_text(yaml.safe_dump(lock))
    pack(checkout, tmp_path / "packed", most=1.0)


def test_parameters_of_a_stage_before_are_compared_too(checkout: Path, tmp_path: Path) -> None:
    lock = yaml.safe_load((checkout / "dvc.lock").read_text())
    corpus = {"path": "data/corpus", "md5": hash_of(checkout / "data/corpus")}
    lock["stages"]["corpus"] = {
        "cmd": "corpus", "outs": [corpus], "params": {"params.yaml": {"rules.resamples": 10}}
    }  # fmt: skip
    (checkout / "dvc.lock").write_text(yaml.safe_dump(lock))
    with pytest.raises(UserError, match="has other parameters"):
        pack(checkout, tmp_path / "packed", most=1.0)


@pytest.mark.parametrize("content", [None, "", "- seed", "seed: [", "\udcff"])
def test_damaged_parameters_are_refused(content: str | None, checkout: Path, tmp_path: Path) -> None:
    params = checkout / "params.yaml"
    params.unlink() if content is None else params.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(UserError, match=r"params\.yaml: missing or damaged"):
        pack(checkout, tmp_path / "packed", most=1.0)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, r"certificate\.json: no such file; run `dvc repro firewall` there"),
        ("{}", r"certificate\.json: not what PFE writes there"),
        ('{"files": {"synthetic": {"s.parquet": "dcba"}}}', r"certificate\.json: of other problems than the student"),
    ],
    ids=["missing", "damaged", "of others"],
)  # fmt: skip
def test_a_certificate_of_other_problems_is_refused(
    content: str | None, words: str, checkout: Path, tmp_path: Path
) -> None:
    path = checkout / "data/certificate.json"
    path.unlink() if content is None else path.write_text(content)
    with pytest.raises(UserError, match=words):
        pack(checkout, tmp_path / "packed", most=1.0)
