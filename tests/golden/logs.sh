#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The verdict of logs: real cases of the samples, and generated faults against the truth of the generator.
# LOGS_SEEDS: seeds per kind of fault, dialect and form (1). Skipped without the samples or Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}

[ -f "$samples/bench/gen_logs.py" ] || { echo "logs: skipped, no generator at hand"; exit 77; }
command -v python3 >/dev/null || { echo "logs: skipped, no python3"; exit 77; }
exec python3 "${top_srcdir:-.}/tests/golden/logs.py" "${NPUSCOPE:-${top_builddir:-.}/npuscope}" "$samples" \
    "${LOGS_SEEDS:-1}"
