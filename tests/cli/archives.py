# SPDX-License-Identifier: Apache-2.0
"""Archives as profiles: every packing, and every hostile or damaged form, made here from a small demo run.

archives.py NPUSCOPE FOLDER: works in FOLDER, whose cache is FOLDER/cache. Prints what differs, status 1 if anything.
"""

import bz2
import gzip
import io
import lzma
import os
import shutil
import stat
import subprocess
import sys
import tarfile
import time
import warnings
import zipfile
import zlib

program, work = sys.argv[1:3]
cache = os.path.join(work, "cache", "npuscope")
place = os.path.join(cache, "unpacked")
failed = 0
checked = 0


def check(ok, what, *more):
    global failed, checked
    checked += 1
    if not ok:
        failed += 1
        print("FAIL", what, *more)


def npuscope(*args):
    r = subprocess.run([program, *args], capture_output=True, cwd=work)
    return r.returncode, r.stdout.decode("utf-8", "replace"), r.stderr.decode("utf-8", "replace")


def path(name):
    return os.path.join(work, name)


def demo(name, *options):
    status, _, err = npuscope("demo", "-q", "--steps=2", "--size=2000", *options, path(name))
    check(status == 0, "demo", err)


def members(name):
    """(path below the folder, bytes) of a demo, in order."""
    out = []
    for folder, folders, files in os.walk(path(name)):
        folders.sort()
        for f in sorted(files):
            full = os.path.join(folder, f)
            with open(full, "rb") as x:
                out.append((os.path.relpath(full, path(name)), x.read()))
    return out


def tar_bytes(files, extra=(), top="run"):
    """A tar archive of files; extra: TarInfo with bytes or None, put behind them."""
    b = io.BytesIO()
    with tarfile.open(fileobj=b, mode="w") as t:
        for name, data in files:
            info = tarfile.TarInfo(f"{top}/{name}" if top else name)
            info.size, info.mtime = len(data), 1700000000
            t.addfile(info, io.BytesIO(data))
        for info, data in extra:
            info.size = len(data or b"")
            t.addfile(info, io.BytesIO(data) if data else None)
    return b.getvalue()


def put(name, data):
    with open(path(name), "wb") as f:
        f.write(data)
    return path(name)


def info(name, kind=tarfile.REGTYPE, link=""):
    i = tarfile.TarInfo(name)
    i.type, i.linkname = kind, link
    return i


def zstd(data):
    if not shutil.which("zstd"):
        return None
    return subprocess.run(["zstd", "-qc"], input=data, capture_output=True, check=True).stdout


def zip_of(files, method=zipfile.ZIP_DEFLATED):
    b = io.BytesIO()
    with zipfile.ZipFile(b, "w", method) as z:
        for name, data in files:
            z.writestr(name, data)
    return b.getvalue()


def zip_bytes(files, method=zipfile.ZIP_DEFLATED):
    return zip_of([(f"run/{name}", data) for name, data in files], method)


before = None


def outside():
    """Everything below FOLDER but the cache, and the folder above it: what unpacking must not touch."""
    out = set()
    for folder, folders, files in os.walk(work):
        if folder == work:
            folders.remove("cache") if "cache" in folders else None
        for f in folders + files:
            full = os.path.join(folder, f)
            s = os.lstat(full)
            out.add((os.path.relpath(full, work), s.st_mode, s.st_size, s.st_mtime_ns))
    return out


def ops(name, *options):
    """The table of ops of an archive; nothing outside of the cache changes meanwhile, and the copy is private."""
    was, above = outside(), set(os.listdir(os.path.dirname(work)))
    status, out, err = npuscope("ops", "-F", "csv", *options, path(name))
    check(outside() == was, name, "something outside of the cache has changed", outside() ^ was)
    fresh = set(os.listdir(os.path.dirname(work))) - above
    check(not any("evil" in x for x in fresh), name, "something above the folder", fresh)
    for folder, folders, files in os.walk(place):
        check(".tmp." not in folder, name, "left", folder)
        for f in folders + files:
            mode = os.lstat(os.path.join(folder, f)).st_mode
            check(stat.S_ISREG(mode) and mode & 0o777 == 0o600 or stat.S_ISDIR(mode) and mode & 0o777 == 0o700,
                  name, f, oct(mode))
    return status, out, err


def good_forms(files, wanted):
    tar = tar_bytes(files)
    forms = {
        "run.tar": tar,
        "run.tar.gz": gzip.compress(tar),
        "run.tgz": gzip.compress(tar[: len(tar) // 2]) + gzip.compress(tar[len(tar) // 2 :]),
        "run.tar.xz": lzma.compress(tar),
        "run.tar.zst": zstd(tar),
        "run.tar.bz2": bz2.compress(tar),
        "run.tbz": bz2.compress(tar[: len(tar) // 2]) + bz2.compress(tar[len(tar) // 2 :]),
        "run.zip": zip_bytes(files),
        "stored.zip": zip_bytes(files, zipfile.ZIP_STORED),
        "no name of an archive": gzip.compress(tar),
        "flat_ascend_ms.tar": tar_bytes(files, top=""),
        "dot.tar": tar_bytes(files, top="./././run"),
    }
    for name, data in forms.items():
        if data is None:
            continue
        put(name, data)
        status, out, err = ops(name)
        check((status, out, err) == (0, wanted, ""), name, status, err, out[:200])
    for options in (["--no-cache"], ["-v"]):
        status, out, _ = ops("run.tar.gz", *options)
        check((status, out) == (0, wanted), "run.tar.gz", options, status)


def names_of_archive():
    """What is shown names the archive, and paths in it can be given."""
    for command in ("triage", "report"):
        status, out, _ = npuscope(command, path("run.tar"))
        check(status == 0 and path("run.tar") in out and "unpacked" not in out, command, out[:500])
    status, out, err = npuscope("import", "-F", "csv", path("run.tar"))
    check(path("run.tar") in out and "unpacked" not in out + err, "import", out, err)
    status, out, err = npuscope("files", "-F", "csv", path("run.tar/run"))
    check(status == 0 and "step_trace_time.csv" in out, "a path in the archive", out[:300], err)
    status, out, err = npuscope("files", path("run.tar/none"))
    check(status == 1 and "the archive has no 'none'" in err, "no such path", err)
    status, out, err = npuscope("analyse", path("run.tar"))
    check(status == 2 and "an archive is not written to" in err, "analyse", err)
    for words, instead in (
        (("export", "summary"), "npuscope export --output=DIR ARCHIVE"),
        (("export", "timeline"), "npuscope export --output=DIR ARCHIVE"),
        (("export", "db"), "npuscope export --output=DIR ARCHIVE"),
        (("analyze",), "npuscope comm ARCHIVE"),
        (("query",), "npuscope triage ARCHIVE"),
        (("import",), "npuscope import ARCHIVE"),
    ):
        for place in ("run.tar", "run.tar/run"):
            status, _, err = npuscope(*words, "-dir", path(place))
            check(status == 2 and f"is an archive, and -dir wants a folder: type '{instead}'" in err, words, err)
        status, _, err = npuscope(*[w.replace("ARCHIVE", path("run.tar")).replace("DIR", path(f"typed {words}"))
                                    for w in instead.split()[1:]])
        check(status == 0 or "no communication in this run" in err, "what is to be typed", instead, err)
    status, out, err = npuscope("export", "--output", path("exported"), path("run.tar"))
    check(status == 0 and os.listdir(path("exported")), "export", err)


def is_kept(wanted):
    """The copy is taken again, made anew when the archive changes, listed and removed."""
    def copies():
        return sorted(x for x in os.listdir(place) if x.startswith("kept"))

    put("kept.tar", tar_bytes(members("run")))
    ops("kept.tar")
    first = copies()
    inode = os.stat(os.path.join(place, first[0])).st_ino
    ops("kept.tar")
    check(copies() == first and os.stat(os.path.join(place, first[0])).st_ino == inode, "made again", copies())
    os.utime(path("kept.tar"), (1, 1))
    status, out, _ = ops("kept.tar")
    check(len(copies()) == 1 and copies() != first and out, "archive has changed", first, copies())
    # What was unpacked before the machine was started again may not have reached the disk.
    record = os.path.join(place, copies()[0], "npuscope-archive")
    with open(record) as f:
        lines = ["boot before" if x.startswith("boot ") else x for x in f.read().split("\n")]
    with open(record, "w") as f:
        f.write("\n".join(lines))
    status, out, err = ops("kept.tar")
    check((status, out) == (0, wanted), "a copy of an earlier start", status, err)
    with open(os.path.join(place, copies()[0], "npuscope-archive")) as f:
        check("boot before" not in f.read(), "a copy of an earlier start is taken")
    os.mkdir(os.path.join(place, copies()[0] + ".tmp.999999999"))  # no such process: the numbers end before
    os.utime(os.path.join(place, copies()[0], "npuscope-archive"), (1, 1))
    npuscope("ops", path("run.tar"))
    check(copies() == [], "an old copy, and one that a killed process left", copies())
    ops("kept.tar")
    status, out, _ = npuscope("cache", "list", "-F", "csv")
    check(f"{path('kept.tar')}," in out and ",unpacked," in out, "cache list", out)
    status, _, err = npuscope("cache", "remove", path("kept.tar"))
    check(status == 0 and "and 1 unpacked archive" in err and copies() == [], "cache remove", err, copies())


def hostile_tars(files, wanted):
    cases = [
        ("absolute", info("/tmp/evil.csv"), b"x", "an absolute path"),
        ("up", info("../evil.csv"), b"x", "leads out by '..'"),
        ("up inside", info("run/../../../evil.csv"), b"x", "leads out by '..'"),
        ("link out", info("run/evil", tarfile.SYMTYPE, "/etc"), None, "a symbolic link"),
        ("hard link out", info("run/evil", tarfile.LNKTYPE, "../../evil.csv"), None, "a link that leads out"),
        ("hard link to nothing", info("run/evil", tarfile.LNKTYPE, "run/none"), None, "not among the members"),
        ("device", info("run/evil", tarfile.CHRTYPE), None, "a device"),
        ("disk", info("run/evil", tarfile.BLKTYPE), None, "a device"),
        ("fifo", info("run/evil", tarfile.FIFOTYPE), None, "a FIFO"),
        ("deep", info("d/" * 40 + "evil"), b"x", "nested deeper than the limit"),
        ("long", info("run/" + "n" * 300), b"x", "the name is longer than the limit"),
        ("file as folder", info("run/" + files[0][0] + "/evil"), b"x", "have the same path"),
        ("folder as file", info("run"), b"x", "have the same path"),
        ("control", info("run/a\nb\x1b[31m/../../evil"), b"x", "leads out by '..'"),
        ("capitals", info("run/" + files[0][0].upper()), b"x", "in capitals alone"),
        ("twice", info("run/" + files[0][0]), files[0][1], "more than once"),
    ]
    for name, member, data, message in cases:
        put(f"{name}.tar", tar_bytes(files, [(member, data)]))
        status, out, err = ops(f"{name}.tar")
        check(status in (0, 4) and out == wanted, name, status, err, out[:200])
        check(message in err, name, "message", repr(err))
        check("\x1b" not in err, name, "a control byte", repr(err))
    # Through a link that stands before: nothing may be written behind it.
    chain = [(info("run/evil", tarfile.SYMTYPE, work), None), (info("run/evil/evil.csv"), b"x")]
    put("through a link.tar", tar_bytes(files, chain))
    status, out, err = ops("through a link.tar")
    check(out == wanted and "a symbolic link" in err and not os.path.exists(path("evil.csv")), "through a link", err)
    # The second name of a member that is there is a file like any other.
    moved = [(info("run/" + files[0][0], tarfile.LNKTYPE, "kept"), None)]
    put("hard link.tar", tar_bytes(files[1:], [(info("kept"), files[0][1])] + moved))
    status, out, err = ops("hard link.tar")
    check(status == 0 and out == wanted, "hard link", status, err)
    put("only links.tar", tar_bytes([], [(info("evil", tarfile.SYMTYPE, "/etc"), None)]))
    status, out, err = ops("only links.tar")
    check(status == 1 and "nothing could be unpacked" in err, "only links", err)


def hostile_zips(files, wanted):
    """The same names in a zip, where a link is a member with a mode."""
    link = zipfile.ZipInfo("run/evil")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    fifo = zipfile.ZipInfo("run/evil")
    fifo.create_system, fifo.external_attr = 3, (stat.S_IFIFO | 0o644) << 16
    cases = [
        ("absolute", "/tmp/evil.csv", "an absolute path"),
        ("up", "../evil.csv", "leads out by '..'"),
        ("up inside", "run/../../../evil.csv", "leads out by '..'"),
        ("link", link, "a symbolic link"),
        ("fifo", fifo, ""),
        ("deep", "d/" * 40 + "evil", "nested deeper than the limit"),
        ("capitals", "run/" + files[0][0].upper(), "in capitals alone"),
        ("twice", "run/" + files[0][0], "more than once"),
    ]
    for name, member, message in cases:
        data = files[0][1] if name == "twice" else b"/etc"
        b = io.BytesIO(zip_bytes(files))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the second name
            with zipfile.ZipFile(b, "a") as z:
                z.writestr(member, data)
        put(f"{name}.zip", b.getvalue())
        status, out, err = ops(f"{name}.zip")
        check(status in (0, 4) and out == wanted, name + ".zip", status, err, out[:200])
        check(message in err, name + ".zip", "message", repr(err))


def packed_members(files):
    """Single files of a run that are packed with gzip, in a folder and in an archive: states and rows."""
    name, body = next((n, d) for n, d in files if n.endswith("kernel_details.csv"))
    wrong = bytearray(gzip.compress(body))
    wrong[-6] ^= 1
    bomb = gzip.compress(body.split(b"\n")[0] + b"\n" + bytes(200 << 20))
    cases = (
        ("whole", gzip.compress(body), "ok", ""),
        ("cut", gzip.compress(body)[:-40], "TORN", "gzip stream is cut"),
        ("cut in its sum", gzip.compress(body)[:-4], "TORN", "gzip stream is cut"),
        ("wrong sum", bytes(wrong), "TORN", "gzip stream is damaged"),
        ("behind it", gzip.compress(body) + b"more", "TORN", "bytes after the gzip stream are ignored"),
        ("bomb", bomb, "LIMIT", "gzip stream unpacks to more than"),
        ("plain", body, "ok", ""),
    )
    lines = body.count(b"\n") - 1
    for what, data, state, note in cases:
        packed = [(n, d) for n, d in files if n != name] + [(name + ".gz", data)]
        top = path(f"packed {what}/run")
        for n, d in packed:
            os.makedirs(os.path.dirname(os.path.join(top, n)), exist_ok=True)
            with open(os.path.join(top, n), "wb") as f:
                f.write(d)
        put(f"packed {what}.tar.gz", gzip.compress(tar_bytes(packed)))
        for place_ in (path(f"packed {what}"), path(f"packed {what}.tar.gz")):
            query = "SELECT state, rows, ifnull(note, '') FROM source WHERE path LIKE '%kernel_details.csv.gz'"
            status, out, err = npuscope("query", "-q", "-F", "csv", "--no-header", place_, query)
            row = out.strip().split(",", 2)
            check(row[0] == state and note in row[2], "packed", what, place_, out, err)
            check(state != "ok" or row[1] == str(lines), "packed rows", what, out, lines)
            check(state != "TORN" or int(row[1]) > lines // 2, "packed rows of a cut one", what, out, lines)


def packed_all(name, *options):
    """Every file of a run packed with gzip, records and traces, too: the same tables."""
    demo(name, *options)
    packed = [(n + ".gz", gzip.compress(d)) for n, d in members(name) if d]
    for n, d in packed:
        os.makedirs(os.path.dirname(path(f"{name} packed/{n}")), exist_ok=True)
        put(f"{name} packed/{n}", d)
    for command in ("ops", "steps", "timeline", "memory", "host", "comm", "data"):
        tables = []
        for where in (name, name + " packed"):
            status, out, err = npuscope(command, "-q", "-r", "all", "-n", "1000000", "-F", "csv", path(where))
            alone = command == "comm" and "no communication in this run" in err  # one rank
            check(alone if status else len(out.splitlines()) > 1, where, command, out, err)
            tables.append(sorted(out.splitlines()))  # rows of one size stand in the order they were read
        check(tables[0] == tables[1], name, "packed", command, tables[1][:5])


def bombs(files, wanted):
    zeros = bytes(96 << 20)
    put("bomb.tar.gz", gzip.compress(tar_bytes(files, [(info("run/zeros"), zeros)])))
    put("bomb.tar.xz", lzma.compress(tar_bytes(files, [(info("run/zeros"), zeros)]), preset=0))
    put("bomb.zip", zip_bytes(files + [("zeros", zeros)]))
    for name in ("bomb.tar.gz", "bomb.tar.xz", "bomb.zip"):
        status, out, err = ops(name)
        check(status == 4 and out == wanted, name, status, err)
        check("larger than the limit" in err and "what follows is missing" in err, name, err)
        copies = [x for x in os.listdir(place) if x.startswith("bomb")]
        for folder, _, there in os.walk(os.path.join(place, copies[-1])):
            check("zeros" not in there, name, "part of the bomb is kept")
        npuscope("cache", "remove", path(name))


def damaged(files, wanted):
    tar = tar_bytes(files)
    last = files[-1][1]
    # Cut in the last file, at the end of a file, and in the packed stream.
    forms = {
        "cut.tar": (tar[: tar.rindex(last[:512]) + len(last) // 2], "is cut"),
        "cut at a file.tar": (tar[: tar.rindex(last[:512]) - 512], "is cut"),
        "cut.tar.gz": (gzip.compress(tar)[:-3000], "is cut"),
        "cut in its sum.tar.gz": (gzip.compress(tar)[:-4], "is cut"),
        "cut.tar.xz": (lzma.compress(tar)[:-3000], "is cut"),
        "cut.tar.zst": ((zstd(tar) or b"")[:-3000], "is cut"),
        "cut.tar.bz2": (bz2.compress(tar, 1)[:-3000], "is cut"),
        "cut.zip": (zip_bytes(files)[:-16000], ""),
    }
    for name, (data, message) in forms.items():
        if not data:
            continue
        put(name, data)
        status, out, err = ops(name)
        check(status == 4 and message in err and name in err, name, status, err)
        check(len(out.splitlines()) > 2, name, "whole members are lost", out)
        status, out, err = npuscope("triage", path(name))
        check(name in out and ("cut" in out or "damaged" in out), name, "no finding", out)
    # One byte of a file is another one than its sum says.
    data = bytearray(gzip.compress(tar))
    data[-6] ^= 1
    put("sum.tar.gz", data)
    status, out, err = ops("sum.tar.gz")
    check(status == 4 and out == wanted and "checksum of the whole is wrong" in err, "sum.tar.gz", status, err)
    # xz says it of a block, behind the members of which the last one is held back until the sum is known
    for name, data in (("sum.tar.xz", lzma.compress(tar)), ("sum.tar.zst", zstd(tar)), ("sum.tar.bz2", bz2.compress(tar))):
        if not data:
            continue
        data = bytearray(data)
        data[{".xz": -40, ".bz2": -3000}.get(os.path.splitext(name)[1], -2)] ^= 1
        put(name, data)
        status, out, err = ops(name)
        check(status in (1, 4) and name in err and "damaged" in err + out, name, status, err)
    data = bytearray(zip_bytes(files, zipfile.ZIP_STORED))
    name, body = next((n, d) for n, d in files if n.endswith("step_trace_time.csv"))
    data[data.index(body) + len(body) - 3] ^= 1
    put("sum.zip", data)
    status, out, err = ops("sum.zip")
    check(out == wanted and "wrong checksum" in err and os.path.basename(name) in err, "sum.zip", status, err)
    status, out, err = npuscope("files", "-F", "csv", path("sum.zip"))
    check("wrong checksum" in out, "sum.zip", "files", out)
    rows = [line for line in out.splitlines() if name.rsplit("/", 1)[-1] in line]
    check(len(rows) == 1 and "BAD" in rows[0], "sum.zip", "listed as absent, too", rows)
    for name, data in (("empty.tar", b""), ("zeros.tar", bytes(10240)), ("text.zip", b"PKnot"), ("head.tar", tar[:300])):
        put(name, data)
        status, out, err = ops(name)
        check(status == 1 and "is called an archive" in err, name, status, err)
    put("short.zip", zip_bytes(files)[:60])
    status, out, err = ops("short.zip")
    check(status == 1 and err, "short.zip", err)


def beside(files):
    """Archives beside the folders of runs are not opened, and every command says so; inside of one Files lists them."""
    os.mkdir(path("beside"))
    shutil.copytree(path("run"), path("beside/run"))
    put("beside/run.tar.bz2", bz2.compress(tar_bytes(files)))
    for command in ("triage", "files", "ops"):
        status, out, err = npuscope(command, path("beside"))
        check(status == 0 and f"{path('beside/run.tar.bz2')}: an archive: not opened, its path opens it" in err, command,
              "says nothing of the archive beside the run", status, err)
        check(npuscope(command, "-q", path("beside"))[2] == "", command, "-q")
    status, out, err = npuscope("import", "-F", "csv", path("beside"))
    check(status == 0 and any("run.tar.bz2" in x and "SKIPPED" in x for x in out.splitlines()), "import", out)
    put("beside/two.zip", b"")
    put("beside/run/three.zip", b"")
    err = npuscope("triage", path("beside"))[2]
    check("and 2 more archives: not opened" in err, "three archives", err)
    rank = next(f for f in os.listdir(path("beside/run")) if f.endswith("_ascend_ms"))
    put(f"beside/run/{rank}/in.tgz", b"x")
    status, out, err = npuscope("files", "-F", "csv", "--all-columns", path(f"beside/run/{rank}"))
    rows = [x for x in out.splitlines() if x.startswith("in.tgz,")]
    check(len(rows) == 1 and "its path opens it" in rows[0] and err == "", "files", rows, err)
    put("run.7z", b"7z\xbc\xaf\x27\x1c")
    status, out, err = npuscope("ops", path("run.7z"))
    check(status == 1 and "a tar (also in gzip, xz, zstd, bzip2) or zip" in err, "run.7z", status, err)


def inner(files, wanted):
    """Archives in archives are folders with their members, within the limits of the outer one."""
    demo("job", "--ranks=2")
    ranks = {}
    for name, data in members("job"):
        ranks.setdefault(name.split("/")[0], []).append((name, data))
    ranks = [x for top, x in sorted(ranks.items()) if any("/" in n for n, _ in x)]
    check(len(ranks) == 2, "ranks of the demo", [len(x) for x in ranks])
    rank0, rank1 = (tar_bytes(x, top="") for x in ranks)
    put("ranks.tar.gz", gzip.compress(tar_bytes([("r0.tar.gz", gzip.compress(rank0)), ("r1.zip", zip_of(ranks[1]))])))
    put("beside.tar", tar_bytes(ranks[0] + [("r1.tgz", gzip.compress(rank1))], top=""))
    put("two levels.tar", tar_bytes([("ranks.tar", tar_bytes([("r0.tar", rank0), ("r1.tar", rank1)], top="x"))]))
    for name in ("ranks.tar.gz", "beside.tar", "two levels.tar"):
        status, out, err = npuscope("ops", "-F", "csv", "--rank=all", path(name))
        want = npuscope("ops", "-F", "csv", "--rank=all", path("job"))[1]
        check((status, out, err) == (0, want, ""), name, status, err, out[:300])
    status, out, err = npuscope("triage", path("ranks.tar.gz"))
    check("r0.tar.gz/" in out and "r1.zip/" in out, "the folders of the ranks", out)
    status, out, err = npuscope("ops", "-F", "csv", path("ranks.tar.gz/run/r1.zip"))
    check(status == 0 and out == npuscope("ops", "-F", "csv", "--rank=1", path("job"))[1], "a path in both", err)

    deep = tar_bytes(files)
    for level in range(4):
        deep = tar_bytes([(f"level{level}.tar", deep)])
        status, out, err = ops(os.path.basename(put(f"deep{level}.tar", deep)))
        check((status, out, err) == (0, wanted, "") if level < 3 else status == 1 and
              "level0.tar: an archive in more archives than the limit, 3: it is not unpacked" in err,
              "deep", level, status, err)
    forms = {
        "absolute": (tar_bytes(files, [(info("/tmp/evil.csv"), b"x")]), "in.tar//tmp/evil.csv: an absolute path"),
        "up": (tar_bytes(files, [(info("../../evil.csv"), b"x")]), "in.tar/../../evil.csv: a path that leads out by '..'"),
        "link": (tar_bytes(files, [(info("run/evil", tarfile.SYMTYPE, "/etc"), None)]), "a symbolic link"),
        "deep": (tar_bytes(files, [(info("d/" * 31 + "evil"), b"x")]), "nested deeper than the limit"),
        "bomb": (gzip.compress(tar_bytes(files, [(info("run/zeros"), bytes(96 << 20))])), "larger than the limit"),
        "cut": (tar_bytes(files)[:-12000], "is cut"),
        "text": (b"no archive", "is called an archive, but is no tar"),
    }
    for name, (data, message) in forms.items():
        put(f"in {name}.tar.gz", gzip.compress(tar_bytes([("a/in.tar", data)] if name != "text" else
                                                         files + [("in.tar", data)], top="")))
        status, out, err = ops(f"in {name}.tar.gz")
        told = err + npuscope("files", "-F", "csv", path(f"in {name}.tar.gz"))[1]
        check((out == wanted or name == "cut") and message in told and status in (0, 4), "in", name, status, told)
        for folder, folders, there in os.walk(place):
            check("inner" not in folders and "wrap" not in folders, "in", name, "left", folder)
            check("zeros" not in there, "in", name, "part of the bomb is kept")
        npuscope("cache", "remove", path(f"in {name}.tar.gz"))
    left_out_inside(files, wanted)


def left_out_inside(files, wanted):
    """Two packings of an archive whose one member is left out: small, and without end where that is not counted."""
    huge = info("../x")
    huge.size = 1 << 36
    zeros = gzip.compress(bytes(64 << 20)) * 64
    inside = gzip.compress(huge.tobuf(tarfile.GNU_FORMAT)) + zeros
    put("over.tar.xz", lzma.compress(tar_bytes(files + [("in.tar.gz", inside)]), preset=1))
    began = time.monotonic()
    status, out, err = ops("over.tar.xz")
    told = err + npuscope("files", "-F", "csv", path("over.tar.xz"))[1]
    check(out == wanted and "unpacked it is larger than the limit" in told, "over", status, told)
    check(time.monotonic() - began < 60, "over: it took", time.monotonic() - began)
    npuscope("cache", "remove", path("over.tar.xz"))


def killed(wanted, files):
    """Killed while it unpacks: nothing that the next start takes for whole."""
    big = tar_bytes([("zeros", os.urandom(4 << 20) * 10)] + files)
    put("killed.tar", big)
    for wait in (0.005, 0.01, 0.02, 0.04):
        p = subprocess.Popen([program, "ops", path("killed.tar")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(wait)
        p.kill()
        p.wait()
    status, out, err = ops("killed.tar")
    check((status, out) == (0, wanted), "killed", status, err)
    left = [x for x in os.listdir(place) if ".tmp." in x]
    check(left == [], "killed: left", left)


demo("run", "--ranks=1")
run = members("run")
_, table, _ = npuscope("ops", "-F", "csv", path("run"))
check(len(table.splitlines()) > 10, "ops of the folder", table)
good_forms(run, table)
names_of_archive()
is_kept(table)
hostile_tars(run, table)
hostile_zips(run, table)
packed_members(run)
packed_all("analysed", "--ranks=1")
packed_all("raw1", "--ranks=2", "--raw")
packed_all("raw2", "--ranks=1", "--raw", "--gen=2")
bombs(run, table)
damaged(run, table)
beside(run)
inner(run, table)
killed(table, run)
left = [x for x in os.listdir(os.environ.get("TMPDIR", "/tmp")) if x.startswith("npuscope-archive.")]
check(left == [], "temporary folders are left", left)
print(f"archives: {checked} checks, {failed} wrong")
sys.exit(failed > 0)
