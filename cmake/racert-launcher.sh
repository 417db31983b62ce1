#!/bin/sh
# A compiler launcher: the first argument compiles in place of the second.
#
# Projects whose compiler no plugin was built for (gcc, another clang) have the
# sources of their instrumented targets compiled by racert's; the objects are
# linked by the project's own.
clang=$1
shift 2
exec "$clang" -Wno-unknown-warning-option -Wno-unused-command-line-argument \
  -Wno-ignored-optimization-argument "$@"
