#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Module and code of kernels (exec_host): those made of the text files of an analysis are those that the raw
# data of the same run says, of MindSpore and of torch_npu, with calls of Python or call stacks of ops; and of
# a real trace, backward ops among them.
set -eu
. "${top_srcdir:-.}/tests/cli/lib.sh"

fail() {
    echo "FAIL: $*"
    exit 1
}
rows="select e.rank, e.ts_ns, e.stream, o.text, m.text, s.text from exec_host h join op_exec e on e.id = h.exec_id
    left join string o on o.id = h.name_id left join string m on m.id = h.module_id
    left join string s on s.id = h.stack_id where e.stream is not null order by 1, 2, 3"
for era in torch_npu r27; do
    module=$([ $era = r27 ] && echo TrainOneStepCell || echo Net_0)
    "$npuscope" demo -q --raw --gen=2 --era=$era --ranks=2 --steps=2 --seed=3 "$tmp/raw"
    cp -r "$tmp/raw" "$tmp/text"
    "$npuscope" analyse -q "$tmp/text" >/dev/null
    rm -rf "$tmp/text"/*/PROF_* "$tmp/text"/*/FRAMEWORK
    for run in raw text; do
        "$npuscope" query -q -F csv --no-header --rank=all "$rows" "$tmp/$run" >"$tmp/$run.csv"
    done
    [ "$(wc -l <"$tmp/raw.csv")" -gt 2000 ] || fail "$era: few rows"
    diff "$tmp/raw.csv" "$tmp/text.csv" >"$tmp/diff" || fail "$era: $(head -6 "$tmp/diff")"
    "$npuscope" ops -q --by=module -F csv "$tmp/text" | cut -d, -f1 | grep -q "$module" || fail "$era: view of modules"
    echo "place: $era: $(wc -l <"$tmp/text.csv") kernels have the same op, module and call stack"
    rm -rf "$tmp/raw" "$tmp/text"
done

data=${NPUSCOPE_SAMPLES:-${top_srcdir:-.}/../shared}/data
for case in pt_queue pt_noqueue; do
    [ -d "$data/gen2/$case" ] || continue
    mkdir -p "$tmp/raw/w_1_20260101000000000_ascend_pt"
    cp -r "$data/gen2/$case/FRAMEWORK" "$data/gen2/$case/profiler_info.json" "$data"/msprof/train_1dev_graph/PROF_* \
        "$tmp/raw/w_1_20260101000000000_ascend_pt"
    cp -r "$tmp/raw" "$tmp/text"
    "$npuscope" analyse -q "$tmp/text" >/dev/null
    rm -rf "$tmp/text"/*/PROF_* "$tmp/text"/*/FRAMEWORK
    for run in raw text; do # without its PROF folder the run has no rank
        "$npuscope" query -q -F csv --no-header "$rows" "$tmp/$run" | cut -d, -f2- >"$tmp/$run.csv"
    done
    grep -q ',net.layer,a.py(1);b.py(2)' "$tmp/raw.csv" || fail "$case: no call stacks"
    diff "$tmp/raw.csv" "$tmp/text.csv" >"$tmp/diff" || fail "$case: $(head -6 "$tmp/diff")"
    echo "place: $case: $(wc -l <"$tmp/text.csv") kernels have the same op, module and call stack"
    rm -rf "$tmp/raw" "$tmp/text"
done

sample=$data/outputs/msinsight-text/level1
[ -d "$sample" ] || { echo "place: no sample at hand"; exit 0; }
"$npuscope" query -q -F json --rank=0 "select e.ts_ns + (select origin_ns from rank where rank = 0) as at, o.text as op,
    ifnull(m.text, '') as module, ifnull(s.text, '') as stack from exec_host h join op_exec e on e.id = h.exec_id
    join string o on o.id = h.name_id left join string m on m.id = h.module_id left join string s on s.id = h.stack_id" \
    "$sample" >"$tmp/rows.json"
python3 - "$sample"/rank0*/ASCEND_PROFILER_OUTPUT/trace_view.json "$tmp/rows.json" <<'PY' || fail "sample"
import json, re, sys

def ns(text):
    us, _, rest = str(text).partition(".")
    return int(us) * 1000 + int((rest + "000")[:3])

def is_frame(name):
    return name.startswith(("nn.Module: ", "<built-in ")) or re.search(r"\(\d+\):", name)

def path(thread, at):
    """Bars around an instant with their call stacks, outer ones first."""
    held = [b for b in bars.get(thread, ()) if b[0] <= at <= b[1]]
    return [b[2:] for b in sorted(held, key=lambda b: (b[0], -b[1]))]

def recorded(bars):
    """Of the op, else of the nearest one around it, up to the call of Python that they are made in."""
    for name, stack in bars[::-1]:
        if is_frame(name):
            return ""
        if stack:
            return stack.replace("\r\n", "")
    return ""

def place(bars):
    names = [name for name, _ in bars]
    modules = [n[11:] for n in names if n.startswith("nn.Module: ")]
    code = [n for n in names if is_frame(n) and not n.startswith("nn.Module: ")]
    return "/".join(modules[-64:]), recorded(bars) or ";".join(code[::-1][:64])

events = json.load(open(sys.argv[1]))
bars, arrows, back = {}, {}, {}
for e in events:
    if e["ph"] == "X":
        at = ns(e["ts"])
        bars.setdefault((e["pid"], e["tid"]), []).append((at, at + ns("%.3f" % float(e["dur"])), e["name"],
                                                          e.get("args", {}).get("Call stack", "")))
    elif e.get("cat") in ("async_npu", "fwdbwd"):
        arrows.setdefault((e["cat"], e["id"]), {})[e["ph"]] = ((e["pid"], e["tid"]), ns(e["ts"]))
for (cat, _), a in arrows.items():
    if cat == "fwdbwd" and "s" in a and "f" in a:
        back[a["f"]] = a["s"]
wanted = {}
for (cat, _), a in arrows.items():
    if cat != "async_npu" or len(a) != 2:
        continue
    thread, at = a["s"]
    around = path(thread, at)
    module, code = place(around)
    ops = [n for n, _ in around if not is_frame(n) and not n.startswith("ProfilerStep#")]
    held = [b for b in bars[thread] if b[0] <= at <= b[1] and (thread, b[0]) in back]
    if held:
        forward = place(path(*back[thread, max(held)[0]]))
        module, code = module or forward[0], code or forward[1]
    wanted[a["f"][1]] = (ops[-1], module, code)
rows = {r["at"]: (r["op"], r["module"], r["stack"]) for r in json.load(open(sys.argv[2]))}
assert len(rows) > 180 and sum(bool(r[1]) for r in rows.values()) > 130, len(rows)
other = [(at, r, wanted.get(at)) for at, r in rows.items() if wanted.get(at) != r]
assert not other, other[:2]
backward = {r[1].rsplit("/", 1)[-1] for r in rows.values() if r[0] == "Conv2DBackpropFilter"}
assert backward == {"Conv2d_%d" % i for i in range(5)}, backward
said = sum(r[2].startswith("/home/") for r in rows.values())
assert said > 20, said
print("place: sample: %d kernels, %d with a module, %d with a recorded call stack" % (
    len(rows), sum(bool(r[1]) for r in rows.values()), said))
PY
