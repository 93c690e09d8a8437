#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The device's files of a 910 alone, without host and samples: records of a PROF folder, not of MindSpore 1.x, whose
# AI CPU records are others.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"

"$npuscope" demo -q --raw --gen=2 --chip=910A --ranks=1 --steps=2 --size=200 "$tmp/run" || exit 99
prof=$(find "$tmp/run" -type d -name 'PROF_*')
mv "$prof" "$tmp/left" && rm -r "$tmp/left/host" && rm "$tmp/left/device_0/data/npu_"* || exit 99
"$npuscope" files -q -F csv "$tmp/left" >"$tmp/files" 2>/dev/null
if grep -q TORN "$tmp/files" || ! grep -q 'aicpu.data.0.slice_0,raw_aicpu,.*,ok,' "$tmp/files"; then
    echo "FAIL: the AI CPU's file"
    grep aicpu "$tmp/files"
    exit 1
fi
"$npuscope" triage -q "$tmp/left" >"$tmp/triage" 2>/dev/null
if grep -q CRASHED "$tmp/triage" || ! grep -q 'Stream 3 *AI_CORE' "$tmp/triage"; then
    echo "FAIL: how it ended"
    cat "$tmp/triage"
    exit 1
fi
