"""Compare the synthetic sets with the sealed benchmarks of their domains; fail if a set repeats itself.

Reads: data/synthetic, data/canonical (sealed)
Writes: data/quality.json, metrics/corpus.json (aggregates, and words of the synthetic side only)

    dvc repro quality
    pfe quality gsm1k_synth        # of a set as its families write it now
"""

from pathlib import Path

from pfe import config
from pfe.canonical.seal import read_sealed, sealed_names
from pfe.files import replacing_together, write_json, write_record
from pfe.problem import Problem
from pfe.quality.goals import missed
from pfe.quality.measure import check_duplicates, measure
from pfe.quality.metrics import metrics
from pfe.quality.real_problems import of_domain
from pfe.quality.record import Qualities
from pfe.stage import reports_mistakes, run


@reports_mistakes
def main() -> None:
    settings = config.load()
    canonical = [problem for name in sealed_names() for problem in read_sealed(name)]
    qualities: Qualities = {}
    for name in settings.scale.targets:
        problems = Problem.read(Path("data/synthetic") / f"{name}.parquet")
        if problems:
            qualities[name] = measure(name, problems, of_domain(problems[0].domain, canonical), settings.seed)
            print(f"{name:<18} {'; '.join(missed(qualities[name])) or 'every goal is reached'}", flush=True)
    check_duplicates(qualities)
    with replacing_together(Path("data/quality.json"), Path("metrics/corpus.json")) as (figures, shown):
        write_record(figures, qualities, Qualities)
        write_json(shown, metrics(qualities))


if __name__ == "__main__":
    run(main)
