"""Check params.yaml, and that conf/ composes, before anything else runs; record the full settings for DVC.

Reads: params.yaml, conf/
Writes: data/configuration.json, which is always the same, so that it never makes a stage rerun;
    data/settings/: `benchmark`, `tutor` and each of `models` with the defaults that params.yaml leaves out, a file
    each, and `trained_here`, the models whose weights lie in data/models

    dvc repro configuration
    pfe params        # if conf/ and params.yaml differ, and conf/ is right
"""

import os
from pathlib import Path

from pfe import config
from pfe.config.loading import settings_files
from pfe.files import replacing_together, write_json
from pfe.params import check_names, composed
from pfe.stage import reports_mistakes, run
from pfe.training.trained_models import trained_here


@reports_mistakes
def main() -> None:
    settings = config.load()
    check_names(settings)
    if settings != config.parse(composed(), "conf") and "DVC_EXP_NAME" not in os.environ:
        print("NOTE: conf/ composes to other values than params.yaml, which is used; `make params` writes them there")
    with replacing_together(Path("data/settings"), Path("data/configuration.json")) as (folder, verdict):
        files = dict(settings_files(settings))
        files["trained_here"] = {name: files[f"models/{name}"] for name in trained_here(settings.models)}
        for name, values in files.items():
            write_json(folder / f"{name}.json", values)
        write_json(verdict, {"params.yaml": "valid"})


if __name__ == "__main__":
    run(main)
