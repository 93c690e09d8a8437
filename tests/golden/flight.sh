#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Flight recorder dumps of generated crashes: whom the ranks wait for against the truth of the generator, in all
# forms a dump can have. Skipped without the generator of the samples or Python.
samples=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}

[ -f "$samples/bench/gen_logs.py" ] || { echo "flight: skipped, no generator at hand"; exit 77; }
command -v python3 >/dev/null || { echo "flight: skipped, no python3"; exit 77; }
exec python3 "${top_srcdir:-.}/tests/golden/flight.py" "${top_builddir:-.}/tests/golden/flight_say" "$samples/bench"
