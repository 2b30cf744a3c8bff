# What is checked, and how. `make check` is what CI runs.

.PHONY: check format lint test docs torture bench load

check: format lint test docs

format:
	cargo fmt --all --check

lint:
	cargo clippy --workspace --all-targets -- -D warnings

test:
	cargo test --workspace

docs:
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# A million changed files for each property of the readers, a million sets of formulas for each property of formulas.
# TORTURE_FILES=DIR adds the small files of a folder.
torture:
	PROPTEST_CASES=1000000 cargo test --package tabwise --test reading --test formulas

# DATA=DIR is the folder of the dataset; without it only generated tables and the examples are measured. BENCH=NAME runs
# one benchmark. Benchmarks run in the folder of their package, so the path is made absolute.
bench:
	cargo bench --package tabwise $(if $(BENCH),--bench $(BENCH)) -- $(if $(DATA),--data $(abspath $(DATA)))

# The server under load: ordinary, a long table, too much, hostile. DATA=DIR as above.
load:
	cargo bench --package tabwise-cli --bench load -- $(if $(DATA),--data $(abspath $(DATA)))
