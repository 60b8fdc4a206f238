# `make play` sets everything up and plays; `make test` sets everything up and runs all tests. Nothing else is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= auto
SOAK ?= 2000
PAGE := src/wellies/server/page/index.html
COMPILED := build/compiled
# The engine is compiled anew when one of its modules has changed, or one that they import; all else in the compiled copy is
# plain Python, which is copied each time.
ENGINE := $(filter-out %/terminal.py %/schema.py %/generate_tiles.py, \
  $(wildcard src/wellies/core/*.py src/wellies/games/*/*.py src/wellies/bots/search/*.py))
WEB := $(shell find web/src web/public web/index.html web/vite.config.ts web/svelte.config.js web/tsconfig.json -type f)

.DEFAULT_GOAL := help
.PHONY: help play page browser test lint types check soak bench lock clean setup schemas screens pictures compiled interpreted \
  wheel release agree agreeing

help: ## show what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(VENV)/.ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Wellies needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { $(PYTHON) -m pip install --quiet --user virtualenv && $(PYTHON) -m virtualenv --quiet $(VENV); }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --compile-bytecode --require-hashes -r requirements.lock
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

setup: $(VENV)/.ready ## make the virtual environment

play: $(VENV)/.ready $(PAGE) ## build the page if it is stale, serve it and open it
	@$(BIN)/wellies serve --open

web/node_modules/.ready: web/package.json web/package-lock.json web/.npmrc
	@command -v npm >/dev/null || { echo "The page is built with Node 20 or newer and npm; please install them." >&2; exit 2; }
	@cd web && npm ci --silent --no-audit --no-fund
	@touch $@

$(PAGE): web/node_modules/.ready $(WEB)
	@cd web && npm run --silent build -- --logLevel warn
	@touch $@

page: $(PAGE) ## build the page if it is stale

# Tests in a browser want Chromium: that of the system, else Playwright's own. Without either they are skipped.
browser: $(VENV)/.ready
	@command -v chromium-headless-shell chromium chromium-browser google-chrome >/dev/null || \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	    { apt-get install -qq -y --no-install-recommends chromium-headless-shell >/dev/null 2>&1 || \
	      apt-get install -qq -y --no-install-recommends chromium >/dev/null 2>&1; }; } || \
	  $(BIN)/playwright install chromium >/dev/null 2>&1 || echo "No browser: the tests of the page will be skipped."

compiled: $(VENV)/.ready ## compile the engine in place with mypyc: faster, but edits need it again
	@rm -f $$(find src -name '*.so' -o -name '*.pyd')
	@WELLIES_COMPILE=1 $(BIN)/python -W ignore setup.py --quiet build_ext --inplace
	@find src \( -name '*.so' -o -name '*.pyd' \) -exec touch {} + # what was up to date was not built again
	@$(BIN)/wellies --version

interpreted: ## remove what `make compiled` left, so that the sources run as they are
	@find src \( -name '*.so' -o -name '*.pyd' \) -delete

# What an earlier build left must not get into a wheel.
wheel: $(VENV)/.ready $(PAGE) ## build two wheels in dist/, both with the page: plain Python, and compiled where there is a C compiler
	@rm -rf dist build/lib build/lib.* build/bdist.*
	@WELLIES_COMPILE=0 $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w dist .
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w dist .

release: wheel ## build in dist/ all that is published from here, and check it (see docs/publishing.md)
	@$(BIN)/python -W ignore setup.py --quiet sdist
	@$(BIN)/uv tool run --quiet twine check --strict dist/*

# The compiled engine is tested as a wheel holds it, unpacked beside the sources and not in place. It is optimised less
# than the one for use, in a folder of its own: that halves the time it takes to build.
$(COMPILED)/.ready: $(VENV)/.ready $(ENGINE) setup.py pyproject.toml
	@rm -rf $(COMPILED) && mkdir -p $(COMPILED)
	@WELLIES_COMPILE=1 WELLIES_OPTIMISE=1 $(BIN)/python -W ignore setup.py --quiet build --build-base build/quick \
	  bdist_wheel --dist-dir $(COMPILED)
	@cd $(COMPILED) && ../../$(BIN)/python -m zipfile -e wellies-*.whl .
	@touch $@

CAN_COMPILE := import os, shutil, sys, sysconfig; \
  sys.exit(not (shutil.which("cc") and os.path.exists(sysconfig.get_path("include") + "/Python.h")))

agree: $(VENV)/.ready ## run the laws, golden games, perft and game tests on the compiled engine
	@if $(BIN)/python -c '$(CAN_COMPILE)'; then $(MAKE) --no-print-directory agreeing; \
	elif test -n "$$WELLIES_NEED_COMPILER"; then echo "No C compiler with Python's headers." >&2; exit 2; \
	else echo "No C compiler with Python's headers: the tests of the compiled engine are skipped."; fi

agreeing: $(COMPILED)/.ready
	@find $(COMPILED)/wellies -name '*.py' -delete
	@$(BIN)/python -c 'from shutil import copytree, ignore_patterns as but; \
	  copytree("src/wellies", "$(COMPILED)/wellies", ignore=but("*.so", "*.pyd", "__pycache__", "page"), dirs_exist_ok=True)'
	WELLIES_ENGINE=compiled PYTHONPATH=$(COMPILED) $(BIN)/pytest -n $(JOBS) \
	  tests/core tests/contract tests/test_golden.py tests/games tests/bots/test_search.py tests/bots/test_no_peeking.py \
	  tests/cli/test_interrupts.py

test: $(VENV)/.ready $(PAGE) browser agree ## run all tests
	cd web && npm test --silent
	$(BIN)/pytest -n $(JOBS) --ignore tests/page
	$(BIN)/pytest -n $(JOBS) tests/page # apart: the browser's driver keeps an event loop running

lint: $(VENV)/.ready web/node_modules/.ready ## check style and formatting
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	cd web && npm run --silent lint

types: $(VENV)/.ready web/node_modules/.ready ## check types, strictly, and that those of the page are current
	$(BIN)/mypy
	cd web && npm run --silent types -- --check && npm run --silent check

schemas: $(VENV)/.ready web/node_modules/.ready ## make the page's types anew from the server
	$(BIN)/wellies schemas web/schemas
	cd web && npm run --silent types

screens: $(VENV)/.ready ## make the screens of the terminal in docs/terminal-screens.md anew
	$(BIN)/python scripts/terminal_screens.py

pictures: $(VENV)/.ready $(PAGE) browser ## make the pictures of the page in docs/pictures anew
	$(BIN)/python scripts/screenshots.py

check: lint types test ## all that CI does

soak: $(VENV)/.ready $(PAGE) browser ## 2,000 random games of each game and number of seats; 285 by a wanderer on the page (hours)
	WELLIES_SOAK=$(SOAK) $(BIN)/pytest -n $(JOBS) tests/soak
	WELLIES_SOAK=$(SOAK) $(BIN)/pytest -n $(JOBS) tests/page/test_wanderer.py tests/page/test_whole_games.py

bench: $(VENV)/.ready ## how fast each game plays at random
	@for game in $$($(BIN)/python -c 'import wellies; print(*wellies.list_games())'); do $(BIN)/python bench/playouts.py $$game; done

lock: ## pin all dependencies anew
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --no-header \
	  --no-annotate --upgrade -q -o requirements.lock

clean: interpreted ## remove what was made
	rm -rf $(VENV) web/node_modules src/wellies/server/page tests/output build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis src/*.egg-info
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
