# SPDX-License-Identifier: Apache-2.0
"""What `npuscope schema` and the manual page say of the store's tables and views, against those that a store
has; and the worked statements, run.

usage: schema.py NPUSCOPE DIR      DIR holds the default demo
"""
import json
import subprocess
import sys

npuscope, run = sys.argv[1:]
compared = 0
INTERNAL = {"chunk", "lod", "long_event", "page_sum"}  # the timeline's own storage (doc/store.md#unit-tables)


def check(what, ok, detail=""):
    global compared
    compared += 1
    if not ok:
        sys.exit(f"FAIL: {what}: {detail}")


def out(*args):
    p = subprocess.run([npuscope, *args], capture_output=True, text=True)
    check(f"status of {args}", p.returncode == 0, p.stderr)
    return p.stdout


def query(sql):
    return json.loads(out("query", "-q", "-F", "json", sql, run))


# schema against the store.
said = {}
for row in json.loads(out("schema", "-F", "json")):
    columns = said.setdefault(row["table"], [])
    check("everything has a meaning", row["meaning"], row)
    if row["column"]:
        columns.append(row)
stored = query(
    "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'"
)
views = [s["name"] for s in stored if s["type"] == "view"]
check("there are views", len(views) >= 13, views)
own = [s["table_name"] for s in query("SELECT table_name FROM source WHERE table_name IS NOT NULL")]
names = [s["name"] for s in stored if s["name"] not in INTERNAL and s["name"] not in own]
names += ["event", "flow", "counter_sample"]
for name in names:
    check(f"{name} is documented", name in said, sorted(said))
    there = [c["name"] for c in query(f"SELECT name FROM pragma_table_xinfo('{name}') WHERE hidden <> 1")]
    listed = [c["column"] for c in said[name]]
    if name == "op_counter":  # a column for each counter that the run has
        there = there[: len(listed)]
    check(f"columns of {name}", there == listed, (there, listed))
check("nothing is documented that is not there", set(said) <= set(names), set(said) - set(names))
for name in views:
    one = json.loads(out("schema", name, "-F", "json"))
    check(f"schema {name}", [c["column"] for c in one[1:]] == [c["column"] for c in said[name]], one)
    measured = [c for c in one if c["column"].endswith(("_ns", "_b"))]
    check(f"units of {name}", all(c["unit"] for c in measured), measured)

# The manual page has each of them, in its own section, with the same words.
page = " ".join(out("help", "--man=npuscope-query").replace('"', "").replace("\\&", "").split())
for name in views:
    section = page.split(f".Ss View {name} ", 1)
    check(f"the manual has view {name}", len(section) == 2)
    section = section[1].split(".Ss ", 1)[0]
    for c in said[name]:
        item = f".It {c['column']} "
        check(f"the manual has {name}.{c['column']}", item in section.replace("Sy ", ""), section)

# The worked statements: ten, in the manual too, each with rows on the default demo.
examples = json.loads(out("schema", "examples", "-F", "json"))
check("there are ten", len(examples) == 10, len(examples))
used = set()
for x in examples:
    rows = query(x["sql"])
    check(f"'{x['question']}' has rows", rows, x["sql"])
    check("with values", all(any(v is not None for v in r.values()) for r in rows), rows)
    check("in the manual", x["question"] in page, x["question"])
    used |= {v for v in views if f" {v} " in x["sql"] + " " or f".{v} " in x["sql"]}
check("they show most of the views", len(used) >= 9, used)
p = subprocess.run([npuscope, "schema", "example"], capture_output=True, text=True)
check("a wrong name is helped", p.returncode == 2 and "did you mean 'examples'" in p.stderr, p.stderr)
print(f"schema: {compared} comparisons")
