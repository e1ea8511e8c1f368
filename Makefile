# make demo   triples for a sample text
# make test   every test
# make        the program, as ./diffie; make lab: score, eval, bench, sweep, rank and data too
# make serve  the server with the small model; make test-server: its tests, in a browser too
# make check  what must pass before a change lands: test, check-format, test-arrow, test-formats, test-python, test-server, no-icu, fuzz; besides: test-spark, asan, tsan
# make test-formats  every output format read back by the programs it is for
# make test-python  the Python package, as pip installs it; make test-wheels: its wheels
# make test-spark  Spark, Ray, DuckDB and Beam over the Python package, with executors and actors killed
# make test-train, make test-arm64, make asan-all: the trainer, 64-bit ARM, sanitizers over everything
# make arrow  what reads and writes Parquet and Arrow files, from PyPI into build/arrow; make test-arrow: its tests
# make package  a .deb and a .tar.gz, in build/package; make test-packages: that, Conan, vcpkg, Homebrew, the image
# make coverage  which lines the tests run, room by room (docs/reliability.md)
# make soak, make asan-server, make tsan-server  the server for an hour, and under sanitizers
# make fuzz, make faults  any input; lack of memory and threads, files that fail, kills (docs/reliability.md)
# make mutation  small changes of diffusion, extract and the scorers, and which of them the tests notice (docs/reliability.md)
# make bench  the goals of speed and what is measured for them; BENCH='--peers --megabytes 1000' for all of it

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -ec
BUILD := build/release
JOBS := $(shell nproc)
empty :=
space := $(empty) $(empty)
# Cached by path inside the checkout, so that a second one builds as fast.
export CMAKE_CXX_COMPILER_LAUNCHER := ccache
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := true

.PHONY: all arrow asan asan-all asan-server bench check check-format clean coverage demo deps faults format fuzz fuzz-corpus lab mutation no-icu package serve server soak test test-arm64 test-arrow test-formats test-packages test-python test-server test-spark test-train test-wheels tsan tsan-server

all: diffie

deps:
	@scripts/install-deps.sh

$(BUILD)/build.ninja: | deps
	@mkdir -p build
	@cmake --preset release > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }

build-cli: deps | $(BUILD)/build.ninja
	@cmake --build --preset release --target diffie_cli -j $(JOBS) | { grep -v 'no work to do' || true; }
	@ln -sf $(BUILD)/diffie diffie
.PHONY: build-cli

diffie: build-cli

lab: build-cli
	@cmake --build --preset release --target diffie_lab_cli -j $(JOBS) | { grep -v 'no work to do' || true; }

# Boost's headers, which nothing else needs, are found when CMake configures again.
server: deps
	@scripts/install-deps.sh libboost-dev
	$(call build,release,diffie_cli diffie_server_cli)
	@ln -sf $(BUILD)/diffie diffie

serve: server
	@./diffie serve --model small

test-server: server
	@scripts/install-deps.sh chromium python3-venv
	$(call build,release,server_test)
	@ctest --preset release -R '^server$$'
	@tests/server/run.sh

# An hour of clients of every kind on this machine, then SIGTERM; nothing else should run. SOAK_SECONDS for less.
soak: server
	@SOAK_SECONDS=$(or $(SOAK_SECONDS),3600) python3 tests/server/soak.py

# The server's tests, but those of the page, against one with sanitizers; half an hour each.
SANITIZED := api hostile lifecycle limits origin
asan-server tsan-server: deps
	@scripts/install-deps.sh libboost-dev python3-venv
	$(call build,$@,diffie_cli diffie_server_cli server_test)
	@ctest --preset $@
	@DIFFIE_SERVER=$(CURDIR)/build/$@/diffie-server DIFFIE=$(CURDIR)/build/$@/diffie DIFFIE_TEST_PATIENCE=10 \
	  UBSAN_OPTIONS=halt_on_error=1 TESTS='$(SANITIZED:%=tests/server/%_test.py)' tests/server/run.sh

demo: build-cli
	@scripts/demo.sh

test: deps | $(BUILD)/build.ninja
	@cmake --build --preset release -j $(JOBS)
	@ln -sf $(BUILD)/diffie diffie
	@ctest --preset release -j $(JOBS)

# The Python package, installed by pip into build/venv with what its tests need.
test-python: deps
	@scripts/install-deps.sh python3-dev python3-venv
	@tests/python/run.sh

test-wheels: test-python
	@tests/python/wheels.sh

# Arrow C++ stands in the wheel of pyarrow; found there when CMake configures again.
arrow: build/arrow/installed
build/arrow/installed: cmake/arrow-requirements.txt
	@scripts/install-deps.sh python3-venv
	@rm -rf build/arrow && python3 -m venv build/arrow/venv
	@scripts/pip-install.sh build/arrow/venv/bin/python $< --no-deps --target build/arrow
	@touch $@

# Parquet and Arrow files.
test-arrow: deps arrow
	$(call build,release,diffie_cli)
	@ctest --preset release -R '^tables$$'

# The trainer's tests; needs Debian's LibTorch (0.5 GB), which nothing else does.
test-train: deps
	@scripts/install-deps.sh libtorch-dev libopenblas0-openmp libtomlplusplus-dev
	@cmake --preset train && cmake --build --preset train -j $(JOBS) --target train_files_test train_modules_test train_run_test
	@ctest --preset train -R '^train_'

# The kernels and models of 64-bit ARM: cross-compiled, run under qemu.
test-arm64: deps
	@dpkg --print-foreign-architectures | grep -qx arm64 || dpkg --add-architecture arm64
	@scripts/install-deps.sh g++-aarch64-linux-gnu qemu-user $(addsuffix :arm64,libfmt-dev libgtest-dev libgmock-dev libstemmer-dev libssl-dev libicu-dev)
	@cmake --preset arm64 && cmake --build --preset arm64 -j $(JOBS) --target ops_test model_test diffie_cli
	@ctest --preset arm64

# Every output format read back by its consumers, from PyPI in a virtual environment.
FORMATS_VENV := build/venv-formats
$(FORMATS_VENV)/ready: tests/formats/requirements.txt
	@scripts/install-deps.sh python3-venv
	@python3 -m venv $(FORMATS_VENV) && scripts/pip-install.sh $(FORMATS_VENV)/bin/python $< && touch $@

test-formats: build-cli $(FORMATS_VENV)/ready
	@DIFFIE=$(abspath $(BUILD)/diffie) $(FORMATS_VENV)/bin/python -m pytest -q -p no:cacheprovider tests/formats

# The Python package on clusters of processes; 0.6 GB of packages go to build/scale.
SCALE := build/scale
test-spark: deps
	@scripts/install-deps.sh openjdk-17-jre-headless python3-venv python3-dev
	@[ -x $(SCALE)/bin/pip ] || python3 -m venv $(SCALE)
	@scripts/pip-install.sh $(SCALE)/bin/python tests/scale/requirements.txt
	@CC=cc CXX=c++ $(SCALE)/bin/pip install -q --disable-pip-version-check --no-deps .
	@cd tests/scale && SPARK_LOCAL_IP=127.0.0.1 SPARK_LOCAL_HOSTNAME=localhost $(CURDIR)/$(SCALE)/bin/python -m pytest -q -p no:cacheprovider $(SCALE_TESTS)

# dpkg-dev finds the packages that the .deb depends on.
package: deps
	@scripts/install-deps.sh dpkg-dev file libboost-dev
	@cmake --preset package && cmake --build --preset package -j $(JOBS)
	@cpack --config build/package/CPackConfig.cmake -B build/package
	@tests/install/package_test.sh build/package/diffie_*.deb

# Every kind of package, built and used; half an hour where nothing is built yet. As root.
test-packages: package
	@tests/install/formula_test.sh
	@tests/install/conan_test.sh
	@tests/install/vcpkg_test.sh
	@tests/install/image_test.sh

# Configures and builds a preset quietly: $(call build,PRESET,TARGETS)
define build
	@mkdir -p build
	@cmake --preset $(1) > build/configure-$(1).log 2>&1 || { cat build/configure-$(1).log; exit 1; }
	@cmake --build --preset $(1) -j $(JOBS) $(addprefix --target ,$(2)) > build/build-$(1).log 2>&1 || { cat build/build-$(1).log; exit 1; }
	@tail -n 1 build/build-$(1).log
endef

check:
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory check-format
	@$(MAKE) --no-print-directory test-arrow
	@$(MAKE) --no-print-directory test-formats
	@$(MAKE) --no-print-directory test-python
	@$(MAKE) --no-print-directory test-server
	@$(MAKE) --no-print-directory no-icu
	@$(MAKE) --no-print-directory fuzz

# Address and undefined-behaviour sanitizers: what reads text and files and puts it all together.
ASAN_TESTS := base text input files checksums settings model_dir extract engine output arrow capi corrupt faults
asan: deps
	$(call build,asan,$(addsuffix _test,$(ASAN_TESTS)))
	@ctest --preset asan -j $(JOBS) -R '^($(subst $(space),|,$(ASAN_TESTS)))$$'

# The same over everything, kernels and lab too; takes half an hour.
asan-all: deps
	$(call build,asan-all,)
	@ctest --preset asan-all -j $(JOBS)

# Memory, threads, files and processes that fail wherever they are asked for; under the sanitizers nothing leaks. Every
# FAULT_STRIDE-th allocation of C.
FAULT_STRIDE := 1
FAULT_TESTS := corrupt faults io_faults
faults: deps
	$(call build,release,$(addsuffix _test,$(FAULT_TESTS)))
	$(call build,asan,$(addsuffix _test,$(FAULT_TESTS)))
	@DIFFIE_FAULT_STRIDE=$(FAULT_STRIDE) ctest --preset release -R '^($(subst $(space),|,$(FAULT_TESTS)))$$'
	@ctest --preset asan -R '^($(subst $(space),|,$(FAULT_TESTS)))$$'

# The product's lines and the weights reader's branches that the tests run; fails where they are too few. The tests and
# the lab are compiled as in a release, so that ccache has them; DIFFIE_COVERAGE=all in build/coverage counts the lab, too.
coverage: deps arrow
	@scripts/install-deps.sh libboost-dev python3-venv
	$(call build,coverage,)
	@scripts/coverage/run.sh

# Each target for FUZZ_SECONDS, or until its executions reach FUZZ_RUNS (fuzz/run.sh), over
# fuzz/corpus and build/fuzz/corpus, where new inputs are kept. `make fuzz-corpus` takes over what
# reaches more of the code.
FUZZ_TARGETS := $(basename $(notdir $(wildcard fuzz/*.cpp)))
export FUZZ_SECONDS FUZZ_RUNS FUZZ_JOBS
fuzz: deps arrow
	@scripts/install-deps.sh clang libclang-rt-14-dev libboost-dev
	$(call build,fuzz,fuzz_all)
	@fuzz/run.sh $(FUZZ_TARGETS)

fuzz-corpus:
	@fuzz/merge.sh $(FUZZ_TARGETS)

# Every mutant of three folders against the folder's tests; MUTATION='--again' for those that lived the last time.
MUTATION_VENV := build/mutation/venv
$(MUTATION_VENV)/ready: scripts/mutation/requirements.txt
	@scripts/install-deps.sh python3-venv
	@python3 -m venv $(MUTATION_VENV) && scripts/pip-install.sh $(MUTATION_VENV)/bin/python $< && touch $@

mutation: deps $(MUTATION_VENV)/ready
	@cmake --preset release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	$(call build,release,diffusion_test extract_test score_test)
	@$(MUTATION_VENV)/bin/python -B tests/mutation/mutation_test.py
	@nice $(MUTATION_VENV)/bin/python -B scripts/mutation/run.py $(MUTATION)

# Thread sanitizer: what has threads.
tsan: deps
	$(call build,tsan,base_test engine_test capi_test)
	@ctest --preset tsan -R '^(base|engine|capi)$$'

no-icu: deps
	$(call build,no-icu,diffie_cli text_test cli_test)
	@ctest --preset no-icu -R '^(text|cli)$$'

# Needs the files of CaRB dev; docs/performance.md says more.
bench: deps
	@scripts/install-deps.sh libbenchmark-dev python3
	@mkdir -p build
	@cmake --preset release -DDIFFIE_BENCH=ON > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	@cmake --build --preset release -j $(JOBS) --target diffie_cli diffie_lab_cli ops_bench | { grep -v 'no work to do' || true; }
	@scripts/bench/table.py $(BENCH)

SOURCES := find apps bench fuzz include python src tests -name '*.h' -o -name '*.cpp'
format:
	@scripts/install-deps.sh clang-format-14
	@$(SOURCES) | xargs clang-format-14 -i

check-format:
	@scripts/install-deps.sh clang-format-14
	@$(SOURCES) | xargs clang-format-14 --dry-run -Werror && echo 'format: all as it should be'

clean:
	@rm -rf build diffie
