#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Line and branch coverage by folder from what gcov finds below the current (build) folder, and the ten files
# with most lines not run. Usage: run in a build made with --enable-coverage after its tests.
LC_ALL=C
export LC_ALL
command -v gcov >/dev/null || { echo "coverage: no gcov"; exit 1; }
find src parsers ui -name '*.gcda' 2>/dev/null | sort >coverage.files
[ -s coverage.files ] ||
    { echo "coverage: nothing recorded; configure with --enable-coverage and run make check"; exit 1; }

# gcov prints for every source: File 'x' / Lines executed:P% of N / [Branches ...] / Taken at least once:P% of
# N. A header's functions come once for each file that includes it; the best of them counts.
while IFS= read -r f; do
    gcov -n -b "$f" 2>/dev/null
done <coverage.files | awk -v top="$(cd "$(dirname "$0")/../.." && pwd)/" '
    /^File / {
        fresh = 1
        file = $0
        sub(/^File ./, "", file)
        sub(/.$/, "", file)
        if (index(file, top) == 1) file = substr(file, length(top) + 1)
        while (sub(/^\.\.\//, "", file));
    }
    # The last one has no File line of its own: it is the sum over all files.
    /^Lines executed:/ && !fresh { file = "" }
    /^Lines executed:/ { fresh = 0; sub(/^Lines executed:/, ""); set(line_hit, line_all) }
    /^Taken at least once:/ { sub(/^Taken at least once:/, ""); set(branch_hit, branch_all) }
    function set(hit, all, part) {
        split($0, part, /% of /)
        if (file !~ /^(src|parsers|ui)\//) return
        if (file in all && part[1] * part[2] / 100 <= hit[file]) return
        hit[file] = part[1] * part[2] / 100
        all[file] = part[2]
    }
    function ratio(a, b) { return b ? sprintf("%5.1f %% of %5d", 100 * a / b, b) : "    -          " }
    END {
        for (f in line_all) {
            folder = f
            sub(/\/[^\/]*$/, "", folder)
            lh[folder] += line_hit[f]; la[folder] += line_all[f]; bh[folder] += branch_hit[f]; ba[folder] += branch_all[f]
            th += line_hit[f]; ta += line_all[f]; tbh += branch_hit[f]; tba += branch_all[f]
            printf "2 %06d %-32s lines %s, branches %s\n", line_all[f] - line_hit[f], f, ratio(line_hit[f], line_all[f]), ratio(branch_hit[f], branch_all[f])
        }
        for (d in la) printf "1 %s %-32s lines %s, branches %s\n", d, d, ratio(lh[d], la[d]), ratio(bh[d], ba[d])
        printf "0 . %-32s lines %s, branches %s\n", "all", ratio(th, ta), ratio(tbh, tba)
    }' >coverage.rows
rm -f coverage.files
sed -n 's/^0 [^ ]* //p' coverage.rows
grep '^1' coverage.rows | sort | cut -d' ' -f3-
echo "most lines not run:"
grep '^2' coverage.rows | sort -r | head -n 10 | cut -d' ' -f3-
rm -f coverage.rows
