# What is checked, and how. `make check` is what CI runs.

.PHONY: check format lint test docs torture bench load python

check: format lint test docs

format:
	cargo fmt --all --check

lint:
	cargo clippy --workspace --all-targets -- -D warnings

test:
	cargo test --workspace

docs:
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# About an hour: changed files through a server and through `show table`, an ordinary client beside hostile ones, the targets of
# fuzz/ guided by coverage where cargo-fuzz and a nightly compiler are installed, and with random bytes everywhere.
# TORTURE_FILES=DIR adds the small files of a folder, SECONDS is the time for each target.
SECONDS ?= 240
TARGETS = readers workbooks pages formulas questions models requests
torture:
	cargo build --release --package tabwise-cli
	python3 fuzz/mutate.py target/release/tabwise server 100000
	python3 fuzz/mutate.py target/release/tabwise show 100000
	python3 fuzz/fair.py target/release/tabwise 60
	PROPTEST_RNG_SEED=$$(date +%s) PROPTEST_CASES=100000 cargo test --release --package tabwise --test reading --test formulas --test fuzz
	PROPTEST_RNG_SEED=$$(date +%s) PROPTEST_CASES=2000 cargo test --release --package tabwise --test sql --test naive
	if cargo +nightly fuzz --version; then for target in $(TARGETS); do \
		cargo +nightly fuzz run $$target -- -max_total_time=$(SECONDS) -timeout=10 -rss_limit_mb=1024 || exit 1; done; \
		else echo "cargo-fuzz is not installed: no fuzzing guided by coverage"; fi

# DATA=DIR is the folder of the dataset; without it only generated tables and the examples are measured. BENCH=NAME runs
# one benchmark. Benchmarks run in the folder of their package, so the path is made absolute.
bench:
	cargo bench --package tabwise $(if $(BENCH),--bench $(BENCH)) -- $(if $(DATA),--data $(abspath $(DATA)))

# The server under load: ordinary, a long table, too much, hostile. DATA=DIR as above.
load:
	cargo bench --package tabwise-cli --bench load -- $(if $(DATA),--data $(abspath $(DATA)))

# The Python package: a wheel, and its tests in an environment of their own.
python:
	tools/python/check
