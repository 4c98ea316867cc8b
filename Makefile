# Each target creates what it needs (virtual environment, packages, Node packages) and says what it does.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NODE_DIR := tests/node
LOCK := requirements-dev.lock
NPM := $(shell command -v npm 2>/dev/null)
CHROMIUM := $(firstword $(foreach name,chromium chromium-browser google-chrome google-chrome-stable,$(shell command -v $(name) 2>/dev/null)))

# Stamps: a file's age says whether the packages are still those that pyproject.toml or package-lock.json ask for.
BASE := $(VENV)/.base-installed
DEV := $(VENV)/.dev-installed
BENCH := $(VENV)/.bench-installed
NODE := $(NODE_DIR)/node_modules/.installed

# Hundreds of tests start a Python of their own; with compiled modules each starts in half the time.
unexport PYTHONDONTWRITEBYTECODE

PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadgroup
QUICK := $(addprefix tests/,wire expr schema engine runtime faults house)

.DEFAULT_GOAL := help
.PHONY: help demo quick test test-full explore lock check check-format check-lint check-pyright check-mypy check-layers golden bench node chromium

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.* ## /{printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(BASE) ## design and prove the table of a task-management application, then use one on the embedded DynamoDB
	@echo "demo: examples/specs/task-management.yaml, designed, proven and priced"
	@$(BIN)/python -m examples.demo

quick: $(DEV) check-format check-lint check-layers ## two minutes: the checks that are fast, and the tests of everything below the architect
	@echo "quick: $(QUICK)"
	@$(PYTEST) $(QUICK)

test: $(DEV) check node chromium ## run the checks, then the tests, among them side by side with ElectroDB on Node
	@echo "test: unit, property, conformance, typing and documentation tests"
	@$(PYTEST)

test-full: $(DEV) check node chromium ## like test, with the slow tests and more generated cases; what CI runs
	@echo "test-full: all tests, the slow ones too, with more generated cases; the same cases in every run"
	@HYPOTHESIS_PROFILE=full $(PYTEST) -m "slow or not slow"

explore: $(DEV) node ## look for new failures: the property tests with other random cases in every run
	@echo "explore: property tests with random cases; a failure prints how to repeat it"
	@HYPOTHESIS_PROFILE=explore $(PYTEST) -m hypothesis

check: $(DEV) ## formatting, lint, types (pyright and mypy, strict) and layer contracts
	@$(MAKE) --no-print-directory -j 2 check-format check-lint check-pyright check-mypy check-layers

check-format: $(DEV)
	@echo "check: format (ruff)"
	@$(BIN)/ruff format --check --quiet .

check-lint: $(DEV)
	@echo "check: lint (ruff)"
	@$(BIN)/ruff check --quiet .

check-pyright: $(DEV)
	@echo "check: types (pyright, strict)"
	@$(BIN)/pyright --warnings

check-mypy: $(DEV)
	@echo "check: types (mypy, strict)"
	@$(BIN)/mypy

check-layers: $(DEV)
	@echo "check: who imports whom (import-linter)"
	@$(BIN)/lint-imports --no-logo

golden: $(DEV) ## solve the specs of tests/golden again and write their designs anew; read the difference
	@echo "golden: designs of tests/golden"
	@$(BIN)/python -m tests.golden

lock: $(DEV) ## pin the development environment anew
	@echo "lock: $(LOCK) from pyproject.toml"
	@$(PIP_INSTALL) uv
	@$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-header --no-annotate --no-emit-index-url \
		--generate-hashes --extra all --extra dev pyproject.toml --output-file $(LOCK)

bench: $(BENCH) node ## compare the CPU time of requests and of whole calls with boto3, PynamoDB, pydynox, ElectroDB and others
	@echo "bench: the same query and update built by every library in one interleaved run, and the cost of the import"
	@$(BIN)/python -m benchmarks
	@echo "bench: the same calls made by every client, against a server with canned answers"
	@$(BIN)/python -m benchmarks calls
	@echo "bench: the embedded engine against moto and dynalite (python -m benchmarks engine --large: up to a million items)"
	@$(BIN)/python -m benchmarks engine
	@echo "bench: how long designs take, for published applications and for generated ones"
	@$(BIN)/python -m benchmarks design

$(BASE): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	@echo "setup: virtual environment in $(VENV) with Tablewright and its dependencies"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP_INSTALL) -e '.[all]'
	@touch $@

# pyright runs on Node; where there is none, its own copy comes with the `nodejs` extra.
$(DEV): $(BASE) $(LOCK)
	@echo "setup: tools for checks and tests, in the versions of $(LOCK)"
	@$(PIP_INSTALL) --require-hashes -r $(LOCK)
	@$(PIP_INSTALL) --no-deps -e .
	$(if $(NPM),,@$(PIP_INSTALL) 'pyright[nodejs]')
	@touch $@

$(BENCH): $(DEV)
	@echo "setup: the libraries to compare with"
	@$(PIP_INSTALL) -e '.[all,dev,bench]'
	@touch $@

ifeq ($(NPM),)
node:
	@echo "setup: Node.js with npm not found; what compares with ElectroDB on Node is skipped"
	@test "$(CI)" != true || { echo "setup: with CI=true that is a failure; install Node.js 20 or newer" >&2; exit 1; }
else
node: $(NODE)
endif

$(NODE): $(NODE_DIR)/package.json $(NODE_DIR)/package-lock.json
	@echo "setup: ElectroDB and the AWS SDK for Node in $(NODE_DIR)"
	@cd $(NODE_DIR) && npm ci --silent
	@touch $@

# Debian and Ubuntu have it as a package, which needs root; elsewhere it is for the user to install.
ifeq ($(CHROMIUM),)
chromium:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "setup: Chromium, to look at the design document with (apt-get)"; \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; \
	fi; \
	command -v chromium >/dev/null || { \
		echo "setup: Chromium not found (apt-get install chromium); nobody looks at the design document in a browser"; \
		test "$(CI)" != true || { echo "setup: with CI=true that is a failure" >&2; exit 1; }; \
	}
else
chromium:
endif
