# Two commands do everything on a fresh machine with Python 3.11 or later and pip:
#   make demo   sets up, then draws, audits and distils questions with the embedded models
#   make test   sets up and runs every check
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_CACHE_DIR := $(CURDIR)/.cache/pip
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: demo test bench clean

demo: $(VENV)/.demo-ready
	$(BIN)/oasis demo --out demo

test: $(VENV)/.test-ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest --numprocesses 2 --dist loadfile --ignore tests/review
	$(BIN)/pytest tests/review # by themselves: a browser takes both cores

bench: $(VENV)/.test-ready
	$(BIN)/python benchmarks/bench_analysis.py
	$(BIN)/python benchmarks/bench_asking.py
	$(BIN)/python benchmarks/bench_media.py
	$(BIN)/python -m benchmarks.bench_report
	$(BIN)/python benchmarks/bench_review.py
	$(BIN)/python benchmarks/bench_startup.py

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo-ready: pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable '.[review]'
	touch $@

# The review page is tested in Debian's Chromium; elsewhere, put a `chromium` on the PATH.
$(VENV)/.browser-ready: | $(BIN)/python
	command -v chromium || { $(SUDO) apt-get update --quiet --quiet && \
	  $(SUDO) apt-get install --yes --quiet --quiet --no-install-recommends chromium; }
	touch $@

$(VENV)/.test-ready: pyproject.toml constraints.txt $(VENV)/.browser-ready | $(BIN)/python
	$(INSTALL) --editable '.[test]'
	touch $@ $(VENV)/.demo-ready

clean:
	rm -rf $(VENV) .cache demo runs
