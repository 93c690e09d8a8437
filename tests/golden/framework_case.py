# SPDX-License-Identifier: Apache-2.0
"""A case of the samples' gen2 as a folder that a run left."""
import os
import shutil

STAMP = "20240611062509123"


def build(samples, case, to):
    """A folder as the run left it: FRAMEWORK, profiler_info and PROF beside each other."""
    source = os.path.join(samples, "data", "gen2", case)
    folder = os.path.join(to, f"host_100_{STAMP}_ascend_{'pt' if case.startswith('pt') else 'ms'}")
    os.makedirs(folder)
    for name in os.listdir(source):
        if name.startswith("profiler_info"):
            shutil.copy(os.path.join(source, name), folder)
    if os.path.isdir(os.path.join(source, "FRAMEWORK")):
        shutil.copytree(os.path.join(source, "FRAMEWORK"), os.path.join(folder, "FRAMEWORK"))
    with open(os.path.join(source, "PROF.txt")) as f:
        prof = os.path.join(source, f.read().strip())
    for name in os.listdir(prof):
        if name.startswith("PROF_"):
            shutil.copytree(os.path.join(prof, name), os.path.join(folder, name))
    return folder, os.path.join(source, "expected")
