#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What is kept of PROF folders in files instead of memory gives the same results: exports of every chip, every
# row of a store.
npuscope=${top_builddir:-.}/npuscope
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
XDG_CACHE_HOME=$dir/cache TMPDIR=$dir/tmp
export XDG_CACHE_HOME TMPDIR
mkdir "$TMPDIR"
bad=0 n=0

# same CHIP MEMORY WHAT: that export made with so much memory is the one made with as much as there is
same() {
	out=$dir/$1-$3-$2
	mkdir "$out" "$out-usual"
	"$npuscope" export "$3" -dir "$prof" --output="$out-usual" >/dev/null 2>&1 || bad=1
	NPUSCOPE_MEMORY=$2 "$npuscope" export "$3" -dir "$prof" --output="$out" >/dev/null 2>&1 || bad=1
	(cd "$out" && find . -type f) | while read -r f; do
		usual=$(find "$out-usual" -path "$out-usual/$(echo "$f" | sed 's|^\./||; s/_[0-9]*\(\.[a-z]*\)$/_*\1/')")
		cmp "$out/$f" "$usual" >&2 && echo same || echo "$f differs"
	done >"$dir/said"
	if grep differs "$dir/said" || ! [ -s "$dir/said" ]; then
		echo "$1: export $3 with $2 MiB is another one"
		bad=1
	fi
	n=$((n + $(wc -l <"$dir/said")))
	rm -rf "$out" "$out-usual"
}

# rows DB: of tables that do not name when and where the store was made
rows() {
	for t in op_exec op_counter track step comm_exec api_stat mem_sample; do
		echo "$t"
		"$npuscope" query "SELECT * FROM $t" --db="$1" "$prof" -F csv 2>&1
	done
}

for chip in 910B 910A 310P 310B 950; do
	"$npuscope" -q demo --raw --gen=2 --chip=$chip --ranks=1 --steps=3 "$dir/$chip" >/dev/null || exit 1
	prof=$(find "$dir/$chip" -name 'PROF_*' -type d | head -n 1)
	for what in summary timeline db; do
		same $chip 0 $what
	done
	for m in 0 256; do
		NPUSCOPE_MEMORY=$m "$npuscope" -q import --db="$dir/$m.npus" "$prof" >/dev/null 2>&1 || bad=1
		rows "$dir/$m.npus" >"$dir/rows-$m"
		rm -f "$dir/$m.npus"*
	done
	cmp "$dir/rows-0" "$dir/rows-256" || bad=1
	[ "$(wc -l <"$dir/rows-0")" -gt 50 ] || { echo "$chip: only few rows"; bad=1; }
done
[ -z "$(ls "$TMPDIR")" ] || { echo "left: $(ls "$TMPDIR")"; bad=1; }
echo "$n files of exports are the same with and without memory"
exit $bad
