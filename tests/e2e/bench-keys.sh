#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Keys from a file through the screen on a terminal of its own: a frame a key, whatever the standard streams
# are; the figures hold together.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

make_demo 1 "$test_dir/run"
cd "$test_dir" || exit 99

# 13 keys, of letters, controls, arrows, the prompt and Esc; a word that is no key types nothing.
printf 'size=100x30 5 w w d Down Up ^L nonsense\n/ C Enter\nF1 Esc o\n' >keys
cli --no-state --bench-keys=keys run </dev/null >out 2>err || {
    cat out err
    fail "bench-keys: status $?"
}
cat out
[ ! -s err ] || fail "bench-keys: $(cat err)"
awk '
    { for (i = 1; i < NF; i += 2) v[$i] = $(i + 1) }
    END {
        if (NR != 1 || v["frames"] != 13) { print "not 13 frames in one line"; exit 1 }
        if (!(v["p50_ms"] > 0 && v["p50_ms"] <= v["p99_ms"] && v["p99_ms"] <= v["max_ms"])) { print "times are in no order"; exit 1 }
        if (!(v["max_ms"] >= 25)) { print "Esc takes at least the time in which a sequence may follow"; exit 1 }
        # The timeline fills a good part of 30 rows of 100 cells; the whole screen with attributes is not ten
        # times as much.
        if (!(v["bytes_max"] > 1000 && v["bytes_max"] < 30000 && v["bytes_mean"] <= v["bytes_max"])) { print "bytes cannot be"; exit 1 }
        if (!(v["peak_kib"] > 1000)) { print "no peak memory"; exit 1 }
    }' out || fail "bench-keys: $(cat out)"

# Larger screens take more bytes; Q ends it.
printf 'size=40x12 5 o w Q j j\n' >keys
cli --no-state --bench-keys=keys run </dev/null >small || fail "bench-keys: status $?"
grep -q '^frames 4 ' small || fail "keys behind Q were typed: $(cat small)"
bytes() { sed -n 's/.* bytes_max \([0-9]*\).*/\1/p' "$1"; }
[ "$(bytes small)" -lt "$(bytes out)" ] || fail "40x12 takes $(bytes small) bytes, 100x30 $(bytes out)"

# Frames before -- are not counted.
printf 'size=40x12 5 o w -- j j\n' >keys
cli --no-state --bench-keys=keys run </dev/null >small || fail "bench-keys: status $?"
grep -q '^frames 2 ' small || fail "frames before -- were counted: $(cat small)"

# One row down in Files, whose lower part is another text for each row (doc/performance.md, P22).
printf 'size=80x24 2 j j j j j j j j j j j j j j j j j j j j j j j j j j j j j j\n' >keys
make_demo 2 "$test_dir/two"
cli --no-state --bench-keys=keys two </dev/null >out || fail "bench-keys: status $?"
median=$(sed -n 's/.* bytes_p50 \([0-9]*\) .*/\1/p' out)
[ "$median" -gt 100 ] && [ "$median" -le 400 ] || fail "a row down in Files takes $median bytes: $(cat out)"

cli --no-state --bench-keys=none run </dev/null >out 2>err && fail "bench-keys without its file: no error"
grep -q none err || fail "bench-keys does not name its file: $(cat err)"
no_leftovers
