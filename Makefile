# Plain python3.11 and make are enough; everything else goes into .venv.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
SUDO := $(shell [ "$$(id -u)" = 0 ] || { command -v sudo >/dev/null && echo sudo -n; })

.DEFAULT_GOAL := help
.PHONY: bench-understand bench-model
.PHONY: help install run test slow e2e lint bench lock audit chromium clean

help: ## show what there is
	@grep -E '^[a-z0-9]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

install: $(STAMP) ## .venv with the exact versions of requirements.lock

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "需要 Python 3.11 以上（apt-get install python3）；或 make PYTHON=python3.12 …" >&2; exit 2; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "缺少 venv 模組，請先安裝：apt-get install python3-venv" >&2; exit 2; }
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(STAMP)

run: install ## the page, at http://127.0.0.1:7860
	$(BIN)/python run_gradio.py

test: install chromium ## all tests but the slow ones
	$(BIN)/python -m pytest

slow: install ## tests that take many seconds (none is fine, too)
	$(BIN)/python -m pytest -m slow || [ $$? = 5 ]

e2e: install chromium ## the page in a real browser
	$(BIN)/python -m pytest -m e2e

lint: install ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/mypy --strict

bench: install chromium ## what a turn and the page cost, as ratios
	$(BIN)/python -m benchmarks.turn
	$(BIN)/python -m benchmarks.page

EVERY ?= 10
bench-model: install ## what the model of config.ini adds to the rules, and what it costs: make bench-model EVERY=5
	$(BIN)/python -m benchmarks.model tests/corpus/dev.jsonl --eip tests/corpus/eip.json --every $(EVERY)

CASES ?= data/public_time.jsonl
bench-understand: install .venv-bench/.installed ## our readings beside jionlp's: make bench-understand CASES=…/corpus/public_time.jsonl
	$(BIN)/python -m benchmarks.understand $(CASES) --jionlp .venv-bench/bin/python

.venv-bench/.installed:
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check "jionlp>=1.5.31,<2"
	@touch $@

LOCKED := --quiet --upgrade --generate-hashes --allow-unsafe --strip-extras --no-header --no-annotate \
	  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options
lock: install ## requirements.lock anew from pyproject.toml, with overrides.in in place of what it forbids
	$(BIN)/pip-compile $(LOCKED) --extra dev --extra postgres --extra xlsx -o requirements.lock pyproject.toml
	$(BIN)/pip-compile $(LOCKED) -o overrides.lock overrides.in
	for name in $$(sed -n 's/^\([a-z0-9-]*\)==.*/\1/p' overrides.lock); do sed -i "/^$$name==/,/[^\\]$$/d" requirements.lock; done
	cat overrides.lock >> requirements.lock
	rm overrides.lock
	sed -i '/^#/d' requirements.lock

audit: .venv-audit/.installed ## known holes in the locked versions; without a network it fails, for it has checked nothing
	.venv-audit/bin/pip-audit --strict --disable-pip --require-hashes -r requirements.lock

.venv-audit/.installed:
	$(PYTHON) -m venv .venv-audit
	.venv-audit/bin/python -m pip install --quiet --disable-pip-version-check "pip-audit>=2.10"
	@touch $@

# The browser tests skip themselves where there is no Chromium, so a failure here stops nothing.
chromium:
	@command -v chromium >/dev/null || { [ -z "$(SUDO)" ] && [ "$$(id -u)" != 0 ]; } || ! command -v apt-get >/dev/null \
	  || { $(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk; } >/dev/null 2>&1 \
	  || echo "Chromium 無法安裝，瀏覽器測試會略過"

clean: ## takes away .venv and caches, never data/
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
