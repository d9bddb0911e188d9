# Each target sets up what it needs on a fresh machine; see scripts/bootstrap.sh.
PY := .venv/bin/python
# One test more beside each other than there are processors, as those of real programs mostly wait; each worker loads the
# models by itself, hence the limit.
BESIDE := -n $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1) --maxprocesses 8 --dist worksteal
# Where the environment forbids it, Python would compile every module again in every process that a test starts.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo app test unit golden lab-test weights fuzz lint bench benchall consumers matrix pictures schemas help

help:            ## what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: setup-app  ## record, parse, explain, export, check and replay a real demonstration, all by itself
	$(PY) -m demopack quickstart --out out/quickstart

app: setup-app   ## open the app
	$(PY) -m demopack

test: setup-test ## every test
	$(PY) -m pytest tests $(BESIDE) --durations=15

unit: setup-test ## the tests that need no screen
	$(PY) -m pytest tests/unit $(BESIDE)

lab-test: setup-test ## the tests of the laboratory, which makes and measures the weights
	$(PY) -m pytest lab/tests $(BESIDE) --durations=15

golden: setup-test ## what must not change: packs, exports, prompts, scores, reports, libraries, against frozen files
	$(PY) -m pytest tests/golden $(BESIDE)

SIZE := full
weights: setup-test ## make the models' weights from nothing: screens, trainings, evaluation, cards; SIZE=tiny tries every stage
	$(PY) -m lab weights --size $(SIZE) -o out/weights-$(SIZE) $(if $(SEED),--seed $(SEED))

fuzz: setup-test ## 2,000 damaged packs, 500 damaged libraries and new examples: no crash, no hang, nothing out of reach
	DEMOPACK_TEST_EXPLORE=1 $(PY) -m pytest tests -m hypothesis $(BESIDE)
	$(PY) -m tests.fuzz.run --packs 2000 --libraries 500

lint: setup-test ## style, types for all three systems, layers
	@$(MAKE) --no-print-directory --keep-going -j2 $(WHOLE) lint-pyright lint-mypy lint-pyright-Windows lint-mypy-win32 \
	lint-pyright-Darwin lint-mypy-darwin lint-style lint-layers

# Two at a time; what each of them says stays together where make can see to it.
WHOLE := $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
.PHONY: lint-pyright lint-mypy lint-style lint-layers lint-pyright-Windows lint-pyright-Darwin lint-mypy-win32 lint-mypy-darwin
# What people install is checked as on Windows and macOS, too; the laboratory runs on Linux.
PRODUCT := demopack demopack_cli recorder annotator models player tasks
lint-pyright:
	.venv/bin/pyright
lint-mypy:
	.venv/bin/mypy
lint-pyright-Windows lint-pyright-Darwin: lint-pyright-%:
	.venv/bin/pyright --pythonplatform $* $(PRODUCT)
# A cache for each system: of one for all, each run would throw away what the other had learned.
lint-mypy-win32 lint-mypy-darwin: lint-mypy-%:
	.venv/bin/mypy --platform $* --cache-dir .mypy_cache/$* $(PRODUCT:%=-p %)
lint-style:
	.venv/bin/ruff format --check .
	.venv/bin/ruff check --no-cache .
lint-layers:
	.venv/bin/lint-imports

bench: setup-test ## measure the editor, beside others and against its limits
	$(PY) benchmarks/editor_table.py

benchall: setup-test ## every benchmark, one after the other; goes on when one is over its limit
	@over=""; for file in benchmarks/bench_*.py lab/benchmarks/bench_*.py; do echo "== $$file"; $(PY) $$file || over="$$over $$file"; done; \
	if [ -n "$$over" ]; then echo "over a limit, or broken:$$over"; exit 1; fi

consumers: setup-test ## read each first-class format with the program that it is for, each in its own environment; ONLY="NAME ..."
	$(PY) benchmarks/consumers/try_all.py $(ONLY) -o out/consumers.md

matrix: setup-test ## record and replay on desktops of every scale, with one and two monitors; takes about half an hour
	$(PY) benchmarks/desktop_matrix.py

pictures: setup-test ## render the pictures in docs/pictures again
	$(PY) docs/make_pictures.py

schemas: setup-test ## write assets/schema again from the models
	$(PY) scripts/write_schemas.py

.PHONY: setup-app setup-test
setup-app:
	@sh scripts/bootstrap.sh app
setup-test:
	@sh scripts/bootstrap.sh test
