#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A memory snapshot of torch alone in a folder: the curve over the entries of its trace, its peak, and who
# holds it; Enter goes to that owner's allocations. What is expected follows from the entries below. Skipped
# without Python.
. "$(dirname "$0")/../lib/term.sh"
. "$(dirname "$0")/../lib/profile.sh"
command -v python3 >/dev/null || skip "no python3"

mkdir "$test_dir/snap"
python3 - "$test_dir/snap/dump_snapshot.pickle" <<'END'
import pickle
import sys

A, MIB = 0x12c000000000, 1 << 20
fwd = [{"name": "forward", "filename": "/job/net.py", "line": 7}]
opt = [{"name": "step", "filename": "/job/opt.py", "line": 9}]
trace = []
for i, (action, at, mib, frames) in enumerate([
        ("segment_alloc", 0, 100, fwd), ("alloc", 0, 60, fwd), ("alloc", 60, 30, opt),
        ("free_requested", 0, 60, None), ("free_completed", 0, 60, None), ("alloc", 0, 20, opt)]):
    trace.append({"action": action, "addr": A + at * MIB, "size": mib * MIB, "stream": 0})
    if frames:
        trace[-1]["frames"] = frames
blocks = [{"address": A + at * MIB, "size": mib * MIB, "requested_size": mib * MIB,
           "state": "active_allocated", "frames": opt} for at, mib in ((0, 20), (60, 30))]
segment = {"device": 0, "address": A, "total_size": 100 * MIB, "stream": 0, "blocks": blocks, "frames": fwd}
pickle.dump({"segments": [segment], "device_traces": [trace]}, open(sys.argv[1], "wb"))
END

keep "$test_dir/snap"
open_run 100 32 "$test_dir/snap"
term_keys 2
term_wait '[files]   torch.npu.memory   1 file, ' "$WAIT"
term_keys 7
term_wait '[7 Mem]' "$WAIT"
expect_line 4 'dump_snapshot NPU:0   peak 100.0 MiB reserved at entry 1' "$WAIT"
term_keys v v v v # no frame has a layer
expect_line 3 '[who holds the peak]' "$WAIT"
term_wait 'step (opt.py:9) ' "$WAIT"
term_capture | grep -qE 'forward \(net.py:7\) +60.0 MiB +0.67 +1 +0 B +0 +1 ' || fail "no line of forward"
term_capture | grep -qE 'step \(opt.py:9\) +30.0 MiB +0.33 +1 +50.0 MiB +2 +2 ' || fail "no line of step"
term_keys Enter
expect_line 3 'Mem > forward (net.py:7)' "$WAIT"
expect_line -2 '1 of 3 allocations' "$WAIT"
term_keys Q
expect_exit 0
term_end
