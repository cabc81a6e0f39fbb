# Two commands: `make repro` runs the whole experiment, `make test` runs every check.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
READY := $(VENV)/.ready
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
export TOKENIZERS_PARALLELISM := false

.PHONY: repro test test-slow bench lock params

repro: $(READY)
	python -m pfe.params --check
	dvc repro
	@awk '/^PFE: averages/ {show = 1} /^```/ {show = 0} show' report/report.md

# Two workers with one thread each: with more, they wait for each other.
test: $(READY)
	ruff check .
	ruff format --check .
	mypy --num-workers 2
	python -m pfe.params --check
	OMP_NUM_THREADS=1 pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not slow"

test-slow: $(READY)
	pytest -m slow

bench: $(READY)
	python -m bench

params: $(READY)
	python -m pfe.params

# A new lock from pyproject.toml's ranges; run `make test` before you commit it.
lock:
	rm -rf .venv-lock && $(PYTHON) -m venv .venv-lock
	.venv-lock/bin/pip install -q torch==2.13.0 && .venv-lock/bin/pip install -q ".[dev]"
	.venv-lock/bin/pip freeze --exclude pfe | sed 's/+cpu$$//' > requirements.lock
	rm -rf .venv-lock

$(READY): requirements.lock
	@$(PYTHON) -c 'import sys; v = sys.version_info; v[:2] == (3, 11) or sys.exit(f"PFE needs Python 3.11, this is {v[0]}.{v[1]}: make PYTHON=/path/to/python3.11")'
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install -q --disable-pip-version-check -r requirements.lock
	touch $(READY)
