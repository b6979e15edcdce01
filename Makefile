# Two commands: `make run` starts the system with a demo, `make test` checks everything.
SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
WORKERS ?= 2
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: run test check clean lock

run: $(VENV)/run.stamp
	@echo "== database: migrations"
	@honcho start --no-prefix release
	@echo "== demo: corpus, candidates, accounts (what is there stays)"
	@dataspace demo
	@echo "== starting web and worker; open http://127.0.0.1:$(PORT) and stop with Ctrl+C"
	@PORT=$(PORT) honcho start --no-prefix web worker

test: $(VENV)/test.stamp
	@echo "== what the tests need: a Chromium, a PostgreSQL"
	@python tests/prepare.py
	@echo "== format and lint"
	@ruff format --check .
	@ruff check .
	@echo "== types"
	@mypy
	@echo "== imports"
	@lint-imports
	@echo "== schema against migrations"
	@python tests/schema_check.py
	@echo "== tests, $(WORKERS) at a time"
	@pytest -n $(WORKERS) --dist loadgroup

$(VENV)/python.stamp:
	@found=; for name in python3.13 python3.12 python3.11 python3.14 python3 python; do \
	  if command -v $$name >/dev/null && $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$name; break; fi; \
	done; \
	if [ -z "$$found" ]; then echo "dataspace: install Python 3.11 or newer (Debian: apt install python3 python3-venv)" >&2; exit 1; fi; \
	echo "== environment: $$($$found --version) in $(VENV)"; \
	$$found -m venv $(VENV) || { echo "dataspace: install Python's venv module (Debian: apt install python3-venv)" >&2; exit 1; }
	@touch $@

$(VENV)/run.stamp: $(VENV)/python.stamp pyproject.toml constraints.txt
	@echo "== installing the pinned packages (once)"
	@python -m pip install --quiet --constraint constraints.txt --editable . || { echo "dataspace: the packages could not be installed; check the network, then run make again" >&2; exit 1; }
	@touch $@

$(VENV)/test.stamp: $(VENV)/python.stamp pyproject.toml constraints.txt
	@echo "== installing the pinned packages and those of the tests (once)"
	@python -m pip install --quiet --constraint constraints.txt --editable '.[test]' || { echo "dataspace: the packages could not be installed; check the network, then run make again" >&2; exit 1; }
	@touch $@ $(VENV)/run.stamp

# Pins anew from the ranges in pyproject.toml.
lock:
	@rm -rf $(VENV)-lock && python3 -m venv $(VENV)-lock
	@$(VENV)-lock/bin/python -m pip install --quiet --editable '.[test]'
	@$(VENV)-lock/bin/python -m pip freeze --exclude-editable > constraints.txt
	@rm -rf $(VENV)-lock

clean:
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache dist build
