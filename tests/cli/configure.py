# SPDX-License-Identifier: Apache-2.0
# configure.py NPUSCOPE DIR N: a profiler_config.json is edited N times while a reader polls it as a job does;
# the reader never meets anything but a whole file, and the keys that nobody knows, their order, mode and owner
# stay. Prints how often it was read and how many contents were seen.
import json
import os
import subprocess
import sys
import threading

npuscope, folder, edits = sys.argv[1], sys.argv[2], int(sys.argv[3])
path = os.path.join(folder, "profiler_config.json")
first = '{\n    "start_step": 0,\n    "mine": {"z": [1, 2, {"start_step": 3}], "a": null},\n    "stop_step": 0,\n' \
        '    "activities": ["CPU", "NPU"],\n    "note": "' + "x" * 6000 + '"\n}\n'
with open(path, "w") as f:
    f.write(first)
os.chmod(path, 0o640)
was = os.stat(path)
keys = list(json.loads(first))
stop = threading.Event()
reads, seen, times, bad = [0], set(), set(), []


def poll():
    while not stop.is_set() or not reads[0]:
        try:
            with open(path) as f:
                text = f.read()
            is_ = os.stat(path)
            got = json.loads(text)
            assert list(got) == keys, list(got)
            assert got["mine"] == {"z": [1, 2, {"start_step": 3}], "a": None}
            assert got["stop_step"] == got["start_step"] or got["stop_step"] + 2 == got["start_step"] + 4, got
            assert is_.st_mode == was.st_mode and (is_.st_uid, is_.st_gid) == (was.st_uid, was.st_gid)
            seen.add(got["start_step"])
            reads[0] += 1
        except Exception as e:  # noqa: any surprise is what this test is about
            bad.append(repr(e))
            return


reader = threading.Thread(target=poll, daemon=True)  # ends with the program, whatever happens
reader.start()
second = int(was.st_mtime)
for i in range(1, edits + 1):
    args = ["start_step=%d" % i] + (["step_num=3"] if i % 2 else ["stop_step=%d" % i])
    done = subprocess.run([npuscope, "configure", "-q"] + sum((["--set", a] for a in args), []) + [path])
    if done.returncode or bad:
        break
    now = int(os.stat(path).st_mtime)
    if now <= second:
        bad.append("the file's time is not a later second: %d after %d" % (now, second))
        break
    second = now
stop.set()
reader.join()
if bad or done.returncode:
    sys.exit("edit %d: status %d: %s" % (i, done.returncode, bad))
if os.listdir(folder) != ["profiler_config.json"]:
    sys.exit("left behind: %s" % os.listdir(folder))
if len(seen) < min(edits, 20) / 4:
    sys.exit("the reader saw only %d of %d contents" % (len(seen), edits))
end = json.load(open(path))
if end["start_step"] != edits:
    sys.exit("the last edit is not in the file")
print("%d edits, %d reads, %d contents seen" % (edits, reads[0], len(seen)))
