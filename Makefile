# Everything runs in .venv, filled from the lock files. `make setup PYTHON=python3.13` picks an interpreter.
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; exit; }; done; echo python3)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest
LOCK := uv pip compile --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-header --no-annotate --quiet
ARGS ?=

.PHONY: run test suite setup setup-dev fmt lint types unit e2e snap dev console screenshots bench soak faults lock clean

run: setup
	$(BIN)/smriti-tui $(ARGS)

# Types are checked beside the tests: mypy uses one processor alone.
test: lint
	@$(MAKE) --no-print-directory -j 2 types suite

# Four at a time also on two processors: half of what a test of a screen does is wait.
suite: setup-dev
	$(PYTEST) -n 4 $(ARGS)

setup: $(VENV)/.setup
setup-dev: $(VENV)/.setup-dev

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo "Smriti needs Python 3.11 or newer; $(PYTHON) is older or does not run. Try: make setup PYTHON=/path/to/python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.setup: requirements.lock pyproject.toml | $(BIN)/python
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.setup-dev: requirements-dev.lock $(VENV)/.setup
	$(PIP) --require-hashes -r requirements.lock -r requirements-dev.lock
	@touch $@

fmt: setup-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lint: setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo

types: setup-dev
	$(BIN)/mypy

unit: setup-dev
	$(PYTEST) tests/unit tests/store tests/services $(ARGS)

e2e: setup-dev
	$(PYTEST) tests/e2e $(ARGS)

# Rewrites the snapshots; look at every changed picture before committing it.
snap: setup-dev
	$(PYTEST) tests/ui -k snapshot --snapshot-update $(ARGS)

# Live styles: an edit in styles/ shows at once. `make console` in a second terminal shows the log.
dev: setup-dev
	$(BIN)/textual run --dev -c $(BIN)/smriti-tui --demo $(ARGS)

console: setup-dev
	$(BIN)/textual console -x EVENT

screenshots: setup-dev
	$(BIN)/python screenshots/make.py $(ARGS)

bench: setup-dev
	$(BIN)/python -m tests.bench $(ARGS)

soak: setup-dev
	$(PYTEST) -m soak $(ARGS)

faults: setup-dev
	$(PYTEST) -m faults $(ARGS)

# Needs uv on the path. Add "-U" or "-P NAME" by ARGS to move to newer versions.
lock:
	echo 'hatchling>=1.27' | $(LOCK) $(ARGS) --extra postgres pyproject.toml - -o requirements.lock
	$(LOCK) $(ARGS) --group dev -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis snapshot_report.html
	find smriti_tui tests screenshots -name __pycache__ -type d -prune -exec rm -rf {} +
