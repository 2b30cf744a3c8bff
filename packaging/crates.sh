#!/bin/sh
# Writes the crates of the last commit into a new folder, as they are published:
#   packaging/crates.sh DIR
# The weights of the reader are larger than a package may be. Here they move from `tabwise` into two crates that are empty in the
# repository, so that the history has them once.
set -eu
mkdir "$1"
folder=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
git archive HEAD Cargo.toml Cargo.lock LICENSE-MIT LICENSE-APACHE crates | tar -x -C "$folder"
cd "$folder/crates"
weights=tabwise/knowledge/reader.bin
half=$((($(wc -c <$weights) + 1) / 2))
head -c "$half" $weights >tabwise-weights-1/part.bin
tail -c "+$((half + 1))" $weights >tabwise-weights-2/part.bin
: >$weights
