#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The verdict of the logs on jobs of every fault of the demo, against what the demo knows: class and rank, by
# the logs alone and with the profile; nobody else is accused with confidence high. The groups of a transformer
# are of two kinds, so that ranks wait in different communicators.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"

python3 - "$npuscope" "$tmp" <<'END'
import json, os, re, shutil, subprocess, sys

program, tmp = sys.argv[1:]
job, truth_file = tmp + "/job", tmp + "/truth.json"
kinds = re.search(r"--fault=KIND(.*?)--fault-rank", subprocess.run([program, "help", "demo"], capture_output=True,
                                                                   text=True).stdout, re.S)[1]
FAULTS = ("clean hang straggler killed host_oom device_oom aicore aicpu hbm_ecc link_down socket_init mismatch "
          "mismatch_arg data_stall disk_full py_exception segv sigterm").split()
unknown = [f for f in FAULTS if not re.search(r"\b%s\b" % f, kinds)]
assert not unknown, (unknown, kinds)
failed, verdicts, undecidable = [], 0, 0


def verdict(command):
    r = subprocess.run([program, command, "-q", "--format=json", job], capture_output=True, text=True)
    assert r.returncode in (0, 4), (command, r.returncode, r.stderr)
    said = json.loads(r.stdout)
    return (said["logs"] if "logs" in said else said)["verdict"]  # triage has it as a member, but for logs alone


for i, fault in enumerate(FAULTS):
    forms = ("torch_npu", 4), ("r27", 6)
    for era, ranks in forms[i % 2:][:1] if os.environ.get("NPUSCOPE_TEST_SLOW") else forms:
        shutil.rmtree(job, ignore_errors=True)
        demo = [program, "demo", "-q", "--raw", "--gen=2", "--steps=3", "--size=2000", "--model=transformer",
                "--era=" + era, "--ranks=%d" % ranks, "--servers=2", "--seed=%d" % (5 + i), "--fault=" + fault,
                "--truth=" + truth_file, job]
        subprocess.run(demo, check=True)
        with open(truth_file) as f:
            truth = json.load(f)
        for command in "logs", "triage":
            v, case = verdict(command), (fault, era, command)
            verdicts += 1
            right = v["ranks"] == truth["root_ranks"]
            if v["accuse"] and v["confidence"] == "high" and not right:
                failed.append((case, "accuses", v["ranks"], "not", truth["root_ranks"]))
            elif not truth.get("decidable", True):
                undecidable += 1
            elif v["class"] != truth["class"]:
                failed.append((case, v["class"], v["ranks"], "is", truth["class"], truth["root_ranks"]))
            elif not set(truth["root_ranks"]) <= set(v["ranks"]) or (v["confidence"] != "low" and not right):
                failed.append((case, v["ranks"], v["confidence"], "is", truth["root_ranks"]))
for f in failed:
    print("FAIL", *f)
print("%d verdicts, %d failed, %d cannot be decided" % (verdicts, len(failed), undecidable))
sys.exit(1 if failed else 0)
END
