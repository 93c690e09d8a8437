# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Shared by the lint scripts: which files there are, how a breach is printed, how a script
# ends. Use: . "$(dirname "$0")/lib.sh"; then lint_begin NAME "$@". Every script takes the tree to check as
# its argument (default: the tree it lies in), so that selftest.sh can point it at a tree with planted
# breaches.

LC_ALL=C
export LC_ALL
lint_dir=$(cd "$(dirname "$0")" && pwd)

# LINT_SKIP: names of rules that are left out, where the same files were looked at already.
lint_begin() {
    lint_name=$1
    case " ${LINT_SKIP:-} " in *" $lint_name "*)
        echo "$lint_name: skipped (LINT_SKIP)"
        exit 77
        ;;
    esac
    tree=$(cd "${2:-$lint_dir/../..}" && pwd) || exit 99
    cd "$tree" || exit 99
    lint_tmp=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-lint.XXXXXX") || exit 99
    trap 'rm -rf "$lint_tmp"' EXIT
    trap 'exit 130' INT TERM
    : >"$lint_tmp/breaches"
}

# sources SUFFIX...: the program's own C files, sorted, paths from the top of the tree.
sources() {
    for suffix in "$@"; do
        for d in src parsers ui; do
            [ ! -d "$d" ] || find "$d" -name "*.$suffix" -type f
        done
    done | sort
}

# every_file: all files of the project: what git tracks, or in a release tarball every file that is not built.
every_file() {
    if [ -e .git ] && git ls-files >"$lint_tmp/tracked" 2>/dev/null; then
        while IFS= read -r f; do
            [ ! -f "$f" ] || printf '%s\n' "$f"
        done <"$lint_tmp/tracked"
    else
        find bootstrap configure.ac Makefile.am COPYING HACKING NEWS README CONTRIBUTING SECURITY .clang-format .ci \
            src parsers ui man tests doc -type f \
            ! -name '*.o' ! -name '*.a' ! -name '*.log' ! -name '*.trs' ! -path '*/.deps/*' ! -name \
                .dirstamp 2>/dev/null
    fi | sort
}

# lint_end WHAT: prints the breaches that were written to $lint_tmp/breaches and ends with the verdict.
lint_end() {
    n=$(wc -l <"$lint_tmp/breaches")
    sort -t: -k1,1 -k2,2n "$lint_tmp/breaches"
    echo "$lint_name: $1, breaches: $((n))"
    [ "$n" -eq 0 ]
    exit
}
