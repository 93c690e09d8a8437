# SPDX-License-Identifier: Apache-2.0
"""Inputs and peers of the bench, made once in a work folder from the generators beside the samples."""
import gzip
import os
import shutil
import subprocess

import database
import repeat

# A real trace with host threads that are not sorted, deep nesting and overlapping tasks, below the folder of
# samples.
SAMPLE = "outputs/msinsight-text/level1/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json"


def warm(path):
    """Read a file, or a folder's files, into the page cache; returns its bytes."""
    if os.path.isdir(path):
        return sum(warm(os.path.join(d, f)) for d, _, fs in os.walk(path) for f in fs)
    total = 0
    with open(path, "rb") as f:
        while data := f.read(1 << 20):
            total += len(data)
    return total


class Inputs:
    """Files by name; each is generated when it is first asked for and stays."""

    def __init__(self, samples, work):
        self.samples, self.work = samples, work
        os.makedirs(work, exist_ok=True)
        self.gen = self._compile("gen", ["cc", "-O2"], "gen.c", [])

    def _compile(self, name, compiler, source, libs):
        out = os.path.join(self.work, name)
        if not os.path.exists(out):
            built = (
                shutil.which(compiler[0])
                and subprocess.run(
                    compiler + ["-o", out, os.path.join(self.samples, source)] + libs,
                    stderr=subprocess.DEVNULL,
                    check=False,
                ).returncode
                == 0
            )
            if not built:
                return os.path.join(self.work, f"{name}-is-not-here")
        return out

    def peer(self, name):
        """Path of a compiled peer; of nothing when its compiler or library is not here."""
        return {
            "sjpass": lambda: self._compile("sjpass", ["c++", "-O3"], "peers/sjpass.cpp", ["-lsimdjson"]),
            "py_trace": lambda: os.path.join(self.samples, "peers/py_trace.py"),
            "py_csv": lambda: os.path.join(self.samples, "peers/py_csv.py"),
        }[name]()

    def _generate(self, path, argv):
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            subprocess.run(
                [self.gen] + argv(path + ".part"),
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            os.rename(path + ".part", path)
        warm(path)
        return path

    def trace(self, events):
        return self._generate(
            os.path.join(self.work, f"trace{events}", "trace_view.json"), lambda p: ["trace", p, str(events)]
        )

    def sample(self, size_b):
        """The real trace repeated to that size, and its events; None where the samples are not."""
        source = os.path.join(self.samples, "..", "data", SAMPLE)
        path = os.path.join(self.work, f"sample{size_b}", "trace_view.json")
        if not os.path.exists(source):
            return None
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            events = repeat.repeat(source, path + ".part", size_b)
            with open(path + ".events", "w", encoding="ascii") as f:
                f.write(str(events))
            os.rename(path + ".part", path)
        warm(path)
        with open(path + ".events", encoding="ascii") as f:
            return path, int(f.read())

    def packed(self, path):
        """The same file as .gz in a folder of its own."""
        out = os.path.join(os.path.dirname(path) + ".gz", os.path.basename(path) + ".gz")
        if not os.path.exists(out):
            os.makedirs(os.path.dirname(out), exist_ok=True)
            with open(path, "rb") as f, gzip.open(out + ".part", "wb", 6) as o:
                shutil.copyfileobj(f, o, 1 << 20)
            os.rename(out + ".part", out)
        warm(out)
        return out

    def archive(self, folder, end):
        """The folder in an archive whose name has this end; None when it cannot be made here."""
        out = folder + end
        if not os.path.exists(out):
            made = subprocess.run(
                ["zip", "-qr", out + ".part" + end, os.path.basename(folder)]
                if end == ".zip"
                else ["tar", "-caf", out + ".part" + end, os.path.basename(folder)],
                cwd=os.path.dirname(folder),
                env={**os.environ, "XZ_OPT": "-1"},
                stderr=subprocess.DEVNULL,
                check=False,
            )
            if made.returncode:
                return None
            os.rename(out + ".part" + end, out)
        warm(out)
        return out

    def many_files(self, npuscope, files):
        """A small job of one rank with so many more files, of a kind that is known by its name."""
        job = os.path.join(self.work, f"files{files}")
        if not os.path.isdir(job):
            part = job + ".part"
            subprocess.run(
                [npuscope, "demo", "-q", "--ranks=1", "--steps=2", "--size=2000", part], check=True
            )
            folder = os.path.join(part, os.listdir(part)[0], "logs")
            for i in range(files):
                if i % 10000 == 0:
                    below = os.path.join(folder, f"part{i // 10000:02}")
                    os.makedirs(below)
                with open(os.path.join(below, f"trace_record_{i % 10000:06}.txt"), "xb"):
                    pass
            os.rename(part, job)
        return job

    def demo(self, npuscope, ranks, events):
        """A synthetic job of so many ranks."""
        folder = os.path.join(self.work, f"demo{ranks}-{events}")
        if not os.path.isdir(folder):
            subprocess.run(
                [npuscope, "demo", "-q", f"--ranks={ranks}", f"--size={events}", folder + ".part"], check=True
            )
            os.rename(folder + ".part", folder)
        warm(folder)
        return folder

    def raw(self, npuscope, records, counters=True):
        """A raw run of generation 1 that died, with about so many HWTS records (1600 a step); without
        counters of AI Core."""
        folder = os.path.join(self.work, f"raw{records}" + ("" if counters else "-hwts"))
        if not os.path.isdir(folder):
            steps = records // 1600 + 2
            subprocess.run(
                [
                    npuscope,
                    "demo",
                    "-q",
                    "--gen=1",
                    "--raw",
                    "--ranks=1",
                    f"--steps={steps}",
                    f"--crashed={steps - 1}",
                    folder + ".part",
                ],
                check=True,
            )
            for d, _, names in os.walk(folder + ".part"):
                for name in names if not counters else ():
                    if name.startswith("aicore"):
                        os.remove(os.path.join(d, name))
            os.rename(folder + ".part", folder)
        warm(folder)
        return folder

    def prof(self, tasks):
        """A raw PROF folder of so many device tasks (1000 a step); nothing of the runtime's own calls."""
        folder = os.path.join(self.work, f"prof{tasks}")
        if not os.path.isdir(folder):
            subprocess.run(
                [
                    "python3",
                    os.path.join(self.samples, "gen_prof.py"),
                    folder + ".part",
                    "--lean",
                    "--ops-per-step=1000",
                    f"--steps={tasks // 1000}",
                ],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            os.rename(folder + ".part", folder)
        warm(folder)
        return folder

    def rank(self, tasks):
        """The same in a rank folder of MindSpore 2.7, with about three events of the framework a task."""
        folder = os.path.join(self.work, f"rank{tasks}", "host_1_20260101000000000_ascend_ms")
        if not os.path.isdir(folder):
            subprocess.run(
                [
                    "python3",
                    os.path.join(os.path.dirname(os.path.abspath(__file__)), "framework_raw.py"),
                    self.prof(tasks),
                    folder + ".part",
                ],
                check=True,
                stdout=subprocess.DEVNULL,
            )
            os.rename(folder + ".part", folder)
        warm(folder)
        return folder

    def database(self, npuscope, mib, metrics=None):
        """Folder with a database of that size, and the statements that read what we read of it."""
        folder = os.path.join(self.work, f"database{mib}-{metrics}")
        path = os.path.join(folder, "ascend_pytorch_profiler_0.db")
        if not os.path.exists(folder + ".sql"):
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            sql = database.reading(database.make(npuscope, path, mib, metrics))
            with open(folder + ".sql", "w", encoding="ascii") as f:
                f.write(sql)
        warm(path)
        with open(folder + ".sql", encoding="ascii") as f:
            return folder, path, f.read()

    def table(self, kind, rows, names=10000):
        return self._generate(
            os.path.join(self.work, f"{kind}{rows}-{names}", f"{kind}_20250109155200.csv"),
            lambda p: ["csv", kind, p, str(rows), f"--names={names}"],
        )

    def names(self, table):
        """The op names of a task_time table, a line each."""
        out = os.path.join(os.path.dirname(table), "names.txt")
        if not os.path.exists(out):
            with open(table, encoding="utf-8") as f, open(out, "w", encoding="utf-8") as o:
                next(f)
                o.writelines(line.split(",", 2)[1] + "\n" for line in f)
        warm(out)
        return out

    def case(self, size, ranks=1):
        """Folder with that many rank directories of size S, M or L."""
        folder = os.path.join(self.work, f"case{size}{ranks}")
        if not os.path.isdir(folder):
            subprocess.run(
                ["sh", os.path.join(self.samples, "make_case.sh"), size, folder + ".part", str(ranks)],
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "GEN": self.gen},
            )
            os.rename(folder + ".part", folder)
        warm(folder)
        return folder
