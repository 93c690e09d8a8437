#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tutorial.py NPUSCOPE PAGE WORK [--update]: runs the commands of a page and compares what it shows of them.

Lines of a block that begin with "$ " are commands, with "> " their further lines; what follows is their
output. --update puts the output of now into the page, for whoever changed it on purpose to read again.
"""
import os
import subprocess
import sys


def run(command, env, work):
    r = subprocess.run(["sh", "-c", command], cwd=work, env=env, capture_output=True, text=True)
    if r.stderr:
        print(f"'{command}' says on standard error: {r.stderr.rstrip()}")
    return [line.rstrip() for line in r.stdout.splitlines()], not r.stderr


def block(lines, env, work):
    """The lines of a block as they should be, and whether all went well."""
    out, command, well, i = [], [], True, 0
    while i < len(lines) or command:
        line = lines[i] if i < len(lines) else ""
        if i < len(lines) and (line.startswith("$ ") and not command or line.startswith("> ") and command):
            command.append(line)
            out.append(line)
            i += 1
            continue
        if command:
            said, ok = run("\n".join(x[2:] for x in command), env, work)
            out += said
            well &= ok
            command = []
            while i < len(lines) and not lines[i].startswith("$ "):
                i += 1
            continue
        i += 1
    return out, well


def main():
    npuscope, page, work = sys.argv[1:4]
    env = dict(os.environ, PATH=os.path.join(work, "bin") + ":" + os.environ["PATH"], TZ="UTC", LC_ALL="C")
    os.makedirs(os.path.join(work, "bin"))
    os.symlink(npuscope, os.path.join(work, "bin", "npuscope"))
    with open(page) as f:
        lines = f.read().split("\n")
    new, inside, wrong, commands = [], None, 0, 0
    for line in lines:
        if line == "```" and inside is None:
            inside = []
        elif line == "```":
            out, well = block(inside, env, work)
            commands += sum(x.startswith("$ ") for x in inside)
            if out != inside or not well:
                wrong += 1
                print("\n".join(["the page shows:", *inside, "it should show:", *out, ""]))
            new += ["```", *out, "```"]
            inside = None
        elif inside is None:
            new.append(line)
        else:
            inside.append(line)
    if "--update" in sys.argv:
        with open(page, "w") as f:
            f.write("\n".join(new))
        return 0
    print(f"{commands} commands, {wrong} blocks differ")
    return 1 if wrong or not commands else 0


sys.exit(main())
