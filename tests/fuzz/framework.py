#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""First inputs of fuzz_raw_op_range: records of FRAMEWORK files that belong together, by thread and time also
to the calls of a PROF folder (tests/lib/prof_families.h). The corpus was made so. Usage: framework.py DIR
"""
import os
import struct
import sys

IS_TORCH, HAS_PROF, COUNTS, IS_26 = 1, 2, 4, 8
RANGES, MARKS, MEMORY, MS_RANGES, MS_MEMORY, SHAPES, CALLS, NAMES, PARAMS, GC, OLD_CALLS, OLD_MODULES = range(12)
NO_FLOW = 2**64 - 1
START = 10000  # of the calls of the PROF folder, whose thread is 1


def tlv(kind, fixed, texts):
    body = fixed + b"".join(struct.pack("<HI", t, len(s)) + s.encode() for t, s in texts)
    return struct.pack("<HI", kind, len(body)) + body


def piece(file, data):
    return struct.pack("<BH", file, len(data)) + data


def ms_range(i, name, event=4, flow=NO_FLOW, stack=0, length=40):
    fixed = struct.pack("<5Qi3Hb3B", 1, flow, i, START + 50 * i, START + 50 * i + length, 1, 4, event, 0, -1, 0, 0,
                        stack)
    return tlv(0, fixed, [(13, name), (14, "Default/" + name), (15, ""), (16, "")])


def ms_step(number, i, steps, event):
    fixed = struct.pack("<5Qi3Hb3B", 1, NO_FLOW, i, START + 50 * i, START + 50 * (i + steps), 1, 5, event, 0, -1, 0,
                        0, 0)
    name = "ProfilerStep#%d" % number
    return tlv(0, fixed, [(13, name), (14, name), (15, ""), (16, "")])


def named(i, name, fixed_b):
    fixed = struct.pack("<qqq6Q", START + 50 * i, START + 50 * i + 40, 0, 0, 1, 1, 0, NO_FLOW, i)
    return tlv(0, fixed + b"\0" * (fixed_b - 72), [(3, name), (6, "a.py(1):f|b.py(2):g")])


def pt_range(i, name, ids, scope=b"\0", length=40, sequence=-1, forward=0, thread=1):
    fixed = struct.pack("<3q4Q", START + 50 * i, START + 50 * i + length, sequence, 77, thread, thread, forward)
    texts = [name, "float;int", "2,3;4", "a.py(1): f;b.py(2): g", "net.layer"]
    return tlv(1, fixed + scope + b"\0", sorted(zip(ids, texts)))


def pt_mark(at, kind, correlation, name_field=1):
    return tlv(2, struct.pack("<q4Q", at, kind, correlation, 1 if kind > 1 else 9, 77), [(name_field, "Add")])


def pt_memory(i, address, kind, fixed_b):
    fixed = struct.pack("<5q", address, START + 50 * i + 5, 64 if kind == 0 else -64, 100, 1000)
    if fixed_b > 58:
        fixed += struct.pack("<qq", 100, 5)
    tail = {58: [20, 0], 75: [20, 0, kind], 76: [20, 0, kind, 0], 77: [20, 0, 0, kind, 0]}[fixed_b]
    return tlv(3, fixed + bytes(tail) + struct.pack("<QQ", 1, 77), [])


def ms_memory(i, address, owner, field):
    size = 64 if owner else NO_FLOW
    fixed = struct.pack("<i11QI4B", 0, 1, 77, START + 50 * i, address, size, 100, 100, 1000, 0, 0, 5, 0, 0, 0, 1, 0)
    return tlv(13, fixed, [(field, owner)])


def mindspore(how, ranges, step_event, owner_field):
    data = ms_step(3, 0, 6, step_event) + ms_step(4, 6, 6, step_event) if step_event else b""
    data += b"".join(ranges)
    memory = b"".join(ms_memory(i, 0x100 + i // 3, "op" if i % 3 < 2 else "", owner_field) for i in range(9))
    return bytes([how]) + piece(MS_RANGES, data) + piece(MS_MEMORY, memory)


def torch(how, ids, scope, name_field, memory_b, queue):
    data = pt_range(0, "ProfilerStep#7", ids, scope, 290) + pt_range(6, "ProfilerStep#8", ids, scope, 290)
    for i in range(12):
        data += pt_range(i, "aten::op%d" % i, ids, scope, 40, i // 2, 0 if i % 2 else 1, 9 if queue else 1)
        data += pt_range(i, "npu::inner", ids, scope, 20, thread=9 if queue else 1)
    marks = b""
    for i in range(12 if queue else 0):
        marks += pt_mark(START + 50 * i + 1, 0, i, name_field) + pt_mark(START + 50 * i + 2, 1, i, name_field)
        marks += pt_mark(START + 50 * i + 10, 2, i, name_field) + pt_mark(START + 50 * i + 45, 3, i, name_field)
    memory = b"".join(pt_memory(i, 0x100 + i // 3, i % 3, memory_b) for i in range(9))
    out = bytes([how | IS_TORCH]) + piece(RANGES, data) + piece(MEMORY, memory)
    return out + (piece(MARKS, marks) if queue else b"")


TENSOR = "7f00;7f01;float;4;8,2;2,1;20;0"


def python(names, params):
    """Two modules within a function, an optimizer, calls of C; numbers of the texts."""
    calls = b""
    for i, (key, tag) in enumerate(
        [(1, 0), (2, 0), (9, 2), (9, 3), (2, 1), (3, 0), (3, 1), (4, 0), (4, 1), (5, 0)] * 2
    ):
        calls += struct.pack("<4QB", START + 28 * i, 1, 77, key, tag)
    texts = ["train.py(3): main", "Linear######a1", "Linear######b2", "adam.py(9): step"]
    hashes = b"".join(tlv(4, struct.pack("<Q", i + 1), [(names, t)]) for i, t in enumerate(texts))
    of = tlv(5, struct.pack("<Q", 2), [(params, "weight)%s)}bias)%s)%s}" % (TENSOR, TENSOR, TENSOR))])
    of += tlv(5, struct.pack("<Q", 4), [(params + 1, "%s))step>%s]}" % (TENSOR, TENSOR))])
    gc = b"".join(struct.pack("<3Q", 77, START + 90 * i, START + 90 * i + 30) for i in range(4))
    return piece(CALLS, calls) + piece(NAMES, hashes) + piece(PARAMS, of) + piece(GC, gc)


def older_python():
    calls, modules = b"", b""
    for i in range(12):
        calls += tlv(4, struct.pack("<3QB", START + 50 * i, 1, 77, i // 2 % 2), [(2, "module.py(9): call")])
        modules += tlv(5, struct.pack("<3Q", i, 1, 77), [(2, "id%d" % (i % 3)), (3, "Conv2d")])
    return piece(OLD_CALLS, calls) + piece(OLD_MODULES, modules)


def main():
    ms = [ms_range(i, "KernelLaunch%d" % i, 4 + i % 3, flow=i // 2 if i % 5 else NO_FLOW) for i in range(12)]
    ms += [ms_range(2, "flow", length=1, flow=1), ms_range(1, "train.py(3):step", stack=1, flow=0, length=400)]
    newest, rc3, old = (2, 3, 4, 8, 9), (3, 4, 5, 8, 9), (3, 4, 5, 6, 7)
    seeds = {
        "ms27": mindspore(HAS_PROF | COUNTS, ms, 53, 13),
        "ms26": mindspore(IS_26, ms, 52, 13),
        "ms25": mindspore(HAS_PROF, [named(i, "Kernel::KernelLaunch::op%d" % i, 74) for i in range(9)], 0, 3),
        "ms23": mindspore(0, [named(i, "Kernel::KernelLaunch::op%d" % i, 73) for i in range(9)], 0, 3),
        "pt_queue": torch(HAS_PROF, newest, b"\0", 1, 77, True),
        "pt_noqueue": torch(HAS_PROF | COUNTS, newest, b"\0", 1, 76, False),
        "pt_rc3": torch(0, rc3, b"\0", 2, 75, True),
        "pt_old": torch(COUNTS, old, b"", 2, 58, True),
    }
    shapes = b"".join(tlv(3, b"", [(0, "MatMul"), (1, "2,3;4"), (2, "Float32;Int64")]) for _ in range(6))
    seeds["ms27"] += piece(SHAPES, shapes)
    seeds["pt_python"] = seeds["pt_noqueue"] + python(1, 1)
    seeds["pt_python_rc3"] = seeds["pt_rc3"] + python(2, 2)
    seeds["pt_python_old"] = seeds["pt_old"] + older_python()
    seeds["cut"] = seeds["pt_queue"][: len(seeds["pt_queue"]) // 2]
    seeds["length"] = seeds["ms27"].replace(struct.pack("<I", 1)[:1] + b"\0\0\0", b"\xff\0\0\0", 3)
    for name, data in seeds.items():
        with open(os.path.join(sys.argv[1], name), "wb") as f:
            f.write(data)


main()
