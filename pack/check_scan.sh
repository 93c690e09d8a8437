#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_scan.sh SOURCE VERSION: what a byte of a trace and of a table costs the tokenizers of aarch64 under qemu-aarch64 and of
# x86_64 under qemu-x86_64, both built as static files are. A path that is vectors or words on the one and single bytes on the
# other would cost many times as much there: above twice the other's cost, the status is 1.
set -eu
source=$(cd "$1" && pwd) version=$2
for tool in qemu-aarch64 qemu-x86_64; do
    command -v $tool >/dev/null || { echo "check_scan: no $tool"; exit 77; }
done
for arch in amd64 arm64; do
    sh "$source/pack/static.sh" "$source" "$version" $arch >/dev/null
    make -C static/$arch/build -s tests/bench/scan
done
work=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-scan-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
qemu-x86_64 "./npuscope-$version-linux-x86_64" demo -q --ranks=1 --steps=20 --size=20k "$work/run"
find "$work/run" -path '*ASCEND_PROFILER_OUTPUT/trace_view.json' -exec mv {} "$work/json" \;
find "$work/run" -path '*ASCEND_PROFILER_OUTPUT/kernel_details.csv' -exec mv {} "$work/csv" \;
status=0
for kind in read json csv; do
    file=$work/$kind
    [ $kind != read ] || file=$work/json
    x=$(qemu-x86_64 static/amd64/build/tests/bench/scan $kind "$file" "${ROUNDS:-5}")
    a=$(qemu-aarch64 static/arm64/build/tests/bench/scan $kind "$file" "${ROUNDS:-5}")
    [ "${x% * *}" = "${a% * *}" ] || { echo "check_scan: not the same rows: $x; $a"; exit 1; }
    printf '%s\n%s\n' "$x" "$a" | awk -v kind=$kind '
        { ns[NR] = $(NF - 1) }
        END {
            printf "%s: x86_64 %.2f, aarch64 %.2f ns a byte: %.2f times\n", kind, ns[1], ns[2], ns[2] / ns[1]
            exit kind != "read" && ns[2] > 2 * ns[1]
        }' || status=1
done
[ $status -eq 0 ] || echo "check_scan: aarch64 costs more than twice as much"
exit $status
