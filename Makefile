# Kardan: `make run` opens the modeler, `make test` checks everything. Both do all the set-up themselves.
PY := .venv/bin/python
XVFB := xvfb-run --auto-servernum --server-args="-screen 0 1600x1000x24"

.PHONY: run test coverage lint bench abuse audit screenshots clean setup-run setup-test
.DEFAULT_GOAL := run

run: setup-run
	@$(PY) main.py

test: lint
	@sh .ci/test

# How much of rotations and engine the tests reach; tracing makes them half as long again, so it is not part of `test`.
coverage: setup-test
	@$(PY) -m coverage run -m pytest tests/engine tests/rotations
	@$(PY) -m coverage report --fail-under=90

lint: setup-test
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy
	@.venv/bin/lint-imports --no-cache

bench: setup-test
	@$(PY) -m bench

abuse: setup-test
	@QT_QPA_PLATFORM=xcb $(XVFB) $(PY) -m tests.abuse

audit: setup-test
	@sh .ci/audit

screenshots: setup-test
	@QT_QPA_PLATFORM=xcb $(XVFB) $(PY) -m docs.make_screenshots
	@QT_QPA_PLATFORM=xcb $(XVFB) $(PY) -m docs.make_orientation_pictures
	@QT_QPA_PLATFORM=xcb $(XVFB) $(PY) -m docs.make_animation

setup-run:
	@sh .ci/setup run

setup-test:
	@sh .ci/setup test

clean:
	rm -rf .venv out build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
