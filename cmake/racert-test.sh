#!/bin/sh
# Runs a test with records of its findings: racert-test.sh RECORDS PROGRAM ARG...
#
# A file RECORDS.will-fail says that the program has to fail. It then has to do
# so for its own reasons, without a finding.

records=$1
shift
mkdir -p "${records%/*}"
rm -f "$records"
RACERT_OPTIONS="${RACERT_OPTIONS:+$RACERT_OPTIONS:}json='$records'"
export RACERT_OPTIONS

[ -e "$records.will-fail" ] || exec "$@"

"$@"
status=$?
if grep '"type":"finding"' "$records" 2>/dev/null | grep -qv '"certainty":"\(possible\|advice\)"'; then
    echo "racert-test: the test had to fail, and did with $status, but there are findings" >&2
    exit 66
fi
if [ "$status" -eq 0 ]; then
    echo "racert-test: the test had to fail and did not" >&2
    exit 1
fi
exit 0
