# make demo   triples for a sample text
# make test   every test
# make        the program, as ./diffie
# make asan, make tsan, make test-train, make test-arm64: the sanitizers, the trainer, 64-bit ARM
# make bench  the goals of speed and what is measured for them; BENCH='--peers --megabytes 1000' for all of it

SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -ec
BUILD := build/release
JOBS := $(shell nproc)
export CMAKE_CXX_COMPILER_LAUNCHER := ccache

.PHONY: all bench demo test test-train test-arm64 asan tsan format deps clean

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

demo: build-cli
	@scripts/demo.sh

test: deps | $(BUILD)/build.ninja
	@cmake --build --preset release -j $(JOBS)
	@ln -sf $(BUILD)/diffie diffie
	@ctest --preset release -j $(JOBS)

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

asan tsan: deps
	@cmake --preset $@ && cmake --build --preset $@ -j $(JOBS) && ctest --preset $@ -j $(JOBS)

# Needs the files of CaRB dev; docs/performance.md says more.
bench: deps
	@scripts/install-deps.sh libbenchmark-dev python3
	@mkdir -p build
	@cmake --preset release -DDIFFIE_BENCH=ON > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
	@cmake --build --preset release -j $(JOBS) --target diffie_cli ops_bench | { grep -v 'no work to do' || true; }
	@scripts/bench/table.py $(BENCH)

format:
	@git ls-files '*.h' '*.cpp' | xargs clang-format -i

clean:
	@rm -rf build diffie
