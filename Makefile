# Everything runs in an environment of its own, made on first use.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	touch $@

.PHONY: install models demo test test-training test-floors lint-page bench docs refresh-docs release clean
install: $(VENV)/.installed

# What the neural resolver needs, and its English weights, which lie in this checkout as packages of their own.
models: $(VENV)/.models
$(VENV)/.models: $(VENV)/.installed $(wildcard models/en/pyproject.toml models/en/referee_coref_en/* models/link-en/referee_coref_link_en/*)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[resolve]' ./models/en ./models/link-en
	$(BIN)/referee models test
	touch $@

demo: models
	$(BIN)/referee score src/referee/sample/key.conll src/referee/sample/alpha.conll
	@echo
	$(BIN)/referee score src/referee/sample/key.conll src/referee/sample/alpha.conll src/referee/sample/beta.conll --by genre
	@echo
	$(BIN)/referee resolve src/referee/sample/story.txt --resolver neural

# Where no bytecode is kept, each of the processes that the tests start would compile the house anew.
test test-training: export PYTHONDONTWRITEBYTECODE :=
test: models
	$(BIN)/ruff format --check src tests bench scripts models
	$(BIN)/ruff check src tests bench scripts models
	$(BIN)/mypy
	@if command -v npm >/dev/null && $(MAKE) --silent $(BIOME); then $(MAKE) --silent lint-page; \
	else echo "pages, scripts and styles are not judged by Biome and axe: that needs npm and a registry"; fi
	$(BIN)/python -m pytest -n auto --dist worksteal

# What judges pages, scripts and styles: fetched once, into a folder that git ignores.
BIOME := .npm/node_modules/.bin/biome
$(BIOME): Makefile
	npm install --silent --no-save --no-package-lock --prefix .npm @biomejs/biome@2.6.6 axe-core@4.14.0
	touch $@

lint-page: $(BIOME)
	$(BIOME) ci --error-on-warnings src/referee/page docs/site

# All that needs torch, onnx or evaluate: tests/training, its doctests, tests/adaptors, and the pages' commands that
# train. On Linux the usual registry's torch may bring gigabytes for GPUs; another version or build is named by TORCH=….
TRAINING := .venv-training
TORCH    ?= torch==2.13.0
$(TRAINING)/.installed: pyproject.toml
	$(PYTHON) -m venv $(TRAINING)
	$(TRAINING)/bin/python -m pip install --quiet --disable-pip-version-check "$(TORCH)" \
	  --editable '.[train,resolve,plot,serve]' "evaluate>=0.4" "torchmetrics>=1.4" \
	  "pytest>=8" "hypothesis>=6.100" "pytest-xdist>=3.6"
	touch $@

# One test on each core: networks this small are many times slower on several threads.
ONE_THREAD := OMP_NUM_THREADS=1 $(TRAINING)/bin/python
test-training: $(TRAINING)/.installed
	$(TRAINING)/bin/python -c "import evaluate, torch, torchmetrics, onnx, onnxruntime, safetensors, tokenizers, matplotlib"
	$(ONE_THREAD) -m pytest -n auto --dist loadfile -rs src/referee/training tests/training tests/adaptors
	$(ONE_THREAD) -m pytest -n auto -rs tests/test_docs_commands.py -k "(train or export or my-model or teacher) and not store"

# The oldest versions that pyproject.toml allows, and the tests of numbers: an old library must not count otherwise.
FLOORS := .venv-floors
$(FLOORS)/.installed: pyproject.toml .ci/floors
	$(PYTHON) -m venv $(FLOORS)
	$(FLOORS)/bin/python .ci/floors > $(FLOORS)/floors.txt
	$(FLOORS)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(FLOORS)/floors.txt \
	  --editable . pytest hypothesis
	touch $@

test-floors: $(FLOORS)/.installed
	$(FLOORS)/bin/python -m pytest src/referee/arrays.py src/referee/metrics tests/metrics tests/scoring tests/comparing tests/analysis

# The corpora are not part of the project: make bench DATA=folder
bench: install
	$(BIN)/python bench/start.py --check
	$(BIN)/python bench/costs.py --check
	@for name in scoring spans crossdoc comparison errors report fuzz; do \
	  echo "== $$name"; $(BIN)/python bench/$$name.py $(DATA) --check || exit 1; \
	done

# The pages as a site, to be opened from build/site/index.html; a warning is an error.
docs: models
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "open build/site/index.html"

# Writes the outputs and pictures that the pages show again; look at the difference before it is committed.
refresh-docs: models
	$(BIN)/python scripts/refresh_docs.py
	$(BIN)/python scripts/draw_pictures.py
	PYTHONPATH=tests $(BIN)/python scripts/take_screenshots.py
	$(BIN)/python scripts/run_notebook.py

# make release VERSION=x.y.z: the new version, its part of the changelog, and the pages that show it; the
# README's citation is for you to change, and a test asks for it.
release: install
	$(BIN)/python scripts/join_changelog.py "$(VERSION)"
	$(BIN)/python scripts/refresh_docs.py
	$(BIN)/python scripts/run_notebook.py

clean:
	rm -rf $(VENV) $(TRAINING) $(FLOORS)
