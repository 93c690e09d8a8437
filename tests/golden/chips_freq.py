# SPDX-License-Identifier: Apache-2.0
"""Frequency of the AI cores where nothing changes it: by chip in the timeline and the database, or nowhere.

usage: chips_freq.py PROF EXPORTED LAYER TABLE   EXPORTED: results of timeline and db; LAYER: filled,
ends, none; TABLE: rows of AICORE_FREQ
"""
import glob
import json
import sqlite3
import sys

prof, out, layer, rows = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])


def said(pattern):
    with open(glob.glob(prof + "/device_0/" + pattern)[0]) as f:
        return json.load(f)


begin, end = int(said("start_info*")["collectionTimeBegin"]), int(said("end_info*")["collectionTimeEnd"])
mhz = int(said("info.json*")["DeviceInfo"][0]["aic_frequency"])
with open(glob.glob(out + "/mindstudio_profiler_output/msprof_2*.json")[0]) as f:
    points = [
        (e["ts"], e["args"]["MHz"]) for e in json.load(f) if e["ph"] == "C" and e["name"] == "AI Core Freq"
    ]
assert all(v == mhz for _, v in points)
stamps = [ts for ts, _ in points]
if layer == "none":
    assert not stamps, stamps[:3]
elif layer == "ends":
    assert stamps == ["%d.000" % begin, "%d.000" % end], stamps[:3]
else:  # a point every ms, the last one as end_info has it
    assert stamps[0] == "%d.000" % begin and stamps[-1] == str(end), stamps[:3]
    assert stamps[1:-1] == ["%d.0" % us for us in range(begin + 1000, end, 1000)], stamps[:3]
db = sqlite3.connect(glob.glob(out + "/msprof_*.db")[0])
has = db.execute("select count(*) from sqlite_master where name = 'AICORE_FREQ'").fetchone()[0]
got = db.execute("select timestampNs, freq from AICORE_FREQ").fetchall() if has else []
assert got == [(begin * 1000, mhz), (end * 1000, mhz)][:rows], got
print("chips: %d points of the frequency, %d rows" % (len(stamps), len(got)))
