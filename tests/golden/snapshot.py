#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Memory snapshots of torch: rows of npuscope beside what the allocator did.

snapshot.py NPUSCOPE

A caching allocator is played: its state after every entry is what the test knows, while npuscope has only the
entries and the segments at the end. The snapshot is written by Python's pickle in protocols 2 to 5, and as
torch's own writer does: one mark for a list of any length, with and without type tags.
"""
import json
import os
import pickle
import random
import struct
import subprocess
import sys
import tempfile

FRAMES = [
    {"name": "at::empty_strided", "filename": "??", "line": 0},
    {"name": "forward", "filename": "/opt/py/torch/nn/modules/linear.py", "line": 125},
    {"name": "attention", "filename": "/opt/job/model.py", "line": 40},
    {"name": "mlp", "filename": "/opt/job/model.py", "line": 77},
    {"name": "train_step", "filename": "/opt/job/train.py", "line": 210},
    {"name": "<module>", "filename": "/opt/job/train.py", "line": 300},
]
STACKS = [[0, 1, 2, 4, 5], [0, 1, 3, 4, 5], [0, 4, 5], [0, 1], []]
OWNERS = ["attention (model.py:40)", "mlp (model.py:77)", "train_step (train.py:210)",
          "forward (linear.py:125)", "-"]
for i in range(300):  # most stacks are seen a few times only: in a segment, then in its allocation
    FRAMES.append({"name": "layer%d" % i, "filename": "/opt/job/layers.py", "line": 100 + i})
    STACKS.append([0, 1, 6 + i, 4, 5])
    OWNERS.append("layer%d (layers.py:%d)" % (i, 100 + i))


def text_of(stack):
    out = []
    for i in stack:
        f = FRAMES[i]
        out.append("%s (%s%s)" % (f["name"], f["filename"], ":%d" % f["line"] if f["line"] else ""))
    return "\n".join(out)


def block(address, size, asked, state, stack):
    return {"address": address, "size": size, "requested_size": asked, "state": state, "frames": stack}


class Allocator:
    """What a caching allocator does, entry by entry, with the truth after each of them."""

    def __init__(self, rng, device, first_entry, timed):
        self.rng, self.device, self.timed = rng, device, timed
        self.segments = {}  # address: size
        self.blocks = {}  # address: [asked, size, stack, born entry, state, segment]
        self.next_addr = 0x12c000000000 + device * (1 << 40)
        self.entries, self.samples, self.allocs = [], [], []
        self.recording = False
        self.first_entry = first_entry
        self.us = 1760000000000000

    def totals(self):
        states = [(b[0], b[4]) for b in self.blocks.values()]
        return (sum(n for n, s in states if s == "active_allocated"), sum(self.segments.values()),
                sum(n for n, s in states))

    def record(self, action, addr, size, stack=None):
        """Of an entry that happened: the totals are those after it."""
        if not self.recording:
            return 0
        e = {"action": action, "device_free" if action == "oom" else "addr": addr, "size": size, "stream": 0,
             "pool_id": (0, 0)}
        self.us += self.rng.randrange(1, 50)
        if self.timed:
            e["time_us"] = self.us
        if stack is not None and STACKS[stack]:
            e["frames"] = stack
        self.entries.append(e)
        self.samples.append((len(self.entries), action) + self.totals())
        return len(self.entries)

    def alloc(self):
        asked = self.rng.choice([1, 100, 512, 4096, 1 << 20, 3 << 20])
        size = (asked + 511) // 512 * 512
        stack = self.rng.randrange(len(STACKS))
        if not self.segments or self.rng.random() < 0.02:
            self.segments[self.next_addr] = 20 << 20
            self.record("segment_alloc", self.next_addr, 20 << 20, stack)
            self.room = (self.next_addr, 20 << 20)
            self.next_addr += 32 << 20
        # the segment with room, or one more
        base, left = self.room
        if left < size:
            self.segments[self.next_addr] = 20 << 20
            self.record("segment_map", self.next_addr, 20 << 20, stack)
            base, left = self.next_addr, 20 << 20
            self.next_addr += 32 << 20
        self.room = (base + size, left - size)
        self.blocks[base] = [asked, size, stack, 0, "active_allocated", None]
        self.blocks[base][3] = self.record("alloc", base, asked, stack)
        if self.recording:
            self.allocs.append({"addr": base, "asked": asked, "born": self.blocks[base][3], "freed": None,
                                "stack": stack})

    def find(self, addr, asked):
        for a in reversed(self.allocs):
            if a["addr"] == addr and a["freed"] is None:
                return a
        a = {"addr": addr, "asked": asked, "born": None, "freed": None, "stack": None}
        self.allocs.append(a)
        return a

    def free(self):
        held = [k for k, b in self.blocks.items() if b[4] == "active_allocated"]
        addr = self.rng.choice(held)
        b = self.blocks[addr]
        b[4] = "active_pending_free"
        n = self.record("free_requested", addr, b[0])
        if n:
            self.find(addr, b[0])["freed"] = n
        if self.rng.random() < 0.9:
            self.complete(addr)

    def complete(self, addr):
        b = self.blocks.pop(addr)
        self.record("free_completed", addr, b[0])

    def run(self, n):
        for i in range(n):
            self.recording = i >= self.first_entry
            held = sum(b[4] == "active_allocated" for b in self.blocks.values())
            pending = [k for k, b in self.blocks.items() if b[4] == "active_pending_free"]
            what = self.rng.random()
            if pending and what < 0.1:
                self.complete(self.rng.choice(pending))
            elif held > 150 or (held and what < 0.45):
                self.free()
            elif what > 0.995:
                self.record("oom", 1 << 20, 64 << 20)
            else:
                self.alloc()

    def snapshot_segments(self):
        out = []
        for base, size in sorted(self.segments.items()):
            blocks, at = [], base
            for addr, b in sorted(self.blocks.items()):
                if not base <= addr < base + size:
                    continue
                if addr > at:
                    stack = self.rng.randrange(-1, len(STACKS))
                    blocks.append(block(at, addr - at, 0, "inactive", stack))
                blocks.append(block(addr, b[1], b[0], b[4], b[2]))
                at = addr + b[1]
            if at < base + size:
                blocks.append(block(at, base + size - at, 0, "inactive", -1))
            held = [b for b in blocks if b["state"] != "inactive"]
            out.append({"device": self.device, "address": base, "total_size": size,
                        "allocated_size": sum(b["size"] for b in held if b["state"] == "active_allocated"),
                        "active_size": sum(b["size"] for b in held), "stream": 0,
                        "requested_size": sum(b["requested_size"] for b in held), "segment_type": "large",
                        "segment_pool_id": (0, 0), "is_expandable": False,
                        "frames": self.rng.randrange(len(STACKS)), "blocks": blocks})
        return out


def with_frames(value, lists):
    """Numbers of stacks become lists of frames, shared as torch shares them."""
    if isinstance(value, dict):
        return {k: (lists(v) if k == "frames" else with_frames(v, lists)) for k, v in value.items()}
    if isinstance(value, list):
        return [with_frames(v, lists) for v in value]
    return value


class TorchPickler:
    """As torch's own writer: protocol 2, one mark for a list, memo numbers for texts and frames."""

    def __init__(self, tags):
        self.tags, self.out, self.memo, self.n = tags, bytearray(b"\x80\x02"), {}, 0

    def put(self, key):
        self.memo[key] = self.n
        self.out += b"q" + bytes([self.n]) if self.n < 256 else b"r" + struct.pack("<I", self.n)
        self.n += 1

    def get(self, key):
        n = self.memo[key]
        self.out += b"h" + bytes([n]) if n < 256 else b"j" + struct.pack("<I", n)

    def text(self, s):
        if s in self.memo:
            self.get(s)
            return
        b = s.encode()
        self.out += b"X" + struct.pack("<I", len(b)) + b
        self.put(s)

    def open_tag(self):
        if self.tags and "tag" in self.memo:
            self.get("tag")
        elif self.tags:
            self.out += b"ctorch.jit._pickle\nrestore_type_tag\n"
            self.put("tag")

    def close_tag(self, kind):
        if self.tags:
            self.text(kind)
            self.out += b"\x86R"

    def value(self, v):
        if isinstance(v, str):
            self.text(v)
        elif isinstance(v, bool):
            self.out += b"\x88" if v else b"\x89"
        elif isinstance(v, int):
            if 0 <= v < 256:
                self.out += b"K" + bytes([v])
            elif -(1 << 31) <= v < 1 << 31:
                self.out += b"J" + struct.pack("<i", v)
            else:
                self.out += b"\x8a\x08" + struct.pack("<q", v)
        elif isinstance(v, tuple):
            for x in v:
                self.value(x)
            self.out += b"\x86"
        elif id(v) in self.memo:
            self.get(id(v))
        elif isinstance(v, list):
            self.open_tag()
            self.out += b"]("
            for x in v:
                self.value(x)
            self.out += b"e"
            self.close_tag("List[Any]")
            if not v or isinstance(v[0], dict) and "name" in v[0]:
                self.put(id(v))
        else:
            self.open_tag()
            self.out += b"}("
            for k, x in v.items():
                self.text(k)
                self.value(x)
            self.out += b"u"
            self.close_tag("Dict[Any, Any]")
            if "name" in v:
                self.put(id(v))

    def dump(self, v):
        self.value(v)
        return bytes(self.out + b".")


def query(tool, folder, sql):
    r = subprocess.run([tool, "query", sql, folder, "--format=ndjson", "--no-cache"], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)
    if r.returncode not in (0, 1):
        sys.exit("query failed (%d): %s" % (r.returncode, r.stderr.decode()))
    return [json.loads(line) for line in r.stdout.splitlines()]


def same(what, got, want):
    if got == want:
        return
    for i, (g, w) in enumerate(zip(got, want)):
        if g != w:
            sys.exit("%s: row %d is %r, not %r" % (what, i, g, w))
    sys.exit("%s: %d rows, not %d" % (what, len(got), len(want)))


def check(tool, name, data, allocators):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "dump_snapshot.pickle"), "wb") as f:
            f.write(data)
        state = query(tool, folder, "SELECT path, kind, state, lost FROM source WHERE kind = 'mem_snapshot'")
        same(name + ", file", [(r["path"], r["state"], r["lost"]) for r in state],
             [("dump_snapshot.pickle", "ok", 0)])
        rows = query(tool, folder, "SELECT device_type, line, event, allocated_b, reserved_b, active_b, "
                     "ts_ns + (SELECT origin_ns FROM rank) AS at FROM mem_sample ORDER BY device_type, line")
        want = []
        for a in allocators:
            times = [e.get("time_us") for e in a.entries]
            want += [("NPU:%d" % a.device, n, w, al, re, ac, times[n - 1] and times[n - 1] * 1000)
                     for n, w, al, re, ac in a.samples]
            if not a.entries:
                want.append(("NPU:%d" % a.device, 0, "snapshot") + a.totals() + (None,))
        same(name + ", curve", [tuple(r.values()) for r in rows], want)
        rows = query(tool, folder, "SELECT device_type, addr, size_b, line, release_line, at_peak, block_b, "
                     "(SELECT text FROM string s WHERE s.id = name_id) AS owner, (SELECT text FROM string s "
                     "WHERE s.id = stack_id) AS stack FROM mem_alloc")
        want, peaks = [], {}
        for a in allocators:
            base = a.totals()[0]
            if a.entries:
                sign = {"alloc": -1, "free_requested": 1}.get(a.samples[0][1], 0)
                base = a.samples[0][2] + sign * a.entries[0]["size"]
            peak, most = 0, base
            for n, _, allocated, _, _ in a.samples:
                if allocated > most:
                    peak, most = n, allocated
            peaks["NPU:%d" % a.device] = most
            live = {k: b for k, b in a.blocks.items() if b[4] == "active_allocated"}
            known = {x["addr"] for x in a.allocs if x["freed"] is None}
            held = a.allocs + [{"addr": k, "asked": b[0], "born": None, "freed": None, "stack": b[2]}
                               for k, b in live.items() if k not in known]
            for x in held:
                end = x["freed"] is None
                at_peak = (x["born"] or 0) <= peak and (end or x["freed"] > peak)
                stack = STACKS[x["stack"]] if x["stack"] is not None else []
                want.append(("NPU:%d" % a.device, x["addr"], x["asked"], x["born"], x["freed"], int(at_peak),
                             live[x["addr"]][1] if end else None, OWNERS[x["stack"]] if stack else None,
                             text_of(stack) if stack else None))
        key = repr
        got = sorted((tuple(r.values()) for r in rows), key=key)
        same(name + ", allocations", got, sorted(want, key=key))
        rows = query(tool, folder, "SELECT device_type, sum(size_b) AS b FROM mem_alloc WHERE at_peak "
                     "GROUP BY 1")
        same(name + ", peak", {r["device_type"]: r["b"] for r in rows}, {k: v for k, v in peaks.items() if v})
        holders = subprocess.run([tool, "memory", "--by=holder", folder, "--format=ndjson", "--no-cache"],
                                 stdout=subprocess.PIPE, check=True).stdout.splitlines()
        total = sum(json.loads(h)["peak_b"] for h in holders)
        same(name + ", holders", [total], [sum(peaks.values())])
        return len(got), sum(len(a.samples) for a in allocators)


def main(tool):
    rng = random.Random(20260101)
    one = Allocator(rng, 0, 400, False)
    one.run(9000)
    other = Allocator(rng, 1, 0, False)
    other.run(300)
    whole = Allocator(rng, 0, 0, True)
    whole.run(500)
    still = Allocator(rng, 0, 10 ** 9, False)
    still.run(200)
    cases = [("two devices", [one, other]), ("with times", [whole]), ("no trace", [still])]
    allocations = entries = 0
    for name, allocators in cases:
        lists = {i: [FRAMES[k] for k in s] for i, s in enumerate(STACKS)}
        lists[-1] = []
        snapshot = {"segments": [s for a in allocators for s in a.snapshot_segments()],
                    "device_traces": [a.entries for a in allocators] + [[]]}
        snapshot = with_frames(snapshot, lambda v: lists[v] if isinstance(v, int) else v)
        files = [("protocol %d" % p, pickle.dumps(snapshot, p))
                 for p in range(2, min(5, pickle.HIGHEST_PROTOCOL) + 1)]
        files += [("torch", TorchPickler(False).dump(snapshot)),
                  ("torch, tags", TorchPickler(True).dump(snapshot))]
        for how, data in files:
            a, n = check(tool, "%s, %s" % (name, how), data, allocators)
            allocations, entries = allocations + a, entries + n
    print("snapshot: %d files, %d entries, %d allocations: all as played" %
          (len(cases) * 6, entries, allocations))


if __name__ == "__main__":
    main(sys.argv[1])
