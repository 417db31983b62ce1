#!/bin/sh
# All shards together: merge.sh FOLDER_OF_RECORDS...
#
# Writes races.sarif and races.html, and fails if there is a finding that
# ci/baseline.json does not have.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
baseline=$root/ci/baseline.json

racert report "$@" --root "$root" --format sarif -o races.sarif
racert report "$@" --root "$root" --format html -o races.html
racert report "$@" --root "$root" --baseline "$baseline"
