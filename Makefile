# planloom: `make demo` drafts a plan on the embedded AWS, `make test` runs every check. Both set up what they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PLANS := planloom-plans
# where this is set, every process compiles each module again: 10 s for each worker of the tests
export PYTHONDONTWRITEBYTECODE :=
# a recipe that names $(MAKE) itself would be run by "make -n"
CHECKS = $(MAKE) --no-print-directory check

.PHONY: help setup viewer demo up examples test check check-python check-viewer unit thorough bench lock package clean

help:  ## Show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /  make \1\t/' | expand -t 18

setup: $(VENV)/.installed  ## Install everything into .venv, pinned and with hashes

# uv installs in seconds what takes pip minutes; pip is used if uv has no wheel or cannot download the packages
$(VENV)/.installed: requirements.lock installer.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "planloom needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes --requirement installer.lock \
	  && $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes \
	    --requirement requirements.lock \
	  || $(PIP) --require-hashes --requirement requirements.lock
	$(PIP) --no-build-isolation --no-deps --editable .
	@touch $@

viewer: setup  ## Build the viewer into build/viewer; does nothing without changes
	$(BIN)/python -m infra.build_viewer

demo: setup  ## Draft a plan from an example, without an account or a key; saves report and zip in planloom-plans/
	@$(BIN)/python -m infra.build_viewer || echo 'The viewer was not built. Plans are drafted without it.'
	$(BIN)/planloom draft --example bakery-cafe-lisbon --output $(PLANS)

up: setup viewer  ## Run the service here until Ctrl-C
	$(BIN)/planloom up

examples: setup  ## Draft the example plans on the service that runs with "make up"
	$(BIN)/planloom examples build --local

# The checks run beside the tests. They print only if they fail, so that the closing line of pytest comes last
test: setup viewer  ## Every check and every test
	@mkdir -p build; \
	$(CHECKS) >build/checks.log 2>&1 & checks=$$!; \
	trap 'kill $$checks' INT TERM; \
	$(BIN)/pytest -n 3; tests=$$?; \
	wait $$checks || { cat build/checks.log; echo 'A check failed: its output is above, and "make check" repeats it.'; exit 1; }; \
	exit $$tests

# mypy and npm take a minute each, of one core
check: setup  ## Style, types and layers
	@$(MAKE) --no-print-directory --jobs=2 check-python check-viewer

check-python: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

check-viewer: setup
	$(BIN)/python -m infra.build_viewer --check

unit: setup  ## The tests that open no socket, in a minute
	$(BIN)/pytest -n 2 tests/unit

thorough: setup viewer  ## Every test, and of the long series every case: kills at every stage, every fault, all goals, every role
	PLANLOOM_THOROUGH=1 $(BIN)/pytest -n 3

bench: setup viewer  ## Measure, module by module of bench/ (docs/measurements.md)
	$(BIN)/python -m bench.shape
	$(BIN)/python -m bench.overhead
	$(BIN)/python -m bench.drafting
	$(BIN)/python -m bench.fan_out
	$(BIN)/python -m bench.viewer
	$(BIN)/python -m bench.status
	$(BIN)/python -m bench.many_plans
	$(BIN)/python -m bench.cold_start
	$(BIN)/python -m bench.compute
	$(BIN)/python -m bench.graphs
	$(BIN)/python -m bench.graphs_langgraph
	$(BIN)/python -m bench.graphs_durable
	$(BIN)/python -m bench.operations
	$(BIN)/python -m bench.implementation_check
	$(BIN)/python -m bench.facts
	$(BIN)/python -m bench.facts_speed

lock: setup  ## Pin the packages of pyproject.toml again, with hashes
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --all-extras --no-header --no-annotate \
	  pyproject.toml --output-file requirements.lock

package: setup viewer  ## Build the Lambda bundles for AWS into build/ and print their sizes
	$(BIN)/python -m infra.package

clean:  ## Remove built files; plans and .venv are kept
	rm -rf build cdk.out .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
