#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# npuscope pretty against Python's json: documents of all shapes, plain, compressed and from a pipe; cut and damaged
# ones; depth; bytes that could act on a terminal; memory that does not grow with the file.
set -u
. "${top_srcdir:-.}/tests/cli/lib.sh"

"$npuscope" demo -q --gen=2 --steps=1 --ranks=1 --size=3000 "$tmp/two" || exit 1
python3 - "$npuscope" "$tmp" <<'END'
import glob, gzip, json, os, random, resource, subprocess, sys
program, tmp = sys.argv[1:]
compared = 0

def pretty(arg, status=0, **more):
    r = subprocess.run([program, "pretty", arg], capture_output=True, **more)
    assert r.returncode == status, (arg, r.returncode, r.stderr)
    for byte in r.stdout:
        assert byte == 10 or byte >= 32 and byte != 127, ("control byte", byte, arg)
    return r.stdout.decode(), r.stderr.decode()

def put(data, name="in.json"):
    path = os.path.join(tmp, name)
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())
    return path

# Files of a profile.
for path in glob.glob(tmp + "/two/**/*.json", recursive=True):
    text, _ = pretty(path)
    want = json.load(open(path), parse_float=str, parse_int=str)
    assert json.loads(text, parse_float=str, parse_int=str) == want, path
    compared += 1
assert compared > 3

rng = random.Random(11)
def value(depth):
    kind = rng.randrange(8 if depth < 6 else 5)
    if kind == 0:
        return rng.choice([True, False, None])
    if kind == 1:
        return rng.choice([0, -1, 18446744073709551615, 1.5e300, -0.25, 1e-7])
    if kind < 5:
        return "".join(rng.choice("ab \\\"/\n\té中\U0001F600{}[],:") for _ in range(rng.randrange(12)))
    if kind == 5:
        return [value(depth + 1) for _ in range(rng.randrange(4))]
    return {"k%d%s" % (i, rng.choice(["", " \"", "\\", ":"])): value(depth + 1) for i in range(rng.randrange(4))}

for i in range(12 if os.environ.get("NPUSCOPE_TEST_SLOW") else 60):
    doc = {"a": value(0), "b": [value(0), {}]}
    for ascii in False, True:
        for separators in (",", ":"), (" , ", " :\n"):
            path = put(json.dumps(doc, ensure_ascii=ascii, separators=separators))
            want = json.dumps(doc, ensure_ascii=ascii, indent=4) + "\n"
            assert pretty(path)[0] == want, (doc, pretty(path)[0])
            compared += 1
    with open(path, "rb") as f:
        data = f.read()
    with gzip.open(put(b"", "in.json.gz"), "wb") as f:
        f.write(data)
    assert pretty(path + ".gz")[0] == want and pretty("-", input=data)[0] == want
    # Cut anywhere: the text is the whole one's beginning, without half a token.
    at = rng.randrange(1, len(data))
    part, said = pretty(put(data[:at]), status=4)
    assert "at byte %d" % at in said and "ends inside" in said, said
    assert want.startswith(part.rstrip("\n").rstrip(" ")), (part, want)
    compared += 3

# Several documents, words of Python, a byte order mark, text longer than any buffer.
assert pretty(put('{"a":1}\n[NaN,-Infinity]\n"x" 12'))[0] == '{\n    "a": 1\n}\n[\n    NaN,\n    -Infinity\n]\n"x"\n12\n'
assert pretty(put(b"\xef\xbb\xbf[]"))[0] == "[]\n"
for lead in range(14): # pieces of a long text never part a character or an escape
    text = "x" * lead + "é\\n😀\\u00e9" * 30000
    assert json.loads(pretty(put('["%s"]' % text))[0]) == json.loads('["%s"]' % text)
    compared += 1

# Damage: what is before is printed, the message has file, place and reason.
for data, at, why, before in ((b'{"a": 1, "b": tru}', 14, "is no JSON value", '{\n    "a": 1,\n    "b": '),
                              (b'[1 2]', 3, "no comma", '[\n    1'),
                              (b'{"a" 1}', 5, "no colon", '{\n    "a"'),
                              (b'{"a": 1]', 7, "does not match", '{\n    "a": 1'),
                              (b'[1, 012]', 4, "is no JSON value", '[\n    1'),
                              (b'{1: 2}', 1, "no key", '{'),
                              (b'[1, \x1b[2J]', 4, "begins no value", '[\n    1'),
                              (b'[1, "half', 9, "inside a string", '[\n    1'),
                              (b'', 0, "holds nothing", '')):
    text, said = pretty(put(data), status=4)
    assert text.rstrip("\n") == before, (data, text)
    assert "in.json" in said and "at byte %d" % at in said and why in said, (data, said)
    compared += 1
for data, at, why, want in ((b'["a\x1b[31m"]', 3, "control character", '["a\\u001b[31m"]'),
                            (b'["a\x00\n"]', 3, "2 such places", '["a\\u0000\\u000a"]'),
                            (b'["\xff"]', 2, "no UTF-8", '["\\ufffd"]'),
                            (b'["C:\\dir"]', 4, "begins no escape", '["C:\\\\dir"]'),
                            (b'[1,]', 3, "comma before", '[1]')):
    text, said = pretty(put(data), status=4)
    assert json.loads(text) == json.loads(want) and "at byte %d" % at in said and why in said, (data, text, said)
    compared += 1
assert "\\u202e" in pretty(put('["\u202e"]'))[0] # hidden characters are escapes, and no damage
deep = pretty(put("[" * 1000 + "]" * 1000))[0] # as deep as may be
assert deep.count("[") == deep.count("]") == 1000
assert "at byte 1000" in pretty(put("[" * 1001), status=4)[1] and "1000 levels" in pretty(put("[" * 1001), status=4)[1]
with gzip.open(put(b"", "in.json.gz"), "wb") as f:
    f.write(json.dumps(list(range(20000))).encode())
with open(tmp + "/in.json.gz", "rb") as f:
    whole = f.read()
text, said = pretty(put(whole[:len(whole) // 2], "cut.json.gz"), status=4)
assert text.startswith("[\n    0,\n    1,") and "cut.json.gz" in said, said
assert "No such file" in pretty(tmp + "/none.json", status=1)[1]
assert "compressed" in pretty("-", status=1, input=whole)[1]

# The same memory for one MB and for forty.
def peak(mb):
    row = b'{"name":"op","ts":1,"dur":2,"args":{"a":[1,2,3]}},' * 20000
    with open(tmp + "/big.json", "wb") as f:
        f.write(b"[")
        for _ in range(mb):
            f.write(row) # all at once it would count as memory of the child, which begins as a copy of us
        f.write(b"{}]")
    child = subprocess.Popen([program, "pretty", "-o", tmp + "/out.txt", tmp + "/big.json"])
    _, status, use = os.wait4(child.pid, 0)
    assert status == 0
    return use.ru_maxrss
small, big = peak(1), peak(40)
assert big < small + 2048, (small, big)
print("%d documents compared; %d KiB for 1 MB, %d KiB for 40 MB" % (compared, small, big))
END
