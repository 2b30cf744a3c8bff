# What is checked, and how. `make check` is what CI runs.

.PHONY: check format lint test docs licences torture bench load python

check: format lint test docs

format:
	cargo fmt --all --check

lint:
	cargo clippy --workspace --all-targets -- -D warnings

test:
	cargo test --workspace

docs:
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# The licences of all that is part of the program; needs cargo-about: cargo install --locked --features cli cargo-about
# Texts are taken from the crates, not from the network, so the same crates give the same file.
LICENCES ?= THIRD-PARTY.md
licences:
	cargo fetch --locked
	cargo about generate --frozen --fail --manifest-path crates/tabwise-cli/Cargo.toml --config tools/licences/about.toml \
		--output-file $(LICENCES) tools/licences/third-party.hbs

# About TORTURE minutes: hostile and changed files through a server and through the program, the largest table, an ordinary client
# beside hostile ones, changed bits in models, and the targets of fuzz/: with random bytes, and guided by coverage where cargo-fuzz is
# installed. Coverage needs flags that a stable compiler has only with RUSTC_BOOTSTRAP, and SQLite has constants of the same name,
# which the sanitizer must not mind.
TORTURE ?= 60
PROFILE ?= release
MANY = $(shell expr $(TORTURE) \* 1700)
TARGETS = readers workbooks pages formulas questions models requests
torture:
	cargo build --profile $(PROFILE) --package tabwise-cli
	python3 fuzz/hostile.py target/$(PROFILE)/tabwise
	python3 fuzz/mutate.py target/$(PROFILE)/tabwise server $(MANY)
	python3 fuzz/mutate.py target/$(PROFILE)/tabwise show $(MANY)
	python3 fuzz/mutate.py target/$(PROFILE)/tabwise ask $(shell expr $(TORTURE) \* 100)
	python3 fuzz/largest.py target/$(PROFILE)/tabwise
	python3 fuzz/fair.py target/$(PROFILE)/tabwise 40
	cargo test --profile $(PROFILE) --package tabwise --test bits -- --ignored
	PROPTEST_RNG_SEED=$$(date +%s) PROPTEST_CASES=$(MANY) cargo test --profile $(PROFILE) --package tabwise --package tabwise-server \
		--features tabwise/sources --test reading --test sources --test formulas --test fuzz --test requests
	PROPTEST_RNG_SEED=$$(date +%s) PROPTEST_CASES=$(shell expr $(TORTURE) \* 30) cargo test --profile $(PROFILE) --package tabwise --test sql --test naive
	if cargo fuzz --version; then for target in $(TARGETS); do mkdir -p fuzz/found/$$target; \
		ASAN_OPTIONS=detect_odr_violation=0 RUSTC_BOOTSTRAP=1 cargo fuzz run $$target fuzz/found/$$target fuzz/corpus/readers \
		-- -max_total_time=$(shell expr $(TORTURE) \* 4) -timeout=10 -rss_limit_mb=1024 || exit 1; done; \
		else echo "cargo-fuzz is not installed: no fuzzing guided by coverage"; fi

# DATA=DIR is the folder of the dataset; without it only generated tables and the examples are measured. BENCH=NAME runs
# one benchmark, PROFILE=NAME builds it by another profile. Benchmarks run in the folder of their package, so the path is made
# absolute.
bench:
	cargo bench --profile $(PROFILE) --package tabwise $(if $(BENCH),--bench $(BENCH)) -- $(if $(DATA),--data $(abspath $(DATA)))

# The server under load: ordinary, without the reader, a long table, too much, hostile. DATA=DIR and PROFILE=NAME as above.
load:
	cargo bench --profile $(PROFILE) --package tabwise-cli --bench load -- $(if $(DATA),--data $(abspath $(DATA)))

# The Python package: a wheel, and its tests in an environment of their own.
python:
	tools/python/check
