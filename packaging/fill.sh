#!/bin/sh
# Writes the manifests into a folder, with the address of the repository and the version of Cargo.toml:
#   packaging/fill.sh DIR
set -eu
folder=$1
here=$(dirname "$0")
field() { sed -n "s/^$1 = \"\(.*\)\"/\1/p" "$here/../Cargo.toml"; }
for file in tabwise.rb tabwise.json; do
  sed -e "s|@repository@|$(field repository)|g" -e "s|@version@|$(field version)|g" "$here/$file" >"$folder/$file"
done
