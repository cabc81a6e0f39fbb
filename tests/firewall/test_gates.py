"""What a gate is: one file and one line of the configuration, and nothing else anywhere."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
import yaml

from pfe.calibration import attacks
from pfe.config import Config, Firewall
from pfe.embedding.encoder import Encoder
from pfe.errors import UserError
from pfe.firewall.firewall import screen
from pfe.firewall.gate import active, all_gates
from pfe.firewall.reference import Reference
from pfe.problem import Problem
from tests.conftest import ROOT
from tests.pipeline.conftest import copy_checkout
from tests.report.tables import cells

OPENING = '''"""A canonical problem's first words."""

import numpy as np

from pfe.firewall.batch import Batch
from pfe.firewall.gate import Gate
from pfe.firewall.matches import Matches, best
from pfe.firewall.reference import Reference


def openings(reference: Reference) -> list[list[str]]:
    return [text.split()[:5] for text in reference.texts]


def measure(batch: Batch) -> Matches:
    theirs = batch.reference.index(openings)
    pairs = [
        (row, column, sum(a == b for a, b in zip(text.split(), words)))
        for row, text in enumerate(batch.texts)
        for column, words in enumerate(theirs)
    ]
    rows, columns, shared = np.array([pair for pair in pairs if pair[2]], np.int64).reshape(-1, 3).T
    return best(len(batch), rows, columns, shared / 5, shared, np.full(len(shared), 5))


GATE = Gate(__name__, "share of a canonical problem's first five words that it begins with", measure)
'''
# In a process of its own, in the copy: what the stages firewall, calibrate and report do, on a few problems.
SCREENING = """
import json
from dataclasses import asdict
from pathlib import Path
import yaml
from pfe import config, params
from pfe.calibration.recall import canonical_samples, rejection_shares, roc
from pfe.canonical.sources import load
from pfe.files import read_record, write_json
from pfe.report.firewall import section
from pfe.screening.certificate import certificate
from pfe.screening.files import screen_files, verdicts
from pfe.screening.outcome import Outcome, summary
from pfe.screening.record import Claim, Libraries
from pfe.screening.sealed import reference_of
from pfe.problem import Problem

settings = config.parse(params.composed(["firewall.gates.behaviour=null"]), "conf")
rules = settings.firewall
canonical = load("race", settings.benchmark["race"], settings.canonical)
same = " ".join(canonical[0].text.split()[:5])
candidates = [Problem("s/1", "s", "reading", f"{same} and whatever else?", "nobody"),
              Problem("s/2", "s", "reading", "Which of them sang last of all?", "nobody")]
Path("work").mkdir()
Problem.write(candidates, Path("work/s.parquet"))
reference = reference_of(canonical, rules)
parts = screen_files([Path("work/s.parquet")], reference, rules, Path("work"))
outcomes = [Outcome("s", 2, tuple(candidates), tuple(verdicts(parts)))]
samples = canonical_samples(canonical, rules, 2, 0)
shares, counts = rejection_shares(samples, rules), summary(outcomes, Libraries(1, 0))
write_json(Path("certificate.json"), certificate(outcomes, rules, reference, {}))
claim = read_record(Path("certificate.json"), Claim)
write_json(Path("said.json"), {
    "reasons": [verdict.reason for verdict in outcomes[0].verdicts], "claim": asdict(claim), "shares": asdict(shares),
    "curves": [rates.gate for rates in roc(samples, rules)], "rejected": counts.total.rejected,
    "report": section(counts, shares, claim)})
"""


@pytest.fixture
def rules(settings: Config) -> Firewall:
    return settings.firewall


def test_every_gate_there_is_has_its_line_in_the_default_configuration(rules: Firewall) -> None:
    beyond = {name for name, gate in all_gates().items() if not gate.spec}
    assert set(rules.gates) == beyond
    assert yaml.safe_load((ROOT / "conf/firewall/spec.yaml").read_text())["gates"] == {}


def test_attacks_stand_in_files_named_after_gates() -> None:
    assert {module.name for module in iter_modules(attacks.__path__)} <= set(all_gates())


def test_spec_s_checks_come_first_and_the_others_in_the_order_of_their_lines(rules: Firewall) -> None:
    spec = ["token_overlap", "semantic_similarity", "math_structure", "code_structure"]
    assert [gate.name for gate, _ in active(rules)] == [*spec, *(name for name in rules.gates if name != "translation")]
    turned = {name: rules.gates[name] for name in reversed(list(rules.gates))}
    assert [gate.name for gate, _ in active(replace(rules, gates=turned))][4:] == [
        name for name in turned if name != "translation"
    ]


def test_of_two_gates_that_reject_the_first_names_the_reason(rules: Firewall) -> None:
    text = "A baker sells 12 rolls in the morning and 8 in the afternoon."
    reference = Reference([Problem("c/1", "c", "reading", text, "20")], Encoder("all-MiniLM-L6-v2"), 5)
    candidate = Problem("s/1", "s", "reading", " ".join(text.replace("o", "о")), "20")
    limits = {"disguise": 0.3, "edits": 0.3}
    for order in (limits, dict(reversed(limits.items()))):
        (verdict,) = screen([candidate], reference, replace(rules, gates=order)).verdicts
        assert verdict.reason == next(iter(order))


@pytest.mark.parametrize(
    ("gates", "limits"),
    [({"edits": 0.3}, {"edits": 0.3}), ({"edits": 1}, {"edits": 1.0}), ({"edits": 0}, {"edits": 0.0}),
     ({"edits": None}, {}), ({"edits": False}, {}), ({"language": True}, {"language": 0.0}), ({"language": False}, {}),
     ({"translation": 0.5}, {})],
)  # fmt: skip
def test_a_gate_is_on_with_a_threshold_or_true(
    rules: Firewall, gates: Mapping[str, Any], limits: Mapping[str, float]
) -> None:
    beyond = [(gate.name, limit) for gate, limit in active(replace(rules, gates=gates)) if not gate.spec]
    assert dict(beyond) == limits


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf"), True, "0.3", [0.3], {}])
def test_what_is_no_threshold_of_a_gate_is_told(rules: Firewall, value: Any) -> None:
    with pytest.raises(UserError, match=r"firewall\.gates\.edits: .* give a number from 0 to 1, or null for none"):
        active(replace(rules, gates={"edits": value}))


def test_a_gate_that_is_not_there_is_told_with_the_nearest(rules: Firewall) -> None:
    with pytest.raises(UserError, match=r"firewall\.gates\.edit: unknown key; did you mean 'edits'\?"):
        active(replace(rules, gates={"edit": 0.3}))


@pytest.mark.slow
def test_adding_a_gate_is_its_file_and_its_line(tmp_path: Path) -> None:
    """It rejects, and stands in the certificate, in the calibration and in the report."""
    copy_checkout(tmp_path)
    (tmp_path / "pfe/firewall/gates/opening.py").write_text(OPENING)
    with (tmp_path / "conf/firewall/strict.yaml").open("a") as file:
        file.write("  opening: 0.9\n")
    subprocess.run([sys.executable, "-c", SCREENING], cwd=tmp_path, check=True)
    said = yaml.safe_load((tmp_path / "said.json").read_text())
    assert said["reasons"] == ["opening", "passed"]
    assert said["rejected"]["opening"] == 1
    assert said["claim"]["thresholds"]["opening"] == 0.9
    assert said["claim"]["highest_accepted"]["opening"]["score"] <= 0.9
    assert said["shares"]["attacks"]["verbatim"]["gates"]["opening"] == 100.0
    assert said["curves"].count("opening") == 101
    report = cells("\n".join(said["report"]))
    assert "| opening | share of a canonical problem's first five words that it begins with | 0.9 | " in report
    assert "| set | opening | together |" in report
