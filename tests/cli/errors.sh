#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the command line says about mistakes and broken surroundings: a command, the status it must end with, a
# part of what it must say on standard error. Nothing may reach standard output where the status is 1 or 2.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
failed=0 n=0

# t STATUS TEXT WORD...: run npuscope with these words
t() {
    want=$1 text=$2
    shift 2
    "$npuscope" "$@" </dev/null >"$tmp/out" 2>"$tmp/err"
    got=$?
    verdict "$*"
}
verdict() {
    n=$((n + 1))
    bad=''
    [ "$got" -eq "$want" ] || bad="status $got, not $want"
    [ -z "$text" ] || grep -qF -e "$text" "$tmp/err" || bad="$bad; does not say '$text'"
    case $want in
    1 | 2) [ ! -s "$tmp/out" ] || bad="$bad; printed $(wc -c <"$tmp/out") bytes" ;;
    esac
    LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" "$tmp/err" && bad="$bad; control bytes"
    [ -z "$bad" ] && return
    echo "npuscope $1: $bad"
    sed 's/^/    /' "$tmp/err"
    failed=$((failed + 1))
}

"$npuscope" demo -q --steps=2 --ranks=2 --size=2000 --metrics=pipe "$tmp/run" || exit 1
"$npuscope" demo -q --steps=2 --gen=1 "$tmp/old" || exit 1
for unit in "$tmp/run/"*_ascend_ms; do break; done
mkdir -p "$tmp/empty" "$tmp/other" "$tmp/out.d" "$tmp/folders/a/b"
echo hello >"$tmp/other/letter.txt"
echo hello >"$tmp/plain.txt"

# sums alone: what is empty says what they know of it, not that nothing was collected
sums=$tmp/node_1_20240611062509123_ascend_pt/ASCEND_PROFILER_OUTPUT
mkdir -p "$sums"
printf 'Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free\n3,800,100,50,150,10\n' \
    >"$sums/step_trace_time.csv"
t 1 "steps record 0.80 ms of computing, but no file here lists its ops" ops "$sums/.."

# a file that is damaged or empty: not that nothing was collected
sums=$tmp/node_2_20240611062509123_ascend_pt/ASCEND_PROFILER_OUTPUT
mkdir -p "$sums"
echo 'no columns of ops' >"$sums/kernel_details.csv"
t 1 "kernel_details.csv is BAD: line 1: the header has no known column" ops "$sums/.."
: >"$sums/kernel_details.csv"
t 1 "kernel_details.csv is EMPTY: the file is empty" ops "$sums/.."

# a file with a header alone: it was written, and nothing of it was recorded
echo 'Device_id,Model ID,Task ID,Stream ID,Name,Type,Accelerator Core,Start Time(us),Duration(us)' \
    >"$sums/kernel_details.csv"
t 1 "ASCEND_PROFILER_OUTPUT/kernel_details.csv has only its header: nothing was recorded" ops "$sums/.."
printf 'Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free\n3,800,100,50,150,10\n' \
    >"$sums/step_trace_time.csv"
t 1 "has only its header: nothing was recorded; steps record 0.80 ms of computing" ops "$sums/.."
echo 'OP Type,Core Type,Count,Total Time(us)' >"$sums/op_statistic.csv"
t 1 "has only its header, like 1 more file: nothing was recorded" ops "$sums/.."

# memory that the framework recorded beside analysed files without any: not "was written nowhere"
mkdir -p "$tmp/memory"
"$npuscope" demo -q --gen=2 --ranks=1 --steps=2 --size=2000 "$tmp/memory"
for run in "$tmp/memory/"*_ascend_ms; do break; done
rm -r "$run"/PROF_* "$run"/ASCEND_PROFILER_OUTPUT/*mem*
t 1 "the option profile_memory was on, yet none of these files was written or kept" memory "$run"
mkdir "$run/FRAMEWORK"
printf 'not read here' >"$run/FRAMEWORK/mindspore.memory_usage"
t 1 "FRAMEWORK/mindspore.memory_usage has raw data of it, which is not read beside analysed files: --prefer=raw" \
    memory "$run"

# wrong usage
t 2 "unknown option --frmat; did you mean --format?" ops --frmat=csv "$tmp/run"
t 2 "'ops' takes no option --chrome" ops --chrome "$tmp/run"
t 2 "one of text, csv, json, ndjson, markdown" ops -Fxml "$tmp/run"
t 2 "--top needs an argument" ops --top
t 2 "takes a range" ops --steps=9-2 "$tmp/run"
t 2 "see 'npuscope help ops'" ops -n x "$tmp/run"
t 2 "unknown command 'reprot'; did you mean 'report'?" reprot "$tmp/run"
t 2 "is too much" ops a b
t 2 "needs an argument: DIR" demo
t 2 "there is no command 'opss'; did you mean 'ops'?" help opss
t 2 "--by of 'ops' is one of type, op," ops --by=foo "$tmp/run"
t 2 "there is no column 'avg_s'; did you mean 'avg_ns'?" ops -C avg_s "$tmp/run"
t 2 "there is no column 'xx' here ('npuscope help columns'), but type, core, total_ns," ops --sort=xx "$tmp/run"
t 2 "at character 7: missing closing parenthesis" ops --by=op -f "type~(" "$tmp/run"
t 2 "knows no steps" memory --steps=1 "$tmp/run"
t 2 "a report has many tables" report -F csv "$tmp/run"
t 2 "--from takes a time" timeline --from=soon "$tmp/run"
t 2 "no such column: here" query "SELECT here" "$unit"
# since 3.38 SQLite says where; counted from the beginning of what was given
case $("$npuscope" query -q -F csv --no-header "SELECT sqlite_version() >= '3.38'" "$unit") in
1) t 2 "at byte 9: no such column: here" query "  SELECT here" "$unit" ;;
esac
t 2 "only statements that read" query "DELETE FROM op" "$unit"
t 2 "only statements that read" query "ATTACH 'x' AS x" "$unit"
t 2 "only statements that read" query "PRAGMA journal_mode = WAL" "$unit"
t 2 "no statement" query "/* nothing */ ;" "$unit"
t 2 "there is no table 'opz'" schema opz
t 2 "needs the path of a run, or --all" cache remove
t 2 "give either --output=DIR or --db=FILE" export "$tmp/run"

# wrong usage is told before a run is looked for: none of these reads one
for wrong in "ops --by=foo" "ops --by=op -C op_name,nope" "ops -k nope" "ops -f nope=1" "ops -f type~(" \
    "memory --steps=1" "timeline --from=soon" \
    "timeline --from=2s --to=1s" "timeline --from=step" "timeline --chrome --sort=dur_ns" \
        "timeline --chrome -F csv" "timeline --chrome --by=tracks" "ops -C ,"; do
    # shellcheck disable=SC2086
    t 2 "see 'npuscope help" $wrong "$tmp/nothing"
done
t 2 "--from=2s is not before --to=1s" timeline --from=2s --to=1s "$tmp/run"
t 2 "--chrome writes a trace, not a table: leave out --filter" timeline --chrome -f dur_ns\>1ms "$tmp/run"
# a column of one of the tables is good enough where it is not known yet which one the run has
t 0 "" steps -q -C step,free_ns "$unit"
t 2 "there is no column" steps -q -C step,tail_ns "$unit"

# what cannot be done
t 1 "check the path" ops "$tmp/nothing"
t 1 "there is no file and no command 'opss'; did you mean 'ops'?" --linear opss
t 1 "this needs a terminal, use 'npuscope report'" "$tmp/run"
t 1 "nothing: cannot open: check the path" "$tmp/nothing"
t 1 "there is no file and no command 'opss'; did you mean 'ops'?" opss
t 1 "the folder is empty: give a folder made by a profiler" report "$tmp/empty"
t 1 "no profile found here" ops "$tmp/other"
t 1 "looked for profiler, *_ascend_ms, *_ascend_pt, PROF_* and their files; give the path of one of these" \
    ops "$tmp/folders"
t 1 "no profile here" ops "$tmp/plain.txt"
t 1 "neither a folder nor a regular file" ops /dev/null
t 1 "there is no rank 7 here, only 0-1" ops -r 7 "$tmp/run"
t 1 "there is no step 99" timeline --from="step 99" "$tmp/run"
t 2 "the directory is not empty" demo "$tmp/run"
t 1 "is there and is no store of npuscope" ops -q --db="$tmp/plain.txt" "$unit"
# A database of somebody else whose journal is not played in yet: it stays so.
if command -v python3 >/dev/null; then
    python3 -c 'import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("PRAGMA journal_mode = WAL")
db.execute("CREATE TABLE t(x)")
db.commit()
db.execute("PRAGMA wal_checkpoint")
db.execute("INSERT INTO t VALUES(1)")
db.commit()
os._exit(0)' "$tmp/other.db"
    [ -s "$tmp/other.db-wal" ] || { echo "there is no journal, this shows nothing"; failed=$((failed + 1)); }
    cat "$tmp/other.db" "$tmp/other.db-wal" >"$tmp/other.was"
    t 1 "is there and is no store of npuscope" ops -q --db="$tmp/other.db" "$unit"
    cat "$tmp/other.db" "$tmp/other.db-wal" | cmp - "$tmp/other.was" ||
        { echo "a database of somebody else was changed"; failed=$((failed + 1)); }
fi
t 1 "cannot" ops -q -o "$tmp/none/x" "$unit"
t 1 "$tmp/none/x: cannot" ops -q -o "$tmp/none/x" "$tmp/nothing" # before anything is read
t 1 "cannot" ops -q --log="$tmp/none/x" "$unit"
t 1 "no store of this run is kept" cache remove "$tmp/other"
t 1 "is no folder" export -q -o "$tmp/plain.txt" "$unit"
"$npuscope" export -q -o "$tmp/out.d" "$unit"
t 1 "the folder is not empty" export -q -o "$tmp/out.d" "$unit"
t 1 "in this run" memory -q --by=node "$unit"
[ "$(cat "$tmp/plain.txt")" = hello ] || { echo "a file that is no store was changed"; failed=1; }

# which rank it is, where there are others
t 0 "this is rank 0; there are ranks 0-1: --rank=LIST or --rank=all shows others" steps "$tmp/run"
mkdir "$tmp/twice"
cp -r "$unit" "$tmp/twice/a_ascend_ms"
cp -r "$unit" "$tmp/twice/b_ascend_ms"
t 0 "this is run 1 of 2, a_ascend_ms: --run=N shows another" steps "$tmp/twice"
t 0 "this is run 1 of 2" steps -r all "$tmp/twice"
t 1 "there is no run '3' here" steps --run=3 "$tmp/twice"
for quiet in "-q $tmp/twice" "-q $tmp/run" "-r 0 $tmp/run" "--run=2 $tmp/twice" "$tmp/twice/b_ascend_ms"; do
    # shellcheck disable=SC2086
    t 0 "" steps $quiet
    [ ! -s "$tmp/err" ] || { echo "steps $quiet: says something: $(cat "$tmp/err")"; failed=$((failed + 1)); }
done

# several units and one --db
t 2 "--db names the store of one unit" ops -q -r all --db="$tmp/both.npus" "$tmp/run"

# nobody reads, nothing can be written
for command in "ops" "report" "query SELECT+1" "help" "schema" "ops -F json" "timeline -F csv"; do
    # shellcheck disable=SC2046,SC2086
    set -- $(echo "$command" | tr '+' '\n')
    path=$unit
    case $command in help | schema) path='' ;; query*) set -- query "SELECT 1" ;; esac
    "$npuscope" "$@" -q ${path:+"$path"} >/dev/full 2>"$tmp/err" </dev/null
    got=$? want=1 text="cannot write"
    : >"$tmp/out"
    verdict "$command to a full device"
    "$npuscope" "$@" -q ${path:+"$path"} >&- 2>"$tmp/err" </dev/null
    got=$?
    verdict "$command to a closed output"
done
"$npuscope" ops -q -o /dev/full "$unit" 2>"$tmp/err"
got=$? text="write"
verdict "ops -o /dev/full"
{ "$npuscope" timeline -q -F csv "$unit" 2>"$tmp/err"; echo $? >"$tmp/status"; } | head -n 1 >/dev/null
got=$(cat "$tmp/status") want=1 text=
[ ! -s "$tmp/err" ] || text="nothing at all when the reader goes away"
verdict "timeline | head"
echo "SELECT 1; SELECT 2" | "$npuscope" query -q -F csv "$unit" >"$tmp/out" 2>"$tmp/err"
[ "$(tr '\n' ' ' <"$tmp/out")" = "1 1  2 2 " ] ||
    { echo "statements from standard input: $(cat "$tmp/out" "$tmp/err")"; failed=$((failed + 1)); }
"$npuscope" query -q "$unit" <&- >"$tmp/out" 2>"$tmp/err"
got=$? want=1 text="standard input"
verdict "query with closed input"

# damaged input: printed, status 4, said
cp -r "$tmp/run" "$tmp/cut"
for cut in "$tmp/cut/"*_ascend_ms/ASCEND_PROFILER_OUTPUT/kernel_details.csv; do break; done
head -c 3000 "$cut" >"$cut.new" && mv "$cut.new" "$cut"
t 0 ", read instead" ops "$(dirname "$cut")"
rm -r "$tmp/cut/"*_ascend_ms/PROF_*/mindstudio_profiler_output
t 4 "kernel_details.csv is TORN" ops "$(dirname "$cut")"
[ -s "$tmp/out" ] || { echo "nothing was printed of a cut file"; failed=$((failed + 1)); }
t 4 "kernel_details.csv is TORN" report "$(dirname "$cut")"
t 4 "" ops -q "$(dirname "$cut")"
t 0 "" memory -q "$(dirname "$cut")"
t 0 "" files -q "$(dirname "$cut")"

# a statement rests on the tables it reads, also through views, and on what fills them
damaged=$(dirname "$cut")
q() {
    want=$1
    shift
    t "$want" "" query -q "$@" "$damaged"
}
q 4 "SELECT count(*) FROM op_exec"
q 4 "SELECT count(*) FROM ops"
q 4 "SELECT op_name FROM ops LIMIT 1"
q 4 "WITH x AS (SELECT * FROM op_exec) SELECT count(*) FROM x"
q 4 "SELECT 1; SELECT count(*) FROM op_counter"
q 0 "SELECT 1"
q 0 "SELECT count(*) FROM step"
q 0 "SELECT count(*) FROM event"
q 0 "SELECT * FROM meta; SELECT * FROM source; SELECT * FROM files; SELECT * FROM note"
q 0 "SELECT count(*) FROM mem_alloc"
printf 'x\n' >"$damaged/step_trace_time.csv" # nothing of it can be used
q 4 "SELECT count(*) FROM step"
q 0 "SELECT count(*) FROM mem_alloc"
q 4 "SELECT count(*) FROM finding"

# no place to keep a store
XDG_CACHE_HOME=$tmp/plain.txt/x
t 0 "reading into memory" steps "$unit"
XDG_CACHE_HOME=relative
t 0 "" steps "$unit"
XDG_CACHE_HOME=$tmp/cache

# -o: the old file stays until the new one is whole, whatever goes wrong
echo old >"$tmp/kept"
kept() {
    [ "$(cat "$tmp/kept")" = old ] || { echo "$1: the old file is gone"; failed=$((failed + 1)); }
    [ -z "$(find "$tmp" -maxdepth 1 -name '.*kept*')" ] ||
        { echo "$1: a temporary file is left"; failed=$((failed + 1)); }
}
t 1 "" ops -q -o "$tmp/kept" "$tmp/nothing"
kept "no such run"
t 2 "" ops -q -o "$tmp/kept" --sort=xx "$unit"
kept "wrong usage"
t 1 "" flops -q -o "$tmp/kept" "$tmp/other"
kept "no profile"
t 2 "" query -q -o "$tmp/kept" "SELECT 1; SELECT here" "$unit"
kept "an error after the first result"
t 4 "" ops -q -o "$tmp/kept" -F csv "$damaged"
head -n 1 "$tmp/kept" | grep -q '^type,' ||
    { echo "-o does not replace the old file"; failed=$((failed + 1)); }
[ ! -s "$tmp/out" ] || { echo "-o: something on standard output"; failed=$((failed + 1)); }

# an empty answer is one, and said
t 0 " rows fits --filter" ops -r 0 -f type=none "$tmp/run"
t 0 "there is nothing in --steps=99" steps -r 0 -s 99 "$tmp/run"
t 0 "nothing lies in the window" timeline -r 0 --track=none "$tmp/run"
# sums that no range of steps changes are not printed as those of the range without a word
t 0 "not recorded step by step" ops -s 1 "$tmp/old"
t 0 "not recorded step by step" ops --by=op -s 1..2 "$tmp/old"
for same in "ops -q -s 1" "ops" "steps -s 1"; do
    # shellcheck disable=SC2086
    t 0 "" $same "$tmp/old"
    grep -q "step by step" "$tmp/err" &&
        { echo "$same: says that steps are ignored"; failed=$((failed + 1)); }
done
t 0 "" ops -r 0 -s 1 "$tmp/run"
grep -q "step by step" "$tmp/err" && { echo "ops -s 1: says that steps are ignored where they are not"; \
    failed=$((failed + 1)); }
t 0 "" ops -q -r 0 -f type=none "$tmp/run"
[ ! -s "$tmp/err" ] || { echo "-q is not quiet: $(cat "$tmp/err")"; failed=$((failed + 1)); }
t 0 "" ops -r 0 -n 0 "$tmp/run"
[ ! -s "$tmp/err" ] || { echo "--top=0 was asked for: $(cat "$tmp/err")"; failed=$((failed + 1)); }
t 1 "to get it: Profiler(" flops "$unit"

# a folder of the run that cannot be read may hold anything
if command -v setpriv >/dev/null && [ "$(id -u)" = 0 ]; then
    chmod 711 "$tmp"
    cp -r "$unit" "$tmp/dark_ascend_ms" && chmod -R a+rX "$tmp/dark_ascend_ms" &&
        chmod 000 "$tmp/dark_ascend_ms/ASCEND_PROFILER_OUTPUT"
    cp "$npuscope" "$tmp/npuscope" && chmod 755 "$tmp/npuscope"
    setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/npuscope" steps --no-cache \
        "$tmp/dark_ascend_ms" >"$tmp/out" 2>"$tmp/err"
    got=$? want=4 text="ASCEND_PROFILER_OUTPUT/ is BAD: no permission to open the folder"
    verdict "a closed folder"
fi

# a store of one's own, used again
t 0 "" ops -q --db="$tmp/own.npus" "$unit"
first=$(cat "$tmp/out")
t 0 "" ops -q --db="$tmp/own.npus"
[ "$first" = "$(cat "$tmp/out")" ] ||
    { echo "a store named with --db gives other rows"; failed=$((failed + 1)); }

t 2 "needs the path of a run, or --all" cache remove --all "$unit"

# environment
NPUSCOPE_OPTIONS="--format=csv --jobs=1"
export NPUSCOPE_OPTIONS
t 0 "" steps -q "$unit"
head -n 1 "$tmp/out" | grep -q '^step,' || { echo "NPUSCOPE_OPTIONS has no effect"; failed=$((failed + 1)); }
for wrong in "--format=cs:NPUSCOPE_OPTIONS: --format is one of text" \
    "word:NPUSCOPE_OPTIONS: 'word' is no option" "--nope:NPUSCOPE_OPTIONS: unknown option --nope" \
    "-F ':NPUSCOPE_OPTIONS has a quote"; do
    NPUSCOPE_OPTIONS=${wrong%%:*}
    t 2 "${wrong#*:}" steps -q "$unit"
done
NPUSCOPE_OPTIONS=
for term in '' dumb no-such-terminal; do
    TERM=$term LANG='' LC_ALL=C COLUMNS=x "$npuscope" report -q "$unit" >"$tmp/out" 2>"$tmp/err" </dev/null
    got=$? want=0 text=
    LC_ALL=C grep -q "$(printf '[\200-\377]')" "$tmp/out" && text="ASCII without a locale"
    verdict "report with TERM=$term"
done

echo "errors: $n commands, $failed not as expected"
[ "$failed" -eq 0 ]
