# SPDX-License-Identifier: Apache-2.0
# Input: the list of C files (first file), then the #include lines as FILE:LINE:TEXT (second file).
# Output: one line FILE:LINE: breach for each include that the tables below do not allow.

BEGIN {
    # The interface for rows: a sink, the ids of tables and notes it takes. None of these knows SQLite.
    sink = "src/store/sink.h src/store/schema.h src/store/schema_tables.h src/store/note.h"

    # Folder -> what it may include besides itself: folders with all below them, or single headers. A folder
    # without a row follows the rules of the one it lies in (HACKING, "Who may include whom").
    allow["src/base"] = ""
    allow["src/run"] = allow["src/archive"] = "src/base"
    allow["src/configure"] = "src/base src/run/kind.h"
    allow["src/store"] = "src/base src/run"
    allow["parsers"] = "src/base src/run src/store/foreign.h " sink " parsers"
    # How formats are read knows none of them; families of files know neither each other nor, but for rows/,
    # the store.
    reading = "src/base src/run parsers/registry.h parsers/parsers.h parsers/layouts.h parsers/read "
    allow["parsers/read"] = "src/base src/run parsers/registry.h parsers/parsers.h " sink
    allow["parsers/kinds"] = "src/run parsers/parsers.h parsers/layouts.h"
    allow["parsers/tables"] = allow["parsers/trace"] = reading "src/store/foreign.h " sink
    allow["parsers/database"] = reading "src/store/foreign.h " sink
    allow["parsers/working"] = reading "parsers/database parsers/prof src/store/foreign.h " sink
    allow["parsers/mindspore/records"] = reading sink
    allow["parsers/mindspore"] = reading "parsers/mindspore/records " sink
    allow["parsers/prof"] = reading "parsers/mindspore/records/record_layout.h" # device files that both know
    allow["parsers/framework"] = reading sink
    allow["parsers/logs"] = reading sink
    allow["parsers/prof/rows"] = reading "parsers/prof parsers/framework " sink
    allow["src/logs"] = "src/base src/run/dir.h src/run/kind.h parsers/logs parsers/registry.h " sink
    allow["src/import"] = "src/base src/archive src/run src/store parsers"
    allow["src/emit"] = "src/base src/run " sink
    allow["src/msprof"] = allow["src/mindspore"] = "src/base src/run src/emit parsers src/store/dbout.h " sink
    allow["src/offline"] = allow["src/msprof"] " src/msprof/msprof.h src/mindspore/minddata.h"
    # Layouts of records and what counters stand for: what the demo writes is where readers look for it.
    records = " parsers/prof/prof_layout.h parsers/prof/host/host_at.h parsers/mindspore/records/record_layout.h" \
        " parsers/mindspore/aicore_flops.h"
    allow["src/demo"] = "src/base src/emit src/msprof src/mindspore" records
    allow["src/model"] = "src/base src/run src/configure src/store"
    allow["src/analysis"] = "src/base src/run src/logs src/model parsers/logs src/store/fill/fill.h " sink
    allow["src/cli"] = "src/base src/archive src/run src/logs parsers/logs src/configure src/store src/import src/emit src/msprof src/mindspore src/offline src/demo src/model src/analysis"
    allow["src/demo/mindspore"] = allow["src/demo/ascend_ms"] = allow["src/demo/ascend_pt"] = \
        allow["src/demo/prof"] = allow["src/demo/framework"] = allow["src/demo/logs"] = allow["src/demo"] " src/demo"
    screen = "src/logs parsers/logs/signature.h src/base src/run src/configure src/import/worker.h src/model src/analysis "
    allow["ui"] = screen "ui"
    allow["ui/widget"] = screen
    allow["ui/app"] = screen "ui"
    allow["ui/pane"] = screen "ui"
    # src/main.c joins everything and has no row.

    # Library header -> its owners (patterns).
    owner["ncurses.h"] = owner["curses.h"] = "^ui/widget/(term|term_type|term_builtin|draw)\\.c$"
    owner["ui/widget/term.h"] = owner["panel.h"] = owner["menu.h"] = owner["form.h"] = owner["ncurses.h"]
    owner["sqlite3.h"] = owner["sqlite3ext.h"] = "^src/store/([^/]+\\.c|db\\.h)$"
    owner["pcre2.h"] = owner["pcre2posix.h"] = "^src/base/re\\.c$"
    owner["archive.h"] = owner["archive_entry.h"] = "^src/archive/(pack|stream|unpack)\\.c$"
    owner["cJSON.h"] = "^src/base/read/json_small\\.c$"
}

FILENAME == ARGV[1] {
    exists[$0] = 1
    next
}

{
    match($0, /^[^:]+:[0-9]+:/)
    at = substr($0, 1, RLENGTH - 1)
    file = at
    sub(/:[0-9]+$/, "", file)
    text = substr($0, RLENGTH + 1)
    if (match(text, /<[^>]+>/)) check_library(substr(text, RSTART + 1, RLENGTH - 2))
    else if (match(text, /"[^"]+"/)) check_own(substr(text, RSTART + 1, RLENGTH - 2))
    else breach("an #include that is neither <...> nor \"...\"")
}

function breach(why) {
    print at ": " why
}

# The deepest folder of a path that has a row of its own; a path without one is its top folder: src/X, parsers
# or ui.
function area(path, part) {
    while (sub(/\/[^\/]+$/, "", path))
        if (path in allow) return path
    return path
}

function folder(path) {
    sub(/\/[^\/]+$/, "", path)
    return path
}

function check_library(name, base) {
    base = name
    sub(/^.*\//, "", base)
    if (base in owner && file !~ owner[base]) breach("<" name "> may be included only by " owner[base])
}

function check_own(name, target, i, n, ok) {
    if (name == "config.h" || (name == "store_stamp.h" && file == "src/store/stamp.c") ||
        (name == "terminfo.h" && file == "ui/widget/term_builtin.c")) return # made by the build
    target = resolve(name)
    if (target == "") {
        if (!(base_name(name) in owner)) breach("\"" name "\" is not a header of this tree")
        else check_library(name)
        return
    }
    if (file == "src/main.c" || area(file) == area(target)) return
    if (!(area(file) in allow)) {
        breach("folder " folder(file) " has no row in tests/lint/deps.awk")
        return
    }
    n = split(allow[area(file)], ok, " ")
    for (i = 1; i <= n; i++)
        if (ok[i] == target || index(target, ok[i] "/") == 1) return
    breach(area(file) " may not include \"" name "\"")
}

function base_name(name) {
    sub(/^.*\//, "", name)
    return name
}

# A header is named from the root of its tree: src, or the top for the others (the -I folders of Makefile.am).
function resolve(name) {
    if (("src/" name) in exists) return "src/" name
    return name in exists ? name : ""
}
