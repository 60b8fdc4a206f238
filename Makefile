# `make play` sets everything up and opens the games in a browser; `make quick` and `make test` set everything up and test.
# They need Python 3.11 or newer, and the page needs Node 20 or newer; `make test` says at its end what it lacked.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= auto
WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) * 2)')
SOAK ?= 2000
SIMULATIONS ?= $$(($(SOAK) * 50))
PAGE := src/wellies/server/page/index.html
COMPILED := build/compiled
# Exactly the modules that setup.py compiles, as pyproject.toml lists them: the compiled copy is built again when one of
# these has changed. All else in it is plain Python, which is copied each time.
ENGINE := $(shell $(PYTHON) tests/engine_modules.py 2>/dev/null)
WEB := $(shell find web/src web/public web/scripts web/index.html web/vite.config.ts web/svelte.config.js web/tsconfig.json -type f)
# What runs in a browser without a server, packed from these sources (see scripts/build_engine.py).
PACKED := build/browser/engine.zip
PACKED_SOURCES := $(shell find src/wellies/__init__.py $(wildcard $(addprefix src/wellies/,core games bots match table puzzles local)) \
  -name '*.py' -o -name '*.json' -o -name '*.md') scripts/build_engine.py

# Without Python's cache of compiled sources each process of the tests would compile them again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play page browser quick test agree agreeing compiled-copy test-units test-python test-plain test-others test-browser lint types check soak bench lock \
  clean setup site icons schemas screens layouts pictures compiled interpreted wheel release image audit

help: ## show what `make` can do
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 13

$(VENV)/.ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Wellies needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { $(PYTHON) -m pip install --quiet --user virtualenv && $(PYTHON) -m virtualenv --quiet $(VENV); }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --compile-bytecode --require-hashes -r requirements.lock
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

setup: $(VENV)/.ready ## install all that Python needs in .venv

play: $(VENV)/.ready $(PAGE) ## serve the games and open them in a browser
	@$(BIN)/wellies serve --open

web/node_modules/.ready: web/package.json web/package-lock.json web/.npmrc
	@command -v npm >/dev/null || { echo "The page is built with Node 20 or newer and npm; please install them." >&2; exit 2; }
	@cd web && npm ci --silent --no-audit --no-fund
	@touch $@

$(PACKED): $(PACKED_SOURCES)
	@$(PYTHON) scripts/build_engine.py $(@D)

$(PAGE): web/node_modules/.ready $(WEB) $(PACKED)
	@cd web && npm run --silent build -- --logLevel warn
	@touch $@

# The same page for a static host: it plays on the device alone and asks no server for anything.
SITE := dist/site/index.html
$(SITE): web/node_modules/.ready $(WEB) $(PACKED)
	@cd web && npm run --silent build -- --mode site --logLevel warn
	@touch $@

site: $(SITE) ## build the games for any static web host in dist/site (see docs/offline.md)

icons: $(VENV)/.ready browser ## draw the icons of the installed page again
	@$(BIN)/python scripts/icons.py

page: $(PAGE) ## build the page, if its sources have changed

# Tests in a browser use Chromium: that of the system, else Playwright's own. Without either they are skipped. The one without
# windows is lighter, but shows no notifications, which one test needs.
APT_INSTALL := apt-get install -qq -y --no-install-recommends
browser: $(VENV)/.ready
	@{ command -v chromium-headless-shell && command -v chromium; } >/dev/null || \
	  command -v chromium-browser google-chrome >/dev/null || \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && \
	    { $(APT_INSTALL) chromium-headless-shell chromium || { apt-get update -qq; \
	      $(APT_INSTALL) chromium-headless-shell chromium || $(APT_INSTALL) chromium; }; } >/dev/null 2>&1; } || \
	  command -v chromium >/dev/null || $(BIN)/playwright install chromium >/dev/null 2>&1 || true

compiled: $(VENV)/.ready ## compile the engine in place with mypyc: faster, but each edit needs it again
	@rm -f $$(find src -name '*.so' -o -name '*.pyd')
	@WELLIES_COMPILE=1 $(BIN)/python -W ignore setup.py --quiet build_ext --inplace
	@find src \( -name '*.so' -o -name '*.pyd' \) -exec touch {} + # what was up to date was not built again
	@$(BIN)/wellies --version

interpreted: ## undo `make compiled`
	@find src \( -name '*.so' -o -name '*.pyd' \) -delete

# What an earlier build left must not get into a wheel.
wheel: $(VENV)/.ready $(PAGE) ## build two wheels in dist/, both with the page: plain Python, and compiled where there is a C compiler
	@rm -rf dist/*.whl dist/*.tar.gz build/lib build/lib.* build/bdist.*
	@WELLIES_COMPILE=0 $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w dist .
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w dist .

release: wheel ## build in dist/ all that is published from here, and check it (see docs/publishing.md)
	@$(BIN)/python -W ignore setup.py --quiet sdist
	@$(BIN)/uv tool run --quiet twine check --strict dist/*.whl dist/*.tar.gz

# The compiled engine is tested as a wheel holds it, unpacked beside the sources and not in place. It is built without
# optimisation, in a folder of its own, for that takes a third of the time; `make agree OPTIMISE=3` tests what is published.
OPTIMISE ?= 0
$(COMPILED)/.ready: $(VENV)/.ready $(ENGINE) setup.py
	@rm -rf $(COMPILED) build/optimise$(OPTIMISE)/lib* && mkdir -p $(COMPILED) # no module that is no longer compiled
	@WELLIES_COMPILE=1 WELLIES_OPTIMISE=$(OPTIMISE) $(BIN)/python -W ignore setup.py --quiet \
	  build --build-base build/optimise$(OPTIMISE) bdist_wheel --dist-dir $(COMPILED)
	@cd $(COMPILED) && ../../$(BIN)/python -m zipfile -e wellies-*.whl .
	@touch $@

CAN_COMPILE := import os, shutil, sys, sysconfig; \
  sys.exit(not (shutil.which("cc") and os.path.exists(sysconfig.get_path("include") + "/Python.h")))
NO_COMPILER := a C compiler with Python's headers (on Debian: apt install gcc python3-dev)
NOT_TESTED := build/not-tested.txt

agree: $(VENV)/.ready ## test that the compiled engine plays exactly as the plain Python engine does
	@if $(BIN)/python -c '$(CAN_COMPILE)'; then $(MAKE) --no-print-directory agreeing; \
	elif test -n "$$WELLIES_NEED_COMPILER"; then echo "Missing: $(NO_COMPILER)." >&2; exit 2; \
	else mkdir -p build; echo "NOT TESTED: the compiled engine, which needs $(NO_COMPILER)." | tee -a $(NOT_TESTED); fi

# A compiled copy of these sources. The built page is only linked, for it is large.
compiled-copy: $(COMPILED)/.ready
	@find $(COMPILED)/wellies -name '*.py' -delete
	@$(BIN)/python -c 'from shutil import copytree, ignore_patterns as but; \
	  copytree("src/wellies", "$(COMPILED)/wellies", ignore=but("*.so", "*.pyd", "__pycache__", "page"), dirs_exist_ok=True)'
	@ln -sfn $(CURDIR)/src/wellies/server/page $(COMPILED)/wellies/server/page

# A test that hangs fails after this many seconds, and says where it hung.
PYTEST := $(BIN)/pytest -o faulthandler_timeout=600 -o faulthandler_exit_on_timeout=true
ON_COPY := WELLIES_ENGINE=compiled PYTHONPATH=$(CURDIR)/$(COMPILED) $(PYTEST)

agreeing: compiled-copy
	$(ON_COPY) -n $(JOBS) $(ENGINE_TESTS) -k "not ($(SAME_ON_BOTH))"

# What the C code could do otherwise than the Python code: rules, positions, records, search, and being interrupted. Which
# bot is stronger and how a screen looks does not depend on it.
ENGINE_TESTS := tests/core tests/contract tests/test_golden.py tests/games tests/bots/test_search.py \
  tests/cli/test_interrupts.py $(addprefix tests/research/test_,pettingzoo.py gymnasium.py openspiel.py information.py)
SAME_ON_BOTH := beats_random or leave_random_ones or can_be_drawn or print_themselves or forms or playthrough or benchmark

test-units: web/node_modules/.ready
	cd web && npm test --silent

# The tests of the engine run on plain Python here, and `agree` runs them on the compiled engine. All others need one engine
# only, so they take the faster one, if there is a C compiler. They get more workers than there are processors, for many
# of them wait for other processes.
test-python: $(VENV)/.ready $(PAGE)
	@if $(BIN)/python -c '$(CAN_COMPILE)'; then $(MAKE) --no-print-directory test-plain test-others; \
	else $(PYTEST) -n $(WORKERS) --dist worksteal --ignore tests/page; fi

# Compiled classes have no docstrings, and one test reads them.
PLAIN_TESTS := $(ENGINE_TESTS) tests/test_structure.py

test-plain: $(VENV)/.ready
	$(PYTEST) -n $(JOBS) $(PLAIN_TESTS)

test-others: compiled-copy
	$(ON_COPY) -n $(WORKERS) --dist worksteal --ignore tests/page $(addprefix --ignore ,$(PLAIN_TESTS))

# Apart, for the driver of the browser keeps an event loop running.
test-browser: $(VENV)/.ready $(PAGE) $(SITE) browser
	$(PYTEST) -n $(WORKERS) --dist worksteal tests/page

test: export WELLIES_NOT_TESTED := $(CURDIR)/$(NOT_TESTED)
test: begin-test build-all agree test-units test-python test-browser ## run all tests; says at the end what was not tested, and why
	@cat $(NOT_TESTED)

.PHONY: begin-test build-all
begin-test:
	@mkdir -p build && : > $(NOT_TESTED)

# The engine is compiled while the page is built. Whatever fails here is told by the part of the tests that needs it.
build-all: $(VENV)/.ready
	@$(BIN)/python -c '$(CAN_COMPILE)' && $(MAKE) --no-print-directory $(COMPILED)/.ready >/dev/null 2>&1 & \
	$(MAKE) --no-print-directory $(PAGE) $(SITE) >/dev/null 2>&1; wait

# Types of the page are checked here only if the page or its types have changed since they were last found right.
build/page-types: web/node_modules/.ready $(WEB) $(wildcard web/schemas/*.json)
	cd web && npm run --silent types -- --check && npm run --silent check
	@mkdir -p build && touch $@

quick: $(VENV)/.ready build/page-types ## lint, types, and the tests of engine, matches and tables: less than a minute
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/pytest -n $(JOBS) tests/core tests/match tests/table tests/contract tests/test_golden.py tests/test_structure.py

lint: $(VENV)/.ready web/node_modules/.ready ## check style and formatting
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	cd web && npm run --silent lint

types: $(VENV)/.ready web/node_modules/.ready ## check the types of Python and of the page, strictly
	$(BIN)/mypy
	cd web && npm run --silent types -- --check && npm run --silent check

audit: $(VENV)/.ready ## look for known faults in what we depend on, and for secrets in what we publish
	@$(BIN)/python scripts/audit.py

schemas: $(VENV)/.ready web/node_modules/.ready ## write the page's types again, from the server's
	$(BIN)/wellies schemas web/schemas
	cd web && npm run --silent types

screens: $(VENV)/.ready ## draw the screens in docs/terminal-screens.md again
	$(BIN)/python scripts/terminal_screens.py

layouts: $(VENV)/.ready ## write the actions and observations in docs/research-layouts.md again
	$(BIN)/python scripts/research_layouts.py

pictures: $(VENV)/.ready $(PAGE) browser ## take the pictures in docs/pictures again
	$(BIN)/python scripts/screenshots.py

check: lint types audit test ## lint, types, audit and all tests; CI does the same, and lacks nothing (.ci/run)

# SOAK is the number of random games of each kind; other numbers (kills, games on the page) follow from it.
soak: $(VENV)/.ready $(PAGE) $(SITE) browser ## the proofs that take hours: thousands of random games, hundreds of kills and of games on the page
	WELLIES_SOAK=$(SOAK) $(BIN)/pytest -n $(JOBS) tests/soak
	WELLIES_SOAK=$$(($(SOAK) / 10)) $(BIN)/pytest -n $(JOBS) tests/games/marram/test_marram_oracle.py
	WELLIES_SOAK=$(SOAK) $(BIN)/pytest -n $(JOBS) tests/contract tests/bots/test_no_peeking.py tests/bots/test_levels.py tests/bots/test_guides.py \
	  tests/bots/test_cluster.py tests/cli/test_screens.py
	WELLIES_SOAK=$$(($(SOAK) / 10)) $(BIN)/pytest -n $(JOBS) tests/server/test_security.py tests/server/test_channels.py
	WELLIES_SOAK=$(SOAK) $(BIN)/pytest -n $(JOBS) tests/local/test_two_tabs.py tests/local/test_whole_games.py
	WELLIES_KILLS=$$(($(SOAK) / 4)) $(BIN)/pytest -n $(JOBS) tests/server/test_kills.py
	WELLIES_SOAK=$$(($(SOAK) / 10)) $(BIN)/pytest tests/server/test_network.py tests/server/test_disk.py tests/server/test_load.py
	cd tests && ../$(BIN)/python -m simulation --seeds $(SIMULATIONS)
	WELLIES_FUZZ=$$(($(SOAK) * 50)) $(BIN)/pytest -s tests/server/test_fuzz.py
	WELLIES_INTERRUPTS=$$(($(SOAK) / 4)) $(BIN)/pytest tests/cli/test_interrupts.py
	WELLIES_SOAK=$(SOAK) $(BIN)/pytest -n $(JOBS) tests/page
	$(MAKE) agree OPTIMISE=3

bench: $(VENV)/.ready ## how fast each game plays at random
	@for game in $$($(BIN)/python -c 'import wellies; print(*wellies.list_games())'); do $(BIN)/python bench/playouts.py $$game; done

LOCK := uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q
lock: ## pin the newest versions of all dependencies, and the same versions for the container image
	$(BIN)/$(LOCK) pyproject.toml --extra dev --upgrade -o requirements.lock
	$(BIN)/$(LOCK) pyproject.toml --extra scale --constraint requirements.lock -o requirements-server.lock
	printf 'setuptools\nmypy\n' | $(BIN)/$(LOCK) - --constraint requirements.lock -o requirements-build.lock

image: $(VENV)/.ready ## build the container image, start it and play a move; without Docker it needs root and debootstrap
	$(BIN)/python scripts/check_image.py

clean: interpreted ## remove all that was installed or built
	rm -rf $(VENV) web/node_modules src/wellies/server/page tests/output build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis src/*.egg-info
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
