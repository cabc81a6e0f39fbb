"""Screen the candidates against every sealed canonical problem.

Reads: data/candidates, data/canonical (sealed)
Writes: data/synthetic/<set>.parquet, data/rejections/<set>.parquet, data/certificate.json, metrics/firewall.json

    dvc repro firewall
    dvc exp run -S firewall.threshold=0.25 && dvc metrics diff
"""

import sys
from pathlib import Path

from pfe import config
from pfe.canonical.seal import read_sealed, sealed_names
from pfe.embedding import Encoder
from pfe.files import replacing_folder, write_json
from pfe.firewall.firewall import Rejection, rejection
from pfe.firewall.outcome import Screening, screen_all
from pfe.problem import Problem
from pfe.stage import told

DATA = Path("data")


@told
def main() -> None:
    settings = config.load()
    canonical = [problem for name in sealed_names() for problem in read_sealed(name)]
    sets = {name: Problem.read(DATA / f"candidates/{name}.parquet") for name in settings.scale.targets}
    encoder = Encoder(settings.firewall.semantic.model, settings.firewall.semantic.batch_size)
    screening = screen_all(sets, settings.scale.targets, canonical, settings.firewall, encoder, settings.seed)

    with replacing_folder(DATA / "synthetic") as accepted, replacing_folder(DATA / "rejections") as rejected:
        for outcome in screening.outcomes:
            Problem.write(outcome.accepted, accepted / f"{outcome.name}.parquet")
            Rejection.write([rejection(*pair) for pair in outcome.rejected], rejected / f"{outcome.name}.parquet")
    certificate = screening.certificate(settings.firewall, encoder.weights_sha256, len(canonical))
    write_json(DATA / "certificate.json", certificate)
    write_json(Path("metrics/firewall.json"), screening.metrics())
    _tell(screening)


def _tell(screening: Screening) -> None:
    for outcome in screening.outcomes:
        print(f"{outcome.name:<18} {len(outcome.accepted):>6,} accepted, {len(outcome.rejected):>5,} rejected")
        if outcome.short:
            print(
                f"WARNING: {outcome.name} is {outcome.short:,} short of its target of {outcome.target:,}; "
                "raise scale.margin or write more families",
                file=sys.stderr,
            )
    for kind, share in screening.metrics()["controls"].items():
        caught = "none to screen" if share["caught"] is None else f"{share['caught']:5.1f} % caught of {share['n']}"
        print(f"control {kind:<10} {caught}")


if __name__ == "__main__":
    main()
