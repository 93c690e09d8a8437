#!/bin/sh
# The command line of msprof.py: what is refused, with which exit code (formats/msprof-raw.md 7), and that nothing is written where nothing can be.
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

expect 1 "wants summary, timeline or db" export -dir "$prof"
expect 1 "wants summary, timeline or db" export all -dir "$prof"
expect 1 "is no option of 'export'" export summary -dir "$prof" --rule communication
expect 1 "is no option of 'export'" export db -dir "$prof" --format csv
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
[ ! -d "$prof/mindstudio_profiler_output" ] || ! ls "$prof/mindstudio_profiler_output"/*.csv >/dev/null 2>&1 || {
	echo "tables were made of nothing"
	bad=1
}
expect 1 "is no option of 'query'" query -dir "$prof" --output x
expect 1 "all ranks below a folder" import -dir "$prof" --cluster
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
echo "msprof_cli: $n command lines"
exit $bad
