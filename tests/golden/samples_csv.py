#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare what parse_dump gives for every CSV file of the samples with an independent reading of the file.

  samples_csv.py PARSE_DUMP SAMPLES

The reading uses Python's csv module and exact decimals; names of columns and units are listed below once
more, on purpose. Where the samples notes give row counts and sums (doc/formats/samples.md) these are
checked too.
"""
import csv
import io
import json
import os
import re
import subprocess
import sys
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

csv.field_size_limit(1 << 27)
NULLS = {"", "N/A", "NA", "-", "None"}

KINDS = [  # base name -> kind of the registry
    (r"kernel_details(_backend)?\.csv", "kernel_details"),
    (r"op_summary.*\.csv", "op_summary"),
    (r"task_time.*\.csv", "task_time"),
    (r"op_statistic.*\.csv", "op_statistic"),
    (r"api_statistic.*\.csv", "api_statistic"),
    (r"operator_details\.csv", "operator_details"),
    (r"fusion_op.*\.csv", "fusion_op"),
    (r"step_trace_time\.csv", "step_trace_time"),
    (r"cluster_step_trace_time\.csv", "cluster_step_trace_time"),
    (r"step_trace_raw_\d+_detail_time\.csv", "g1_step_trace"),
    (r"step_trace.*\.csv", "step_trace"),
    (r"communication_statistic.*\.csv", "communication_statistic"),
    (r"operator_memory.*\.csv", "operator_memory"),
    (r"memory_record.*\.csv", "memory_record"),
    (r"npu_mem\b.*\.csv", "npu_mem"),
    (r"npu_module_mem.*\.csv", "npu_module_mem"),
    (r"static_op_mem.*\.csv", "static_op_mem"),
    (r"cpu_ms_memory_record_\d+\.txt", "ms_memory_record"),
    (r"aicpu_mi.*\.csv", "aicpu_mi"),
    (r"dp\b.*\.csv", "dp"),
    (r"aicpu_intermediate_\d+\.csv", "g1_aicpu"),
    (r"(data_preprocess|aicpu.*)\.csv", "aicpu"),
    (r"dataset.*\.csv", "dataset"),
    (r"minddata_pipeline_raw_\d+\.csv", "md_pipeline_raw"),
    (r"aicore_intermediate_\d+_detail\.csv", "g1_op_detail"),
    (r"aicore_intermediate_\d+_type\.csv", "g1_op_type"),
    (r"pynative_op_intermediate_\d+_(type|detail)\.csv", "g1_pynative"),
    (r"framework_raw_\d+\.csv", "g1_framework_raw"),
    (r"(ascend|gpu)_cluster_analyse_.*\.csv", "g1_cluster_analyse"),
    (r"hccl_raw_\d+\.csv", "g1_hccl_raw"),
    (r"minddata_pipeline_summary_\d+\.csv", "md_pipeline_summary"),
    (r"l2_cache.*\.csv", "l2_cache"),
    (r"hbm.*\.csv", "hbm"),
    (r"hccs.*\.csv", "hccs"),
    (r"llc_read_write.*\.csv", "llc"),
    (r"nic.*\.csv", "nic"),
    (r"roce.*\.csv", "roce"),
    (r"pcie.*\.csv", "pcie"),
    (r"gpu_op_detail_info_\d+\.csv", "gpu_op_detail"),
    (r"gpu_op_type_info_\d+\.csv", "gpu_op_type"),
    (r"gpu_activity_data_\d+\.csv", "gpu_activity"),
    (r"cpu_op_detail_info_\d+\.csv", "cpu_op_detail"),
    (r"cpu_op_type_info_\d+\.csv", "cpu_op_type"),
]

US, MS, TICK, KB, MB = 1000, 10**6, 10, 1024, 1024 * 1024
KERNEL = [
    ("step", "Step Id|Step ID", 1),
    ("stream", "Stream ID", 1),
    ("task", "Task ID", 1),
    ("ts_ns", "Task Start Time(us)|Start Time(us)", US),
    ("dur_ns", "Task Duration(us)|Duration(us)", US),
    ("wait_ns", "Task Wait Time(us)|Wait Time(us)", US),
    ("device", "Device_id", 1),
]
STAT = [
    ("calls", "Count", 1),
    ("total_ns", "Total Time(us)|Time(us)", US),
    ("min_ns", "Min Time(us)|Min(us)", US),
    ("avg_ns", "Avg Time(us)|Avg(us)", US),
    ("max_ns", "Max Time(us)|Max(us)", US),
    ("share", "Ratio(%)", Decimal("0.01")),
]
SPLIT = [
    ("computing_ns", "Computing", US),
    ("comm_not_overlapped_ns", "Communication(Not Overlapped)", US),
    ("overlapped_ns", "Overlapped", US),
    ("communication_ns", "Communication", US),
    ("free_ns", "Free", US),
    ("stage_ns", "Stage", US),
    ("bubble_ns", "Bubble", US),
    ("preparing_ns", "Preparing", US),
]
G1STAT = [("calls", "execution_frequency", 1)]
ALLOC = [
    ("name_id", "Name", "text"),
    ("size_b", "Size(KB)", KB),
    ("alloc_ns", "Allocation Time(us)", US),
    ("release_ns", "Release Time(us)", US),
    ("dur_ns", "Duration(us)", US),
    ("active_dur_ns", "Active Duration(us)", US),
    ("stream", "Stream Ptr", 1),
]
for side in ("Allocation", "Release"):
    for what in ("Allocated", "Reserved", "Active"):
        col = "%s_total_%s_b" % ({"Allocation": "alloc", "Release": "release"}[side], what.lower())
        ALLOC += [(col, "%s Total %s(MB)" % (side, what), MB), (col, "%s Total %s(KB)" % (side, what), KB)]

# kind -> (table, [(column, header names, factor or "text")]); the rows of the table stand in the order of the
# file
SPEC = {
    "kernel_details": ("op_exec", KERNEL),
    "op_summary": ("op_exec", KERNEL),
    "task_time": (
        "op_exec",
        [
            ("stream", "stream_id", 1),
            ("task", "task_id", 1),
            ("dur_ns", "task_time(us)", US),
            ("ts_ns", "task_start(us)", US),
        ],
    ),
    "op_statistic": ("op_stat", STAT + [("type_id", "OP Type", "text")]),
    "api_statistic": (
        "api_stat",
        STAT + [("name_id", "API Name", "text"), ("variance", "Variance", Decimal(1))],
    ),
    "communication_statistic": (
        "comm_stat",
        STAT + [("type_id", "OP Type", "text"), ("device", "Device_id", 1)],
    ),
    "operator_details": (
        "host_op",
        [
            ("name_id", "Name", "text"),
            ("self_ns", "Host Self Duration(us)", US),
            ("dur_ns", "Host Total Duration(us)", US),
            ("device_self_ns", "Device Self Duration(us)", US),
            ("device_ns", "Device Total Duration(us)", US),
            ("stack_id", "Call Stack", "text"),
            ("aicore_self_ns", "Device Self Duration With AICore(us)", US),
            ("in_shapes_id", "Input Shapes", "text"),
        ],
    ),
    "fusion_op": (
        "fusion",
        [
            ("op_name_id", "Fusion Op", "text"),
            ("original_id", "Original Ops", "text"),
            ("total_b", "Memory Total(KB)", KB),
            ("model_id", "Model ID", 1),
        ],
    ),
    "l2_cache": (
        "task_cache",
        [
            ("stream", "Stream Id", 1),
            ("task", "Task Id", 1),
            ("name_id", "Op Name", "text"),
            ("l2_hit", "Hit Rate", Decimal(1)),
            ("l2_victim", "Victim Rate", Decimal(1)),
        ],
    ),
    "step_trace_time": ("step", SPLIT + [("step", "Step", 1)]),
    "step_trace": (
        "step",
        [
            ("step", "Iteration ID", 1),
            ("end_ns", "Iteration End(us)", US),
            ("total_ns", "Iteration Time(us)", US),
            ("refresh_ns", "Iteration Refresh(us)", US),
        ],
    ),
    "operator_memory": ("mem_alloc", ALLOC),
    "memory_record": (
        "mem_sample",
        [
            ("component_id", "Component", "text"),
            ("ts_ns", "Timestamp(us)", US),
            ("reserved_b", "Total Reserved(MB)", MB),
            ("allocated_b", "Total Allocated(MB)", MB),
            ("reserved_b", "Total Reserved(KB)", KB),
            ("allocated_b", "Total Allocated(KB)", KB),
        ],
    ),
    "npu_mem": (
        "mem_device",
        [
            ("process", "event", "text"),
            ("hbm_b", "hbm(KB)", KB),
            ("ddr_b", "ddr(KB)", KB),
            ("ts_ns", "timestamp(us)", US),
        ],
    ),
    "npu_module_mem": (
        "mem_module",
        [
            ("module_id", "Component", "text"),
            ("ts_ns", "Timestamp(us)", US),
            ("reserved_b", "Total Reserved(MB)", MB),
            ("reserved_b", "Total Reserved(KB)", KB),
        ],
    ),
    "static_op_mem": (
        "mem_tensor",
        [
            ("name_id", "Op Name", "text"),
            ("size_b", "Size(KB)", KB),
            ("graph_id", "Graph ID", 1),
            ("born_node", "Node Index Start", 1),
        ],
    ),
    "aicpu": (
        "aicpu_exec",
        [
            ("name_id", "Node", "text"),
            ("ts_ns", "Timestamp(us)", US),
            ("total_ns", "Total_time(us)", US),
            ("compute_ns", "Compute_time(us)", US),
            ("task", "Task ID", 1),
        ],
    ),
    "aicpu_mi": ("queue_sample", [("queue", "Node Name", "text"), ("size", "Queue Size", 1)]),
    "dp": (
        "queue_sample",
        [
            ("queue", "Source", "text"),
            ("size", "Cached Buffer Size", 1),
            ("ts_ns", "Timestamp(us)", US),
            ("action", "Action", "text"),
        ],
    ),
    "dataset": (
        "dataset_stage",
        [
            ("op", "Operation", "text"),
            ("stage", "Stage", "text"),
            ("count", "Occurrences", 1),
            ("avg_ns", "Avg. time (us)", US),
        ],
    ),
    "md_pipeline_raw": (
        "pipeline_op",
        [
            ("op", "op_id", 1),
            ("type_id", "op_type", "text"),
            ("workers", "num_workers", 1),
            ("queue_avg", "output_queue_average_size", Decimal(1)),
            ("parent", "parent_id", 1),
        ],
    ),
    "g1_op_detail": (
        "op_stat",
        G1STAT
        + [
            ("avg_ns", "execution_time|task_duration", Decimal(MS)),
            ("name_id", "full_op_name|full_kernel_name|full_op_time|full_kernel_time", "text"),
        ],
    ),
    "g1_op_type": (
        "op_stat",
        G1STAT
        + [
            ("total_ns", "execution_time|total_time", Decimal(MS)),
            ("type_id", "op_type|kernel_type", "text"),
            ("share", "percent", Decimal("0.01")),
        ],
    ),
    "g1_pynative": (
        "op_stat",
        G1STAT + [("avg_ns", "execution_time", Decimal(MS)), ("share", "percent", Decimal("0.01"))],
    ),
    "g1_aicpu": (
        "aicpu_exec",
        [
            ("name_id", "op_type", "text"),
            ("total_ns", "total_time", MS),
            ("compute_ns", "execution_time", MS),
            ("ts_ns", "run_start", US),
        ],
    ),
    "g1_framework_raw": (
        "op",
        [
            ("name_id", "full_op_name|full_kernel_name", "text"),
            ("task", "task_id", 1),
            ("stream", "stream_id", 1),
            ("block_num", "block_dim", 1),
            ("graph_id", "graph_id", 1),
        ],
    ),
    "gpu_op_detail": (
        "op_stat",
        [
            ("calls", "op_occurrences", 1),
            ("total_ns", "op_total_time(us)", Decimal(US)),
            ("name_id", "op_full_name", "text"),
            ("share", "total_proportion", Decimal(1)),
        ],
    ),
    "gpu_op_type": (
        "op_stat",
        [
            ("calls", "type_occurrences", 1),
            ("total_ns", "total_time(us)", Decimal(US)),
            ("type_id", "op_type", "text"),
        ],
    ),
    "gpu_activity": (
        "op_stat",
        [
            ("calls", "occurrences", 1),
            ("total_ns", "total_duration(us)", Decimal(US)),
            ("name_id", "name", "text"),
        ],
    ),
    "cpu_op_detail": (
        "op_stat",
        [
            ("calls", "op_occurrences", 1),
            ("total_ns", "op_total_time(ms)", Decimal(MS)),
            ("name_id", "full_op_name", "text"),
        ],
    ),
    "cpu_op_type": (
        "op_stat",
        [
            ("calls", "type_occurrences", 1),
            ("total_ns", "total_compute_time", Decimal(MS)),
            ("share", "percent", Decimal(1)),
        ],
    ),
}


def kind_of(name):
    for pattern, kind in KINDS:
        if re.fullmatch(pattern, name):
            return kind
    return None


def read_csv(path):
    with open(path, "rb") as f:
        text = f.read().decode("utf-8-sig", "surrogateescape")
    rows = [[c.strip(" \t") for c in row] for row in csv.reader(io.StringIO(text, newline="")) if row]
    return [h.strip() for h in rows[0]], rows[1:], text.endswith("\n")


def run_dump(tool, kind, path, gen):
    return subprocess.run([tool, kind, path, gen], stdout=subprocess.PIPE, check=True).stdout.decode(
        "utf-8", "surrogateescape"
    )


def dump(out):
    tables = {}
    for line in out.split("\n"):
        if not line:
            continue
        table, _, rest = line.partition("|")
        if table in ("note", "error"):
            tables.setdefault(table, []).append(rest)
            continue
        row = {}
        for part in rest.split("|"):
            key, _, value = part.partition("=")
            row[key] = re.sub(r"\\x([0-9a-f]{2})", lambda m: chr(int(m.group(1), 16)), value)
        tables.setdefault(table, []).append(row)
    return tables


def find(header, names):
    low = [h.lower() for h in header]
    for n in names.split("|"):
        if n.lower() in low:
            return low.index(n.lower())
    return None


def expected(text, factor):
    """The value a cell must become, as text or Decimal; None: NULL."""
    if text in NULLS:
        return None
    if factor == "text":
        return text
    try:
        value = Decimal(text) * factor
    except InvalidOperation:
        return None
    if isinstance(factor, int):
        value = value.quantize(Decimal(1), rounding=ROUND_HALF_UP)
    return value


def same(want, got):
    if want is None or got is None:
        return want is None and got is None
    if isinstance(want, str):
        return want.replace("\r\n", "\n") == got.replace("\r\n", "\n")
    got = Decimal(got)
    return got == want or (
        want != want.to_integral_value() and abs(got - want) <= abs(want) * Decimal("1e-12")
    )


class Check:
    def __init__(self):
        self.bad = 0
        self.cells = 0
        self.files = 0

    def fail(self, path, text):
        self.bad += 1
        if self.bad < 40:
            print("%s: %s" % (path, text))


def data_rows(kind, header, rows):
    """Rows that must come out as rows of the kind's table."""
    if kind == "g1_step_trace":
        return [r for r in rows if r[0].isdigit() and r[0] != "0"]
    if kind == "cluster_step_trace_time":
        return [r for r in rows if r[1] == "rank"]
    if kind in ("g1_cluster_analyse", "g1_hccl_raw"):
        return rows
    return rows


def compare_table(check, path, kind, header, rows, tables, unended):
    table, columns = SPEC[kind]
    got = tables.get(table, [])
    if len(got) != len(rows):
        check.fail(path, "%d rows of %s, %d lines" % (len(got), table, len(rows)))
        return
    for column, names, factor in columns:
        at = find(header, names)
        if at is None:
            continue
        for i, row in enumerate(rows):
            if unended and i == len(rows) - 1 and at == len(header) - 1:
                continue
            want = expected(row[at] if at < len(row) else "", factor)
            if want is not None and column in ("ts_ns", "alloc_ns", "release_ns") and want == 0:
                want = None
            if want is not None and names in ("Model ID", "Node Index End") and want == 4294967295:
                want = None
            if column in ("dur_ns", "wait_ns", "active_dur_ns") and want is not None and want < 0:
                want = None  # a defect of some writers: noted and left out
            if column == "device" and want is None:
                continue
            check.cells += 1
            if not same(want, got[i].get(column)):
                check.fail(
                    path,
                    "row %d column %s: %r in the file, %r is %r"
                    % (i + 1, header[at], row[at], column, got[i].get(column)),
                )
                break


def compare_kernels(check, path, header, rows, tables):
    """Texts of ops, counters, operations."""
    ops = {o["id"]: o for o in tables.get("op", [])}
    counters = {c["exec_id"]: c for c in tables.get("op_counter", [])}
    name, typ, shapes = (
        find(header, "Op Name|Name"),
        find(header, "OP Type|Type"),
        find(header, "Input Shapes"),
    )
    last = find(header, "Context ID")
    for i, row in enumerate(rows):
        op = ops[tables["op_exec"][i]["op_id"]]
        if not same(expected(row[name], "text"), op.get("name_id")) or not same(
            expected(row[typ], "text"), op.get("type_id")
        ):
            check.fail(path, "row %d: op %r" % (i + 1, op))
        if shapes is not None and not same(
            None if row[shapes] in NULLS else row[shapes].strip('"'), op.get("in_shapes_id")
        ):
            check.fail(path, "row %d: shapes %r" % (i + 1, op))
        got = counters.get(str(i + 1), {})
        for at in range(last + 1 if last is not None else len(header), len(row)):
            canonical, factor = counter_name(header[at])
            if not same(expected(row[at], factor), got.get(canonical)):
                check.fail(
                    path, "row %d: counter %s %r is %r" % (i + 1, canonical, row[at], got.get(canonical))
                )
                return
            check.cells += 1


def counter_name(column):
    m = re.fullmatch(r"(.*?)(\((us|KB|GB/s|%)\))?", column)
    base, unit = re.sub(r"[^a-z0-9]+", "_", m.group(1).lower()).strip("_"), m.group(3)
    factor = {"us": 1000, "KB": 1024, "%": Decimal("0.01"), "GB/s": Decimal(1), None: Decimal(1)}[unit]
    name = base + {"us": "_ns", "KB": "_b", "GB/s": "_gb_s", "%": "", None: ""}[unit]
    return {"aicore_time_ns": "aic_time_ns", "total_cycles": "aic_total_cycles"}.get(name, name), factor


def compare_g1_steps(check, path, header, rows, tables):
    """Step rows and the communication columns, read by position in the header here."""
    columns = [
        ("step", "step_num", 1),
        ("start_ns", "start_point", TICK),
        ("end_ns", "end_point", TICK),
        ("fp_ns", "fp_point", TICK),
        ("bp_ns", "bp_point", TICK),
        ("total_ns", "total", TICK),
        ("interval_ns", "iteration_interval", TICK),
        ("fp_bp_ns", "fp_and_bp", TICK),
        ("tail_ns", "tail", TICK),
    ]
    parts = []
    for i, row in enumerate(rows):
        got = tables["step"][i]
        for column, name, factor in columns:
            if not same(expected(row[header.index(name)], factor), got.get(column)):
                check.fail(path, "row %d %s: %r" % (i + 1, column, got.get(column)))
            check.cells += 1
        for at, name in enumerate(header):
            if not name.endswith("_start_point") or row[at] in ("0", ""):
                continue
            base = name[: -len("_start_point")]
            parts.append(
                (
                    row[0],
                    int(row[at]) * 10,
                    int(row[header.index(base + "_end_point")]) * 10,
                    int(row[header.index(base)]) * 10,
                )
            )
    got = [
        (p["step"], int(p["start_ns"]), int(p["end_ns"]), int(p["dur_ns"]))
        for p in tables.get("step_part", [])
    ]
    if sorted(got) != sorted(parts):
        check.fail(path, "%d parts, expected %d" % (len(got), len(parts)))


def compare_split(check, path, header, rows, tables):
    """Rows but the last (a mean when there are three and more), each value in ms."""
    steps = rows[:-1] if len(rows) > 2 else rows
    names = {
        "computation_time": "computing",
        "communication_alone_time": "comm_not_overlapped",
        "stage_time": "stage",
        "receive_alone_time": "bubble",
        "collective_communication_alone_time": "comm_no_receive",
    }
    want = [
        (str(i + 1), names[h], str((Decimal(row[k]) * MS).quantize(Decimal(1))))
        for i, row in enumerate(steps)
        for k, h in enumerate(header)
    ]
    got = [(p["step"], p["kind"], p["dur_ns"]) for p in tables.get("step_part", [])]
    check.cells += len(want)
    if want != got:
        check.fail(path, "step parts differ")


def compare_hccl(check, path, header, rows, tables):
    """Steps, ops and links, the JSON cells read with Python's json."""
    steps, ops, links = [], [], []

    def add_links(step, stat, name, cell):
        for pair, kinds in cell.items():
            for transport, v in kinds.items():
                src, dst = pair.split("-")
                links.append(
                    (
                        step,
                        stat,
                        name,
                        src,
                        dst,
                        transport,
                        int((v[0] * MS).quantize(Decimal(1), ROUND_HALF_UP)),
                        int((v[1] * 1000).quantize(Decimal(1), ROUND_HALF_UP)),
                        float(v[2] * 1000),
                    )
                )

    for row in rows:
        if row[0] == "-":
            continue
        cells = dict(zip(header, row))
        steps.append((row[0], Decimal(cells["communication_cost"]) * MS, Decimal(cells["wait_cost"]) * MS))
        load = lambda text: json.loads(text, parse_float=Decimal, parse_int=Decimal)
        add_links(row[0], "total", None, load(cells["link_info"]))
        for name, v in load(cells["communication_operator_cost"]).items():
            short = re.sub(r"^stream_\d+_\d+_", "", name)
            ops.append(
                (
                    row[0],
                    short,
                    int((v[1] * MS).quantize(Decimal(1), ROUND_HALF_UP)),
                    int((v[2] * MS).quantize(Decimal(1), ROUND_HALF_UP)),
                )
            )
            add_links(row[0], "op", short, v[3])
    got = [(s["step"], Decimal(s["total_ns"]), Decimal(s["wait_ns"])) for s in tables.get("comm_stat", [])]
    if len(got) != len(steps) or any(
        g[0] != w[0] or not near(g[1], w[1]) or not near(g[2], w[2]) for g, w in zip(got, steps)
    ):
        check.fail(path, "steps differ")
    got = [
        (o["step"], o["name_id"], int(o["transit_ns"]), int(o["wait_ns"]))
        for o in tables.get("comm_exec", [])
    ]
    if got != ops:
        check.fail(path, "ops differ")
    got = [
        (
            k["step"],
            k["stat"],
            k.get("name_id"),
            k["src_rank"],
            k["dst_rank"],
            k["transport"],
            int(k["time_ns"]),
            int(k["size_b"]),
            float(k["bandwidth"]),
        )
        for k in tables.get("comm_link", [])
    ]
    if len(got) != len(links) or any(
        g[:8] != w[:8] or abs(g[8] - w[8]) > abs(w[8]) * 1e-12 for g, w in zip(got, links)
    ):
        check.fail(path, "links differ")
    check.cells += len(links) * 9 + len(ops) * 4 + len(steps) * 3


def near(a, b):
    return abs(a - b) <= abs(b) * Decimal("1e-12")


def compare_samples(check, path, header, rows, tables):
    """Every number that is no label: value and time."""
    labels = {"device_id", "metric", "mode", "task", "funcid", "timestamp(us)"}
    prefix = re.sub(r"(_slice)?(_\d+)*\.csv$", "", os.path.basename(path))
    want = []
    for row in rows:
        say = [prefix] + [
            row[i] for i, h in enumerate(header) if h.lower() in labels - {"device_id", "timestamp(us)"}
        ]
        stamp = [
            str((Decimal(row[i]) * US).quantize(Decimal(1)))
            for i, h in enumerate(header)
            if h == "Timestamp(us)"
        ]
        want += [
            (" ".join(say + [h]), stamp[0] if stamp else None, Decimal(row[i]))
            for i, h in enumerate(header)
            if h.lower() not in labels and row[i] not in NULLS
        ]
    got = [(s["what"], s.get("ts_ns"), Decimal(s["value"])) for s in tables.get("host_sample", [])]
    check.cells += len(want)
    if got != want:
        check.fail(path, "samples differ: %r %r" % (got[:2], want[:2]))


def compare_summary(check, path, header, rows, tables):
    lines = {r[0]: r[1:] for r in [header] + rows}
    ops = tables.get("pipeline_op", [])
    if [o["op"] for o in ops] != lines["op_ids"]:
        check.fail(path, "ops differ")
    for column, key, factor in (
        ("workers", "num_workers", 1),
        ("queue_avg", "queue_average_size", Decimal(1)),
        ("queue_use", "queue_utilization_pct", Decimal("0.01")),
        ("parent", "parent_id", 1),
        ("cpu_share", "avg_cpu_pct", Decimal("0.01")),
        ("type_id", "op_names", "text"),
    ):
        for o, cell in zip(ops, lines[key]):
            check.cells += 1
            if not same(None if cell in ("-1", "-1.0") else expected(cell, factor), o.get(column)):
                check.fail(path, "%s of op %s" % (column, o["op"]))
    texts = sum(
        len(v)
        for k, v in lines.items()
        if k.startswith("per_") or k.endswith("_details") or k.startswith("bottleneck")
    )
    if texts != len(tables.get("doc", [])):
        check.fail(path, "%d texts, %d in the file" % (len(tables.get("doc", [])), texts))


def compare_file(check, tool, path, kind):
    header, rows, ended = read_csv(path)
    gen = "2" if "/gen2/" in path and "/pt_" not in path else "P"
    tables = dump(run_dump(tool, kind, path, gen))
    check.files += 1
    end = tables["end"][0]
    lines = len(rows) + (kind == "md_pipeline_summary")
    if end["state"] != "OK" or end["lost"] != "0" or int(end["rows"]) != lines:
        check.fail(path, "%s rows, %s lost, %s; %d lines" % (end["rows"], end["lost"], end["state"], lines))
    rows = data_rows(kind, header, rows)
    if kind == "g1_step_trace":
        compare_g1_steps(check, path, header, rows, tables)
    elif kind == "g1_cluster_analyse":
        compare_split(check, path, header, rows, tables)
    elif kind == "g1_hccl_raw":
        compare_hccl(check, path, header, rows, tables)
    elif kind == "md_pipeline_summary":
        compare_summary(check, path, header, rows, tables)
    elif kind in ("hbm", "hccs", "llc", "nic", "roce", "pcie"):
        compare_samples(check, path, header, rows, tables)
    elif kind in SPEC:
        spec_kind = kind
        if kind == "memory_record" and gen == "2":
            SPEC["memory_record_2"] = (
                SPEC[kind][0],
                [(c, n, 1000 * 1024 if f == MB else f) for c, n, f in SPEC[kind][1]],
            )
            spec_kind = "memory_record_2"
        compare_table(check, path, spec_kind, header, rows, tables, not ended)
    if kind in ("kernel_details", "op_summary"):
        compare_kernels(check, path, header, rows if ended else rows[:-1], tables)
    return header, rows, tables


def compare_notes(check, samples, results):
    """Row counts and sums of doc/formats/samples.md."""
    seen = 0
    with open(os.path.join(os.path.dirname(__file__), "../../doc/formats/samples.md"), encoding="utf-8") as f:
        lines = [l.split("|") for l in f if l.startswith("|") and " rows x " in l]
    for cells in lines:
        path, facts = cells[1].strip(), cells[5].strip()
        if path not in results:
            continue
        header, all_rows, rows, tables, kind = results[path]
        if int(re.match(r"(\d+) rows", cells[4].strip()).group(1)) != len(all_rows):
            check.fail(path, "rows differ from doc/formats/samples.md")
        for name, total in re.findall(r"sum\(([^=]*)\)=([0-9.eE+-]+)", facts):
            at = find(header, name)
            mapped = [
                (c, f) for c, n, f in SPEC.get(kind, ("", []))[1] if name.lower() in n.lower().split("|")
            ]
            mine = sum((Decimal(r[at]) for r in all_rows if at < len(r) and r[at] not in NULLS), Decimal(0))
            if mine != Decimal(total):
                check.fail(path, "sum(%s) is %s, doc/formats/samples.md has %s" % (name, mine, total))
            seen += 1
            if mapped and len(rows) == len(all_rows):
                got = sum(Decimal(r[mapped[0][0]]) for r in tables[SPEC[kind][0]] if mapped[0][0] in r)
                if abs(got - Decimal(total) * mapped[0][1]) > len(rows):
                    check.fail(
                        path, "sum of %s is %s, doc/formats/samples.md has %s" % (mapped[0][0], got, total)
                    )
    return seen


def main():
    tool, samples = sys.argv[1:3]
    check, results, skipped = Check(), {}, []
    for top in ("data/outputs", "data/msprof", "data/gen1", "data/gen2"):
        for folder, _, names in sorted(os.walk(os.path.join(samples, top))):
            for name in sorted(names):
                kind = kind_of(name)
                path = os.path.join(folder, name)
                if not kind or (kind == "aicpu" and name.startswith("aicpu_metrics")):
                    if name.endswith(".csv"):
                        skipped.append(path)
                    continue
                probe = subprocess.run(
                    [tool, kind, "/dev/null"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
                ).stderr
                if b"no parser" in probe:
                    skipped.append(path)
                    continue
                header, rows, tables = compare_file(check, tool, path, kind)
                all_rows = read_csv(path)[1]
                results[os.path.relpath(path, os.path.join(samples, "data/outputs"))] = (
                    header,
                    all_rows,
                    rows,
                    tables,
                    kind,
                )
    sums = compare_notes(check, samples, results)
    print(
        "files: %d, cells: %d, sums of doc/formats/samples.md: %d, differences: %d"
        % (check.files, check.cells, sums, check.bad)
    )
    if skipped:
        print(
            "CSV files of no kind with a parser here: %d (%s)"
            % (len(skipped), ", ".join(sorted({os.path.basename(p) for p in skipped}))[:600])
        )
    if check.files < 100 or sums < 40:
        print("too little was compared")
        return 1
    return 1 if check.bad else 0


if __name__ == "__main__":
    sys.exit(main())
