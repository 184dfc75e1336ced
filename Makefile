PYTHON ?= python
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c

.PHONY: fidelity
# Compares the trees with those of the original programs, and prints the table alone.
# ARGS go to pytest: make fidelity ARGS="-v -n 2"
fidelity:
	@$(PYTHON) -m pytest -m fidelity -q --no-header --tb=short $(ARGS) \
	  | sed -n -E '/^(=+ (ERRORS|fidelity to the original programs) =|INTERNALERROR)/,$$p'
