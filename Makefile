# Each target sets up what it needs on a fresh machine; see scripts/bootstrap.sh.
PY := .venv/bin/python

.PHONY: demo app test unit lint bench benchall pictures schemas help

help:            ## what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: setup-app  ## record, parse, explain, export, check and replay a real demonstration, all by itself
	$(PY) -m demopack quickstart --out out/quickstart

app: setup-app   ## open the app
	$(PY) -m demopack

test: setup-test ## every test
	$(PY) -m pytest tests --durations=15

unit: setup-test ## the tests that need no screen
	$(PY) -m pytest tests/unit

lint: setup-test ## style, types, layers
	.venv/bin/ruff format --check .
	.venv/bin/ruff check --no-cache .
	.venv/bin/lint-imports
	.venv/bin/mypy
	.venv/bin/pyright

bench: setup-test ## measure the editor, beside others and against its limits
	$(PY) benchmarks/editor_table.py

benchall: setup-test ## every benchmark, one after the other; goes on when one is over its limit
	@over=""; for file in benchmarks/bench_*.py; do echo "== $$file"; $(PY) $$file || over="$$over $$file"; done; \
	if [ -n "$$over" ]; then echo "over a limit, or broken:$$over"; exit 1; fi

pictures: setup-test ## render the pictures in docs/pictures again
	$(PY) docs/make_pictures.py

schemas: setup-test ## write assets/schema again from the models
	$(PY) scripts/write_schemas.py

.PHONY: setup-app setup-test
setup-app:
	@sh scripts/bootstrap.sh app
setup-test:
	@sh scripts/bootstrap.sh test
