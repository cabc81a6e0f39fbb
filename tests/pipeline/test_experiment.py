"""What a person sees who runs the experiment: the table, what DVC skips and runs again, the diff, the mistakes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from pfe.calibration.record import RejectionShares
from pfe.config import load
from pfe.files import read_record
from pfe.judging.verdict import Verdict
from pfe.problem import Prediction, Problem
from pfe.scores.model import ModelScore
from pfe.screening.record import Summary
from pfe.symreg.competition.record import Run as MethodRun
from pfe.tutors.agreement import Agreement
from tests.pipeline.conftest import Experiment, overrides, ran

pytestmark = pytest.mark.gate
BENCHMARKS = {"gsm1k", "arc_easy", "mbpp", "invented"}
CHECK = {"configuration"}  # the stage that every change of parameters sets off


def test_the_table_of_every_benchmark_and_model_is_printed(experiment: Experiment) -> None:
    folder, _, printed = experiment
    settings = load(folder / "params.yaml")
    for name in BENCHMARKS:
        assert f"Benchmark: {settings.benchmark[name].title}" in printed
    for model in settings.models.values():
        assert printed.count(model.label) >= len(BENCHMARKS)
    assert "Verdict on the student:" in printed
    assert "PFE: averages over benchmarks" in (folder / "report/report.md").read_text()


def test_every_figure_has_its_n_and_its_interval_and_dvc_shows_its_points(experiment: Experiment) -> None:
    folder, _, _ = experiment
    settings = load(folder / "params.yaml")
    student = read_record(folder / "data/scores/student.json", ModelScore).benchmarks
    assert set(student) == BENCHMARKS
    for name in ("canonical", "icr", "lift"):
        points = json.loads((folder / f"metrics/{name}.json").read_text())
        assert set(points) == set(settings.models)
        for benchmark, score in student.items():
            figure = score.arms.get(name, score.lift)
            assert figure
            assert figure.n == 4
            assert figure.low <= figure.value <= figure.high or name == "lift"
            assert points["student"][benchmark] == figure.value


def test_every_arm_is_asked_another_prompt_and_scored(experiment: Experiment) -> None:
    folder, _, _ = experiment
    for name, score in read_record(folder / "data/scores/student.json", ModelScore).benchmarks.items():
        assert set(score.arms) == set(score.answers) == {"canonical", "icr", "placebo"}, name
        assert set(score.icr_minus) == {"placebo"}
        assert score.content_lift
        assert score.content_lift.n == 4
    rows = Prediction.read(folder / "data/predictions/student/arc_easy.parquet")
    prompts = {row.arm: row.prompt_sha256 for row in rows if row.problem_id == rows[0].problem_id}
    assert len(set(prompts.values())) == len(prompts) == 3


def test_accepted_problems_meet_their_targets_and_agree(experiment: Experiment) -> None:
    folder, _, _ = experiment
    screened = read_record(folder / "data/firewall.json", Summary)
    keys = read_record(folder / "data/answer_keys/agreement.json", dict[str, Agreement])
    assert read_record(folder / "data/calibration.json", RejectionShares).attacks["verbatim"].rejected.value == 100
    for name, counts in screened.sets.items():
        assert counts.accepted + counts.short == counts.target
        assert counts.passed + sum(counts.rejected.values()) == counts.candidates
        assert keys[name].problems == counts.accepted
        assert keys[name].words.startswith("checked by construction, 100.0 % of")


def test_the_report_claims_what_was_shown_and_draws_the_curves(experiment: Experiment) -> None:
    folder, _, _ = experiment
    report = (folder / "report/report.md").read_text()
    assert "zero pairs above these thresholds, with this measured recall on these attack sets" in " ".join(
        report.split()
    )
    assert "plots/roc.svg" in report
    assert (folder / "report/plots/roc.svg").read_text().lstrip().startswith("<?xml")


def test_the_certificate_is_made_again_from_the_data_and_holds(experiment: Experiment) -> None:
    _, run, _ = experiment
    printed = run("pfe", "verify").stdout
    assert printed.startswith("data/certificate.json holds: ")


def test_a_problem_smuggled_past_the_firewall_breaks_the_certificate(experiment: Experiment) -> None:
    folder, run, _ = experiment
    path = folder / "data/synthetic/arc_synth.parquet"
    content = path.read_bytes()
    smuggled = Problem.read(folder / "data/canonical/arc_easy.parquet")[0]
    accepted = Problem.read(path)
    path.chmod(0o644)
    try:
        Problem.write([*accepted[:-1], replace(smuggled, id=accepted[-1].id)], path)
        done = run("pfe", "verify", check=False)
    finally:
        path.write_bytes(content)
    assert done.returncode == 1
    assert "files.synthetic.arc_synth.parquet: the certificate says" in done.stdout
    assert "data/synthetic/arc_synth.parquet: not the problems that pass now" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_second_run_skips_every_stage(experiment: Experiment) -> None:
    _, run, _ = experiment
    printed = run("dvc", "repro").stdout
    assert ran(printed) == set()
    assert printed.count("didn't change, skipping") >= 12


def test_a_change_of_one_model_reruns_that_model_alone(experiment: Experiment) -> None:
    folder, run, _ = experiment
    params = (folder / "params.yaml").read_text()
    values = yaml.safe_load(params)
    values["models"]["minilm"]["batch_size"] = 7
    (folder / "params.yaml").write_text(yaml.safe_dump(values))
    try:
        run("dvc", "repro", "configuration")
        printed = run("dvc", "repro", "--dry").stdout
    finally:
        (folder / "params.yaml").write_text(params)
        run("dvc", "repro", "configuration")
    assert ran(printed) - CHECK == {"evaluate@minilm", "score", "report", "leaderboard", "page"}


def test_the_competition_has_its_ranking_its_report_and_its_plots(experiment: Experiment) -> None:
    folder, _, printed = experiment
    settings = load(folder / "params.yaml")
    assert re.search(r"^ *1  \S.* \d\.\d\d ", printed, re.MULTILINE), "the ranking is printed"
    judged = json.loads((folder / "metrics/judge.json").read_text())
    assert set(judged) == {"linear", "operon", "lasso"}
    assert judged["linear"] == {"qualified": False}
    assert any(method["qualified"] and method["score"] >= 1 for method in judged.values())
    report = (folder / "report/competition.md").read_text()
    for plot in ("pareto", "critical_difference", "rank_stability"):
        assert f"plots/{plot}.svg" in report
        assert (folder / f"report/plots/{plot}.svg").read_text().lstrip().startswith("<?xml")
    assert {run.status for run in MethodRun.read(folder / "data/competition/runs.parquet")} == {"ok"}
    assert settings.models.keys() == read_record(folder / "data/leaderboard.json", Verdict).candidates.keys()


def test_other_rules_judge_the_same_runs_again_and_run_nothing(experiment: Experiment) -> None:
    _, run, _ = experiment
    again = run("dvc", "exp", "run", "--temp", "--name", "rules", *overrides("rules=srbench2023", "rules.resamples=20"))
    assert ran(again.stdout) - CHECK == {"judge", "page"}


def test_a_threshold_reruns_what_depends_on_it_to_the_scores(experiment: Experiment) -> None:
    _, run, _ = experiment
    changed = overrides("firewall.threshold=0.0", "icr.screen=report")  # the libraries too have a word in common
    printed = run("dvc", "exp", "run", "--temp", "--name", "strict", *changed).stdout
    assert {"firewall", "libraries", "corpus", "train", "evaluate@student", "score"} <= ran(printed)
    assert not ran(printed) & {"canonical", "generate", "compete", "measure", "judge"}
    diff = json.loads(run("dvc", "metrics", "diff", "HEAD", "strict", "--json").stdout)
    assert diff["metrics/firewall.json"]["rejected"]["diff"] > 0


def test_a_changed_byte_of_a_sealed_benchmark_stops_the_stage(experiment: Experiment) -> None:
    folder, run, _ = experiment
    path = folder / "data/canonical/gsm1k.parquet"
    content = path.read_bytes()
    path.chmod(0o644)
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    try:
        done = run("python", "-m", "stages.evaluate", "chance", check=False)
    finally:
        path.write_bytes(content)
    assert done.returncode == 2
    assert "data/canonical: not what dvc.lock says canonical wrote" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_model_names_the_nearest(experiment: Experiment) -> None:
    _, run, _ = experiment
    done = run("python", "-m", "stages.evaluate", "studnet", check=False)
    assert (done.returncode, done.stderr) == (2, "pfe: unknown model 'studnet'; did you mean 'student'?\n")


def test_an_interrupt_leaves_nothing_half_written(experiment: Experiment, tmp_path: Path) -> None:
    folder, _, _ = experiment
    before = {path: path.stat().st_mtime_ns for path in folder.glob("data/**/*") if path.is_file()}
    command = [sys.executable, "-m", "stages.evaluate", "base"]
    unkept = os.environ | {"PFE_CACHE_DIR": str(tmp_path)}  # with every answer kept it would end too soon
    with subprocess.Popen(
        command, cwd=folder, env=unkept, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        preexec_fn=_interruptible,
    ) as process:  # fmt: skip
        while not list(folder.glob("data/predictions/.base.*.tmp/*")):
            assert process.poll() is None, "it ended before it wrote anything"
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 130, errors
    assert "interrupted; nothing half-written was kept" in errors
    assert {path: path.stat().st_mtime_ns for path in folder.glob("data/**/*") if path.is_file()} == before


def _interruptible() -> None:
    """What runs in the background of a script inherits that interrupts are ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_a_missing_folder_of_benchmarks_says_what_to_do(experiment: Experiment) -> None:
    folder, run, _ = experiment
    before = (folder / "data/canonical/SEAL.json").read_bytes()
    run("pfe", "params", "canonical=files", "canonical.path=../nowhere")
    try:
        done = run("python", "-m", "stages.canonical", check=False)
    finally:
        run("git", "checkout", "-q", "--", "params.yaml")
    assert done.returncode == 2
    assert "canonical.path=../nowhere: no such folder; mend it with -S canonical.path=FOLDER" in done.stderr
    assert (folder / "data/canonical/SEAL.json").read_bytes() == before
