#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No file is a dead end: t in Files opens text, JSON and databases as they are; of a database first the list
# of its tables, Enter one of them. What is no table says so, and the profile's folder stays as it was.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"
command -v python3 >/dev/null || skip "no python3"

make_demo 2 "$test_dir/run"
root=$(dirname "$(find "$test_dir/run" -name profiler_info_0.json)")
out=$root/ASCEND_PROFILER_OUTPUT
rm -f "$root"/*.json.gz
python3 - "$out/analysis.db" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("create table StepTraceTime(step text, computing real, \"free ns\" integer)")
db.executemany("insert into StepTraceTime values(?, ?, ?)", [("50", 8903.431, 7), ("51", 1.5, None)])
db.execute("create table CommAnalyzerTime(hccl_op_name text)")
db.execute("insert into CommAnalyzerTime values('hcom_\x1b[31mred')")
db.commit()
PY
printf 'what,how many\nabc,7\n' >"$out/my notes.csv"
printf '\0\1\2\3\4\5\6\7' >"$out/odd.bin"
# Its schema page is overwritten, and its path alone is wider than a screen.
deep="$out/a folder whose name is rather long/and one more of the same kind"
mkdir -p "$deep"
{ head -c 100 "$out/analysis.db"; head -c 4000 /dev/zero |
    tr '\0' '\377'; tail -c +4101 "$out/analysis.db"; } >"$deep/broken.db"
listing() { find "$test_dir/run" -printf '%p %s %T@ %i\n' | sort; }
listing >"$test_dir/before"

at_file() { # NAME KIND: the cursor of Files on it
    term_keys 2
    term_wait '[2 Files]' "$WAIT"
    term_keys g
    term_wait ' 1/' "$WAIT"
    term_keys /
    term_type "$1"
    term_keys Enter
    # Under the table, or in the card beside it.
    term_poll "$WAIT" has_kind "$2" || fail "no row of the kind $2"
}

has_kind() {
    term_capture | grep -qE " Kind +$1( |\$)"
}

for size in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $size --no-state "$test_dir/run"
    expect_no PARTIAL "$WAIT"
    at_file analysis.db analysis_db
    term_keys t
    expect_line 3 'Files > analysis.db' "$WAIT"
    term_wait 'StepTraceTime' "$WAIT"
    expect_line -2 ' 1/2' "$WAIT"
    term_keys Enter
    expect_line 3 'Files > analysis.db > StepTraceTime' "$WAIT"
    term_wait '8903' "$WAIT"
    term_wait 'free ns'
    expect_line -2 'the SQL console knows it as t_' "$WAIT"
    term_keys q
    expect_line 3 'Files > analysis.db' "$WAIT"
    term_keys j Enter
    term_wait 'red' "$WAIT"
    term_keys q q
    at_file 'my notes.csv' unknown
    term_keys t
    expect_line 3 'Files > my notes.csv' "$WAIT"
    term_wait 'how many'
    term_wait 'abc'
    term_keys q
    at_file profiler_info_0.json profiler_info
    term_keys t
    expect_line 3 'Files > profiler_info_0.json' "$WAIT"
    term_keys q
    at_file odd.bin unknown
    term_keys t
    expect_line -2 'binary data, no table' "$WAIT"
    at_file broken.db unknown
    term_keys t
    expect_line -2 'broken.db: ' "$WAIT"
    expect_line -2 'malformed' "$WAIT"
    term_keys q q
    expect_exit 0 "$WAIT"
done
listing >"$test_dir/after"
cmp "$test_dir/before" "$test_dir/after" || fail "the profile's folder changed"
no_leftovers
