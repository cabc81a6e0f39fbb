"""Check params.yaml, and that conf/ composes, before anything else runs.

Reads: params.yaml, conf/
Writes: data/configuration.json, which is the same every time, so that nothing runs again for its sake

    dvc repro configuration
    pfe params        # where conf/ and params.yaml differ, and conf/ is right
"""

import os
from pathlib import Path

import yaml

from pfe import config
from pfe.files import write_json
from pfe.params import check_names, composed
from pfe.stage import reports_mistakes, run


@reports_mistakes
def main() -> None:
    settings = config.load()
    check_names(settings)
    of_conf = config.parse(yaml.safe_load(composed()), "conf")
    if settings != of_conf and "DVC_EXP_NAME" not in os.environ:
        print("NOTE: conf/ composes to other values than params.yaml, which is used; `make params` writes them there")
    write_json(Path("data/configuration.json"), {"params.yaml": "valid"})


if __name__ == "__main__":
    run(main)
