#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# x in Files: records of a raw file with their fields, by number, by byte, to the place where one is cut;
# records of many lengths, with their texts; bytes of any other file.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"

cli demo -q --raw --gen=1 --ranks=1 --steps=3 "$test_dir/run" || fail "npuscope demo --raw"
data=$(find "$test_dir/run" -name data -type d | head -n 1)
hwts=$(find "$data" -name 'hwts.data.0.slice_*' ! -name '*.done' | sort -V | tail -n 1)
size=$(wc -c <"$hwts")
records=$((size / 64))
truncate -s "$((size - 24))" "$hwts"
rm -f "$hwts.done"
digits() { term_capture | tr -d ' ' | tr -d "$(printf '\302\240\342\200\257')"; }
says() { digits | grep -q "$1"; }

for screen in '80 24' '160 50'; do
    # shellcheck disable=SC2086
    open_run $screen --no-state "$test_dir/run"
    term_keys 2
    term_wait '[2 Files]' "$WAIT"
    term_keys F4
    term_type "$(basename "$hwts")"
    term_keys Enter
    term_wait 'hwts.data' "$WAIT"
    term_keys x
    term_wait 'HWTS record 1 of' "$WAIT"
    term_wait 'd3 6b'
    term_wait '0x6bd3'
    term_wait ' of task '
    term_keys j
    term_wait 'HWTS record 2 of' "$WAIT"
    term_wait 'byte 64 of'
    term_keys G
    term_wait 'cut: 40 of 64 bytes' "$WAIT"
    says "HWTSrecord${records}of$records" || fail "not the last of $records records"
    term_keys g
    term_wait 'HWTS record 1 of' "$WAIT"
    term_keys p
    expect_line -2 'a record is cut (40 of 64 bytes)' "$WAIT"
    says "HWTSrecord${records}of" || fail "not at the place that is cut"
    term_keys @
    expect_line -2 'record (' "$WAIT"
    term_type 3
    term_keys Enter
    term_wait 'HWTS record 3 of' "$WAIT"
    term_keys @
    expect_line -2 'record (' "$WAIT"
    term_type 0x105
    term_keys Enter
    term_wait 'HWTS record 5 of' "$WAIT"
    term_keys @
    expect_line -2 'record (' "$WAIT"
    term_type x9
    term_keys Enter
    expect_line -2 'a record such as 17' "$WAIT"
    term_keys q
    expect_no 'HWTS record' "$WAIT"
    # A file without records: rows of bytes.
    term_keys g
    term_keys F d q F4
    term_type 'host_start'
    term_keys Enter
    term_wait 'host_start.log' "$WAIT"
    term_keys x
    term_wait '00000010  ' "$WAIT"
    term_wait '5b' # a bracket
    term_keys j
    expect_no '00000000  ' "$WAIT"
    term_keys q q q q
    expect_exit 0
    term_end
done

# Marks of a task queue: of many lengths, the last one cut.
cli demo -q --raw --gen=2 --ranks=1 --steps=2 "$test_dir/run2" || fail "npuscope demo --raw --gen=2"
prof=$(find "$test_dir/run2" -name 'PROF_*' -type d | head -n 1)
mkdir -p "$(dirname "$prof")/FRAMEWORK"
byte() { printf '%b' "\\0$(printf %o "$1")"; }
mark() {
    printf '\002\000'
    byte $((46 + ${#2}))
    printf '\000\000\000'
    for value in "$1" 2 42 7 77; do
        byte "$value"
        printf '\000\000\000\000\000\000\000'
    done
    printf '\001\000'
    byte ${#2}
    printf '\000\000\000%s' "$2"
}
{
    mark 10 Add
    mark 20 MatMul
    mark 30 Softmax | head -c 40
} >"$(dirname "$prof")/FRAMEWORK/torch.op_mark"
open_run 160 50 --no-state "$test_dir/run2"
term_keys 2
term_wait '[2 Files]' "$WAIT"
term_keys F4
term_type op_mark
term_keys Enter
term_wait 'torch.op_mark' "$WAIT"
term_keys x
term_wait 'mark of the task queue   byte 0 of' "$WAIT"
term_wait '2 dequeue start'
term_wait 'name              Add'
term_keys j
term_wait 'byte 55 of' "$WAIT"
term_wait 'name              MatMul'
term_keys G
term_wait 'byte 113 of' "$WAIT"
term_wait 'cut or damaged'
term_wait 'beyond the end'
term_keys k
term_wait 'byte 55 of' "$WAIT"
term_keys @
expect_line -2 'byte:' "$WAIT"
term_type 3
term_keys Enter
term_wait 'byte 0 of' "$WAIT"
term_keys q q q
expect_exit 0
term_end
