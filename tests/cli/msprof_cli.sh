#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The command line of msprof.py: what is refused, with which exit code (doc/formats/msprof.md#command-line),
# and that nothing is written where nothing can be.
npuscope=${top_builddir:-.}/npuscope
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
prof=$dir/PROF_000001_20260102030405678_ABCDEF
bad=0 n=0

# expect STATUS TEXT ARG...: the exit status, and a text on standard error ("": nothing is said)
expect() {
	want=$1 text=$2
	shift 2
	said=$("$npuscope" "$@" 2>&1 >/dev/null)
	got=$?
	n=$((n + 1))
	case $said in
	*"$text"*) ;;
	*) got="$got, and it says: $said" ;;
	esac
	[ "$got" = "$want" ] && return
	echo "npuscope $*: status $got, wanted $want and '$text'"
	bad=1
}

mkdir -p "$prof/host/data" "$prof/device_0/data"
echo '{"platform_version": "5", "pid": "1"}' >"$prof/host/info.json"
cp "$prof/host/info.json" "$prof/device_0/info.json.0"
touch "$dir/file"

expect 1 "wants summary, timeline, text or db" export -dir "$prof"
expect 1 "wants summary, timeline, text or db" export all -dir "$prof"
expect 1 "is no option of 'export summary'" export summary -dir "$prof" --rule communication
expect 1 "is no option of 'export db'" export db -dir "$prof" --format csv
expect 1 "-dir wants" export summary -dir=
expect 1 "wants a value" export summary -dir
expect 1 "csv or json" export summary -dir "$prof" --format xml
expect 1 "belong together" export summary -dir "$prof" --model-id 1
expect 1 "belong together" export timeline -dir "$prof" -iteration-id=1
expect 1 "up to 4294967295" export summary -dir "$prof" --model-id 4294967296 --iteration-id 1
expect 1 "from 1 on" export summary -dir "$prof" --model-id 1 --iteration-id 0
expect 9 "is 1 to 5" export summary -dir "$prof" --model-id 1 --iteration-id 1 --iteration-count 6
expect 9 "is 1 to 5" export summary -dir "$prof" --model-id 1 --iteration-id 1 --iteration-count 0
expect 1 "--rule is" analyze -dir "$prof" --rule all
expect 1 "the database comes from" analyze -dir "$prof" --type db
expect 2 "No such file" export summary -dir "$dir/none"
expect 2 "is no folder" export summary --collection-dir "$dir/file"
mkdir "$dir/empty"
expect 8 "" export summary -dir "$dir/empty"
expect 0 "without it everything is exported" export summary -dir "$prof" --iteration-count 2
expect 0 "every layer is exported" export timeline -dir "$prof" -reports "$dir/none.json"
expect 0 "host: start_info is missing" export summary -dir "=$prof" --clear
[ ! -d "$prof/mindstudio_profiler_output" ] ||
    ! ls "$prof/mindstudio_profiler_output"/*.csv >/dev/null 2>&1 || {
	echo "tables were made of nothing"
	bad=1
}
expect 1 "is no option of 'query'" query -dir "$prof" --output x
expect 8 "" query -dir "$dir/empty"
expect 1 "there is no step trace" export summary -dir "$prof" --model-id 1 --iteration-id 1
printf '{"platform_version": "5", "jobInfo": "a\\u001b[31mb"}' >"$prof/host/info.json"
case $("$npuscope" query -dir "$prof" 2>/dev/null | od -c) in
*033*)
	echo "query writes control bytes"
	bad=1
	;;
esac
"$npuscope" query -dir "$prof" 2>/dev/null | grep -q "device_0.*N/A.*N/A" || {
	echo "query does not list device_0"
	bad=1
}
# a profile by another name, with data
expect 1 "'export summary' wants -dir DIR" export summary
expect 1 "'analyze' wants -dir DIR" analyze --rule communication
expect 1 "--data-type is wanted" query -dir "$prof" --id 0
expect 1 "from 0 to 10" query -dir "$prof" --data-type 11
expect 11 "npuscope steps --rank=all" query -dir "$prof" --data-type 1
"$npuscope" demo -q --raw --gen=2 --steps=3 --ranks=2 "$dir/demo" || bad=1
mkdir "$dir/runs"
k=0
for run in "$dir"/demo/*/PROF_*; do
	mv "$run" "$dir/runs/run$k"
	k=$((k + 1))
done
run=$dir/runs/run0
# made TEXT PATTERN N: N files of the run
made() {
	# shellcheck disable=SC2086 # a list of words
	set -- "$1" "$3" "$run"/$2
	[ $(($# - 2)) -eq "$2" ] || {
		echo "$1: $(($# - 2)) files, wanted $2"
		bad=1
	}
}
expect 0 "" export summary -dir "$run"
expect 0 "" export timeline -dir "$run"
expect 0 "" export db -dir "$run"
expect 0 "" export summary -dir "$run"
# layers WANTED JSON: those of "cann" and "Ascend Hardware" that a timeline with this file of -reports has
layers() {
	printf '{"json_process": {%s}}' "$2" >"$dir/reports.json"
	rm -rf "$dir/layers"
	"$npuscope" export timeline -dir "$run" --output "$dir/layers" -reports "$dir/reports.json" >/dev/null 2>&1
	got=$(cat "$dir"/layers/mindstudio_profiler_output/msprof_*.json 2>/dev/null |
	    grep -o '"CANN"\|"Ascend Hardware"' | sort -u | tr -d '"\n')
	[ "$got" = "$1" ] || {
		echo "-reports $2: layers '$got', wanted '$1'"
		bad=1
	}
}
layers "CANN" '"cann": true'
layers "Ascend Hardware" '"cann": false, "ascend": true'
layers "Ascend HardwareCANN" ''
layers "Ascend HardwareCANN" '"cann": true, "nothing of the kind": false'
layers "Ascend HardwareCANN" '"cann": true, "ascend": 0'
made "exports after one another have different names" "mindstudio_profiler_output/op_summary_*.csv" 2
made "exports after one another have different names" "msprof_*.db" 4
expect 0 "" export db --collection "$run/" --out "$dir/short"
expect 0 "" analyze -dir "$run" -r communication,communication_matrix
expect 0 "" analyze -dir "$run" -r communication
expect 1 "may be -iteration-id or -iteration-count" export summary -dir "$run" --iteration 1
HOME=$dir expect 0 "" export db -dir "=~/runs/run0" "--output=$dir/home"
expect 1 "there is no model 7; there is model" export summary -dir "$run" --model-id 7 --iteration-id 1
model=$("$npuscope" query -dir "$run" | cut -f 5 | sed -n 3p | tr -d ' ')
expect 9 "has no iteration 9; there is model" export summary -dir "$run" --model-id "$model" --iteration-id 9
expect 9 "has no iteration 3 to 4; there is model" export timeline -dir "$run" --model-id "$model" \
    --iteration-id 3 --iteration-count 2
expect 2 "is no folder" export summary -dir "$run" --output="$dir/file"
expect 1 "run1: not exported as asked: there is no model 7" export summary -dir "$dir/runs" --model-id 7 \
    --iteration-id 1
case $("$npuscope" query -dir "$dir/runs" --data-type 0) in
'{"status": 0, "info": "", "data": "1"}') ;;
*)
	echo "two ranks are no cluster"
	bad=1
	;;
esac
XDG_CACHE_HOME=$dir/cache expect 0 "" import -dir "$dir/runs" --cluster
[ "$(XDG_CACHE_HOME=$dir/cache "$npuscope" ops -q --by=exec -F csv --no-cache "$dir/runs/run1" | wc -l)" -gt \
    100 ] || {
	echo "a PROF folder by another name is not read"
	bad=1
}
# tables beside the raw data take nothing away from what is shown
tracks() {
	"$npuscope" timeline -q --no-cache --by=tracks -F csv "$1" 2>/dev/null | wc -l
}
cp -r "$dir/runs/run1" "$dir/told"
"$npuscope" export summary -dir "$dir/told" >/dev/null 2>&1
[ "$(tracks "$dir/told")" -ge "$(($(tracks "$dir/runs/run1") - 2))" ] || {
	echo "after an export of tables $(tracks "$dir/told") tracks are shown, before $(tracks "$dir/runs/run1")"
	bad=1
}
# a link in place of a folder of results is not followed: nothing outside the profile is written
mkdir "$dir/outside"
echo precious >"$dir/outside/communication.json"
for case in "analyze:analyze" "export summary:mindstudio_profiler_output"; do
	rm -rf "$dir/linked" && cp -r "$run" "$dir/linked"
	rm -rf "$dir/linked/${case#*:}"
	ln -s "$dir/outside" "$dir/linked/${case#*:}"
	# shellcheck disable=SC2086 # a list of words
	expect 2 "is a symbolic link where results belong" ${case%%:*} -dir "$dir/linked"
done
rm "$dir/linked/mindstudio_profiler_output"
rm -rf "$dir/linked/analyze" && mkdir "$dir/linked/analyze"
for device in "$dir/linked/"device_*; do
	ln -s "$dir/outside" "$dir/linked/analyze/${device##*/}"
done
ln -s "$dir/outside/communication.json" "$dir/linked/analyze/communication.json"
expect 2 "a link out of the run: not followed" analyze -dir "$dir/linked"
mkdir "$dir/several"
for each in run0 run1; do
	ln -s "$dir/outside" "$dir/several/$each"
done
expect 2 "is a symbolic link where results belong" export summary -dir "$dir/runs" --output="$dir/several"
[ "$(cat "$dir/outside/communication.json")$(ls -A "$dir/outside")" = preciouscommunication.json ] || {
	echo "files outside the profile were touched"
	bad=1
}
for form in "export summary" "export db" analyze query import; do
	# shellcheck disable=SC2086 # a list of words
	"$npuscope" $form -dir "$run" -h | grep -q "export summary|timeline|text|db -dir DIR" || {
		echo "$form -h does not tell of msprof's forms"
		bad=1
	}
done

# The switches of CANN's program, called by its name or by ours: the same files as msprof.py's commands make.
"$npuscope" demo -q --gen=2 --steps=2 --raw --ranks=2 "$dir/gentwo" || bad=1
real=$(find "$dir/gentwo" -type d -name "PROF_*" | LC_ALL=C sort | head -n 1)
case $npuscope in
/*) ln -s "$npuscope" "$dir/msprof" ;;
*) ln -s "$PWD/$npuscope" "$dir/msprof" ;;
esac
# files FOLDER: what lies there, each name once without its time
files() {
	(cd "$1" && find . -type f | sed 's/_[0-9]\{14\}\./_T./' | LC_ALL=C sort -u)
}
# same WORDS COMMAND...: both on a copy, then the new files compared
same() {
	words=$1
	shift
	rm -rf "$dir/a" "$dir/b"
	cp -r "$real" "$dir/a"
	cp -r "$real" "$dir/b"
	n=$((n + 1))
	# shellcheck disable=SC2086 # a list of words
	for w in $words; do
		case $w in
		analyze) "$npuscope" analyze -dir "$dir/a" >/dev/null 2>&1 ;;
		*) "$npuscope" export "$w" -dir "$dir/a" >/dev/null 2>&1 ;;
		esac
	done
	"$@" --output="$dir/b" >"$dir/said" 2>&1 || {
		echo "$*: $(cat "$dir/said")"
		bad=1
	}
	files "$dir/a" >"$dir/a.list"
	files "$dir/b" >"$dir/b.list"
	files "$real" >"$dir/real.list"
	cmp -s "$dir/a.list" "$dir/b.list" && ! cmp -s "$dir/b.list" "$dir/real.list" && return
	echo "$*: not the files of $words"
	diff "$dir/a.list" "$dir/b.list"
	bad=1
}
same "summary timeline" "$dir/msprof" --export=on
same "summary timeline" "$npuscope" --export=on

same "summary timeline" "$dir/msprof" --export on --type=text --clear=on --python-path=/usr/bin/python3
same "summary timeline" "$dir/msprof" --summary-format=csv --analyze=off --export=on
same db "$dir/msprof" --export=on --type=db
same analyze "$dir/msprof" --analyze=on --rule=communication,communication_matrix --type text
rm -rf "$dir/b"
cp -r "$real" "$dir/b"
"$dir/msprof" --query=on --output="$dir/b" >"$dir/said" 2>&1
"$npuscope" query -dir "$dir/b" >"$dir/said.own" 2>&1
cmp "$dir/said" "$dir/said.own" && [ -s "$dir/said" ] || bad=1
XDG_CACHE_HOME=$dir/cache "$dir/msprof" --parse=on --output="$dir/b" | grep -q "$dir/b .* ok " || {
	echo "--parse=on reads nothing"
	bad=1
}
"$dir/msprof" export summary -dir "$dir/b" >"$dir/said" 2>&1 || bad=1
for help in "" --help -h; do
	# shellcheck disable=SC2086 # no word, or one
	"$dir/msprof" $help | grep -q -e "--export=on" || {
		echo "msprof $help: no help"
		bad=1
	}
done
# What was written and where: a line for each file with its path and size, nothing else.
for form in --type=text --type=db; do
	rm -rf "$dir/b"
	cp -r "$real" "$dir/b"
	(cd "$dir/b" && find "$PWD" -type f) | LC_ALL=C sort >"$dir/real.list"
	"$dir/msprof" --export=on $form --output="$dir/b" 2>/dev/null | sed 's/  [0-9.]* [KM]*i*B$//' |
	    LC_ALL=C sort >"$dir/said"
	(cd "$dir/b" && find "$PWD" -type f) | LC_ALL=C sort | LC_ALL=C comm -13 "$dir/real.list" - >"$dir/b.list"
	[ -s "$dir/said" ] && cmp "$dir/said" "$dir/b.list" || {
		echo "export $form does not say what it wrote"
		bad=1
	}
done
"$dir/msprof" --version | grep -q "^npuscope [0-9]" || {
	echo "msprof --version is not that of npuscope"
	bad=1
}
own=$npuscope npuscope=$dir/msprof
expect 1 "type 'npuscope ops'" ops "$prof"
expect 1 "beside --clear" --clear=on --output="$prof"
expect 1 "msprof: --export=on --type=db" --analyze=on --type=db --output="$prof"
expect 1 "CANN's own msprof does" --application=./a.out
expect 1 "CANN's own msprof does" ./a.out
expect 1 "CANN's own msprof does" --export=on --output="$prof" --ascendcl=on
expect 1 "is on or off" --export=yes --output="$prof"
expect 1 "is on or off" --export=on --output="$prof" --clear=1
expect 1 "give one at a time" --export=on --analyze=on --output="$prof"
expect 1 "is wanted" --export=off --output="$prof"
expect 1 "is wanted" --output="$prof"
expect 1 "msprof: --output=DIR" --export=on
expect 1 "wants a value" --export=on --output
expect 1 "--type is text or db" --export=on --type=csv --output="$prof"
expect 1 "the database comes from" --analyze=on --type=db --output="$prof"
expect 1 "is no option of 'export db'" --export=on --type=db --summary-format=csv --output="$prof"
expect 2 "No such file" --export=on --output="$dir/none"
npuscope=$own
rm -rf "$dir/a" "$dir/b" "$dir/gentwo"

if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod -R a+rX "$dir"
	as="setpriv --reuid=65534 --clear-groups"
else
	as=
	chmod a-w "$run"
fi
said=$($as "$npuscope" export summary -dir "$run" 2>&1)
got=$?
case $got,$(echo "$said" | wc -l),$said in
2,1,*"cannot write there: Permission denied; --output=DIR"*) ;;
*)
	echo "a folder that may not be written: status $got, $said"
	bad=1
	;;
esac
chmod 0 "$run/device_0/data"
[ -z "$as" ] && [ "$(id -u)" = 0 ] || {
	mkdir "$dir/open"
	chmod 777 "$dir/open"
	said=$($as "$npuscope" export summary -dir "$run" --output="$dir/open" 2>&1)
	got=$?
	case $got,$said in
	2,*"no permission to open the folder"*) ;;
	*)
		echo "a folder that may not be read: status $got, $said"
		bad=1
		;;
	esac
}
chmod -R u+rwX "$run"
echo "msprof_cli: $n command lines"
exit $bad
