#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Arrows of a written trace: a track whose events overlap without nesting is parted, and an arrow goes to the
# part that has its event. In a window only those whose events are both there.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"
cat >"$tmp/trace_view.json" <<'END'
[{"ph":"M","pid":1,"tid":0,"name":"process_name","args":{"name":"Python"}},
{"ph":"X","pid":1,"tid":7,"name":"outer","ts":"1700000000000000.000","dur":100},
{"ph":"X","pid":1,"tid":7,"name":"inner","ts":"1700000000000010.000","dur":20},
{"ph":"X","pid":1,"tid":7,"name":"across","ts":"1700000000000050.000","dur":100},
{"ph":"X","pid":1,"tid":7,"name":"later","ts":"1700000000000060.000","dur":5},
{"ph":"X","pid":2,"tid":3,"name":"kernel 1","ts":"1700000000000200.000","dur":5},
{"ph":"X","pid":2,"tid":3,"name":"kernel 2","ts":"1700000000000210.000","dur":5},
{"ph":"X","pid":2,"tid":3,"name":"kernel 3","ts":"1700000000000220.000","dur":5},
{"ph":"X","pid":2,"tid":3,"name":"kernel 4","ts":"1700000000000230.500","dur":5},
{"ph":"s","bp":"e","pid":1,"tid":7,"id":"1","cat":"async_npu","name":"async_npu","ts":"1700000000000010.000"},
{"ph":"f","bp":"e","pid":2,"tid":3,"id":"1","cat":"async_npu","name":"async_npu","ts":"1700000000000200.000"},
{"ph":"s","bp":"e","pid":1,"tid":7,"id":"2","cat":"async_npu","name":"async_npu","ts":"1700000000000050.000"},
{"ph":"f","bp":"e","pid":2,"tid":3,"id":"2","cat":"async_npu","name":"async_npu","ts":"1700000000000210.000"},
{"ph":"s","bp":"e","pid":1,"tid":7,"id":"3","cat":"async_npu","name":"async_npu","ts":"1700000000000060.000"},
{"ph":"f","bp":"e","pid":2,"tid":3,"id":"3","cat":"async_npu","name":"async_npu","ts":"1700000000000220.000"},
{"ph":"s","bp":"e","pid":1,"tid":7,"id":"4","cat":"async_npu","name":"async_npu","ts":"1700000000000140.000"},
{"ph":"f","bp":"e","pid":2,"tid":3,"id":"4","cat":"async_npu","name":"async_npu","ts":"1700000000000230.500"}]
END

arrows() {
    "$npuscope" timeline --chrome -q -o "$tmp/out.json" "$@" "$tmp/trace_view.json" || exit 1
    python3 - "$tmp/out.json" <<'END'
import json, sys
t = json.load(open(sys.argv[1]))["traceEvents"]
tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in t if e["name"] == "thread_name"}
def at(e):
    """Innermost event of its track that holds the arrow's end."""
    on = [x for x in t if x["ph"] == "X" and (x["pid"], x["tid"]) == (e["pid"], e["tid"]) and x["ts"] <= e["ts"] <= x["ts"] + x["dur"]]
    return max(on, key=lambda x: x["ts"])["name"] if on else "nothing"
for s in sorted((e for e in t if e["ph"] == "s"), key=lambda e: e["ts"]):
    f, = [e for e in t if e["ph"] == "f" and e["id"] == s["id"]]
    assert f["bp"] == "e" and s["cat"] == f["cat"] == "async_npu" and isinstance(s["ts"], float)
    print("%g %s (%s) -> %g %s" % (s["ts"], at(s), "parted" if tracks[s["pid"], s["tid"]].endswith("(2)") else "first", f["ts"], at(f)))
END
}
failed=0
arrows >"$tmp/all"
diff - "$tmp/all" <<'END' || failed=1
10 inner (first) -> 200 kernel 1
50 across (parted) -> 210 kernel 2
60 later (first) -> 220 kernel 3
140 across (parted) -> 230.5 kernel 4
END
arrows --from=40us --to=215us >"$tmp/window"
diff - "$tmp/window" <<'END' || failed=1
50 across (parted) -> 210 kernel 2
END
exit $failed
