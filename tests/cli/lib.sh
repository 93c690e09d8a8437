# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034
# For tests of the command line: a private place with its own cache, and python3.
command -v python3 >/dev/null 2>&1 || { echo "skipped, no python3"; exit 77; }
npuscope=${NPUSCOPE:-${top_builddir:-.}/npuscope}
check=${top_srcdir:-.}/tests/cli/commands.py
tmp=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-cli-XXXXXX")
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
TMPDIR=$tmp XDG_CACHE_HOME=$tmp/cache PYTHONDONTWRITEBYTECODE=1
export TMPDIR XDG_CACHE_HOME PYTHONDONTWRITEBYTECODE
