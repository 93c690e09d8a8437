#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A strategy file of r1.8 as r1.7 would have written it (protobuf), through `npuscope analyse`: the same
document comes out, as json.dumps prints it.

parallel.py NPUSCOPE SAMPLES
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

exe, samples = os.path.abspath(sys.argv[1]), sys.argv[2]
# message: field -> number, type or message (a list: repeated); of MindSpore's anf_ir.proto
PARALLEL = {"version": (1, "string"), "config": (2, "CONFIG"), "graph": (3, "GRAPH")}
CONFIG = {
    "rankId": (1, "uint"),
    "stageId": (2, "uint"),
    "parallelType": (3, "string"),
    "stageDevices": (4, ["SHAPE"]),
}
GRAPH = {
    "node": (1, ["NODE"]),
    "name": (2, "string"),
    "parameters": (3, ["PARAMETER"]),
    "outputs": (4, ["OUTPUT"]),
    "constVals": (5, ["NAMED"]),
}
NODE = {
    "input": (1, ["INPUT"]),
    "name": (2, "string"),
    "opType": (3, "string"),
    "scope": (4, "string"),
    "attribute": (5, ["ATTRIBUTE"]),
    "outputType": (6, "TYPE"),
    "outputI": (7, "uint"),
    "fullName": (8, "string"),
    "instanceName": (10, "string"),
}
INPUT = {"name": (1, "string"), "type": (2, "edge")}
ATTRIBUTE = {"name": (1, "string"), "value": (2, "VALUE")}
NAMED = {"key": (1, "string"), "value": (2, "VALUE")}
PARAMETER = {"name": (1, "string"), "type": (2, "TYPE"), "defaultVal": (3, "VALUE")}
OUTPUT = {"name": (1, "string"), "type": (2, "TYPE")}
VALUE = {
    "dtype": (1, "data"),
    "boolVal": (2, "bool"),
    "intVal": (3, "uint"),
    "uintVal": (4, "uint"),
    "floatVal": (5, "float"),
    "doubleVal": (6, "double"),
    "strVal": (7, "string"),
    "boolVals": (10, ["bool"]),
    "intVals": (11, ["uint"]),
    "floatVals": (13, ["float"]),
    "values": (18, ["VALUE"]),
    "dictVal": (19, ["NAMED"]),
    "typeVal": (20, "TYPE"),
}
TYPE = {"dataType": (1, "data"), "tensorType": (2, "TTENSOR"), "sequenceType": (3, "SEQUENCE")}
TTENSOR = {"elemType": (1, "data"), "shape": (2, "SHAPE")}
SEQUENCE = {"elemTypes": (1, ["TYPE"])}
SHAPE = {"dim": (1, ["DIM"])}
DIM = {"size": (1, "uint"), "name": (2, "string")}
DATA = (
    "UNDEFINED BOOL INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64 FLOAT16 FLOAT32 FLOAT64 STRING TENSOR "
    "GRAPH BOOLS INTS8 INTS16 INTS32 INTS64 UINTS8 "
    "UINTS16 UINTS32 UINTS64 FLOATS16 FLOATS32 FLOATS64 STRINGS TENSORS GRAPHS TUPLE LIST DICT NONE SYM_INST "
    "BASE_INT BASE_UINT BASE_FLOAT TYPE "
    "ANYTHING REFKEY REF"
).split()


def varint(v):
    v &= (1 << 64) - 1
    out = b""
    while v > 127:
        out += bytes([v & 127 | 128])
        v >>= 7
    return out + bytes([v])


def block(number, b):
    return varint(number << 3 | 2) + varint(len(b)) + b


def encode_one(number, kind, v):
    if kind == "string":
        return block(number, v.encode())
    if kind == "float":
        return varint(number << 3 | 5) + struct.pack("<f", v)
    if kind == "double":
        return varint(number << 3 | 1) + struct.pack("<d", v)
    if kind.isupper():
        return block(number, encode(globals()[kind], v))
    if kind == "data":
        v = DATA.index(v[3:])
    if kind == "edge":
        v = ("DATA_EDGE", "CONTROL_EDGE").index(v)
    return varint(number << 3) + varint(int(v))


def encode(message, obj):
    """Fields in the order of the document: the writer has to put them in the order of their numbers."""
    out = b""
    for key, v in obj.items():
        number, kind = message[key]
        for x in v if isinstance(kind, list) else [v]:
            out += encode_one(number, kind[0] if isinstance(kind, list) else kind, x)
    return out


def ordered(message, obj):
    out = {}
    for key in sorted(obj, key=lambda k: message[k][0]):
        kind = message[key][1]
        if isinstance(kind, list):
            out[key] = [ordered(globals()[kind[0]], x) if kind[0].isupper() else x for x in obj[key]]
        else:
            out[key] = ordered(globals()[kind], obj[key]) if kind.isupper() else obj[key]
    return out


def check(what, doc):
    with tempfile.TemporaryDirectory(prefix="npuscope-parallel-") as tmp:
        raw, out = os.path.join(tmp, "profiler"), os.path.join(tmp, "out")
        os.mkdir(raw)
        with open(os.path.join(raw, "parallel_strategy_pb_0.bin"), "wb") as f:
            f.write(encode(PARALLEL, doc))
        with open(os.path.join(raw, "pipeline_profiling_0.json"), "w") as f:
            f.write('{"sampling_interval": 10, "op_info": []}')
        p = subprocess.run(
            [exe, "analyse", "--ms-version=r1.6", "--output=" + out, raw], capture_output=True, text=True
        )
        path = os.path.join(out, "parallel_strategy_0.json")
        got = open(path).read() if os.path.exists(path) else "exit %d: %s" % (p.returncode, p.stderr)
        want = json.dumps(ordered(PARALLEL, doc), indent=2)
        if got == want:
            print("%s: %d bytes equal" % (what, len(want)))
            return 0
        at = next((i for i, (a, b) in enumerate(zip(want, got)) if a != b), min(len(want), len(got)))
        print(
            "%s: DIFFERENT at byte %d\n  want %r\n  got  %r"
            % (what, at, want[max(0, at - 60) : at + 60], got[max(0, at - 60) : at + 60])
        )
        return 1


def rows(folder, name, content):
    """Ops with a strategy, and the configuration, as the tables have them."""
    os.mkdir(folder)
    with open(os.path.join(folder, name), "wb") as f:
        f.write(content)
    out = ""
    for sql in (
        "SELECT s.text, t.text, v.text FROM op o JOIN string s ON s.id = o.name_id LEFT JOIN string t ON "
        "t.id = o.type_id "
        "JOIN string v ON v.id = o.strategy_id ORDER BY 1, 3",
        "SELECT key, value FROM setting WHERE key IN ('rankId', 'stageId', 'parallelType') ORDER BY 1",
    ):
        p = subprocess.run(
            [exe, "query", "-q", "--no-cache", "--format=csv", "--no-header", folder, sql],
            capture_output=True,
            text=True,
        )
        out += p.stdout + ("" if p.returncode in (0, 4) else "exit %d: %s" % (p.returncode, p.stderr))
    return out


def check_rows(what, doc, least):
    """The protobuf gives the rows that the document gives."""
    with tempfile.TemporaryDirectory(prefix="npuscope-parallel-") as tmp:
        want = rows(os.path.join(tmp, "json"), "parallel_strategy_0.json", json.dumps(doc).encode())
        got = rows(os.path.join(tmp, "pb"), "parallel_strategy_pb_0.bin", encode(PARALLEL, doc))
        n = len(got.splitlines())
        whole = encode(PARALLEL, doc)
        cut = rows(os.path.join(tmp, "cut"), "parallel_strategy_pb_0.bin", whole[: len(whole) * 4 // 5])
        if not set(cut.splitlines()) < set(got.splitlines()) or len(cut.splitlines()) >= n:
            print("%s: cut, it gives other rows:\n%s" % (what, cut[:400]))
            return 1
        print(
            "%s: %d rows %s"
            % (what, n, "equal" if want == got else "DIFFERENT:\n" + want[:400] + "\nand\n" + got[:400])
        )
        return int(want != got or n < least)


bad = check_rows(
    "strategies",
    {
        "config": {"rankId": 3, "stageId": 1, "parallelType": "auto_parallel"},
        "graph": {
            "node": [
                {
                    "name": "1",
                    "opType": "MatMul",
                    "fullName": "Default/MatMul-op1",
                    "attribute": [
                        {
                            "name": "strategy",
                            "value": {
                                "dtype": "DT_TUPLE",
                                "values": [
                                    {"values": [{"intVal": "2"}, {"intVal": "4"}]},
                                    {"values": [{"intVal": "4"}, {"intVal": "1"}]},
                                ],
                            },
                        },
                        {"name": "other", "value": {"intVal": "9"}},
                    ],
                },
                {
                    "name": "2",
                    "opType": "ReLU",
                    "fullName": "Default/ReLU-op2",
                    "attribute": [{"name": "gen_strategy", "value": {"strVal": "((1), true)"}}],
                },
                {"name": "3", "opType": "Add", "fullName": "Default/Add-op3"},
            ]
        },
    },
    5,
)
bad += check(
    "kinds of values",
    {
        "version": "1",
        "config": {"rankId": 0, "stageDevices": [{"dim": [{"size": "-1", "name": "\u00e9\"\\"}, {}]}, {}]},
        "graph": {
            "node": [
                {
                    "outputI": "18446744073709551615",
                    "attribute": [
                        {
                            "name": "a",
                            "value": {
                                "dtype": "DT_FLOAT32",
                                "boolVal": True,
                                "floatVal": 0.1,
                                "doubleVal": 1e-05,
                                "floatVals": [1.5, 16777216.0, 3.4028235e38, -0.3333333],
                                "intVals": ["-5", "7"],
                                "boolVals": [False],
                            },
                        },
                        {
                            "value": {
                                "values": [{"dtype": "DT_TUPLE"}, {"dictVal": [{"key": "k", "value": {}}]}]
                            }
                        },
                    ],
                    "input": [{"name": "x", "type": "CONTROL_EDGE"}],
                }
            ]
        },
    },
)
deep = {"dtype": "DT_TUPLE"}
for _ in range(40):
    deep = {"values": [deep]}
bad += check("nested values", {"graph": {"parameters": [{"defaultVal": deep}]}})
folder = os.path.join(samples, "data/outputs/mindinsight/parallel_strategy")
for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
    if name.startswith("parallel_strategy_"):
        with open(os.path.join(folder, name)) as f:
            doc = json.load(f)
            bad += check(name, doc)
            bad += check_rows(name, doc, 2)
sys.exit(1 if bad else 0)
