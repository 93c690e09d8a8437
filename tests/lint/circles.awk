# SPDX-License-Identifier: Apache-2.0
# Circles of files: a source that calls into another (or takes the address of what it defines) depends on it,
# a header on those it includes. Files that depend on each other in a circle can only be understood together.
# Input: FILE:LINE:CODE of all sources without comments and texts (strip.awk, literals of #include lines
# kept), three times; the value of `pass` says which time it is. Output: one line a circle, its files sorted.

{
    match($0, /^[^:]+:[0-9]+:/)
    file = substr($0, 1, RLENGTH - 1)
    sub(/:[0-9]+$/, "", file)
    code = substr($0, RLENGTH + 1)
    files[file] = 1
}

# What each source defines for others: a function or a table at the start of a line that is not static and no
# declaration.
pass == 1 && file ~ /\.c$/ && code ~ /^[a-z]/ && code !~ /^(static|extern|typedef|struct [a-z_0-9]+ \{|enum|union|goto|return|case|default)/ {
    if (match(code, /^[a-zA-Z_][a-zA-Z_0-9 *]*[ *][a-zA-Z_][a-zA-Z_0-9]*\(/) && code !~ /;[ \t]*$/) define(substr(code, 1, RLENGTH - 1))
    else if (match(code, /^[a-zA-Z_][a-zA-Z_0-9 *]*[ *][a-zA-Z_][a-zA-Z_0-9]*(\[[^]]*\])*[ \t]*=/)) {
        sub(/(\[.*)?[ \t]*=.*$/, "", code)
        define(code)
    }
}

# A static one hides what another file calls the same.
pass == 1 && /\.c:[0-9]+:static / && match(code, /^static [a-zA-Z_0-9 *]*[ *][a-zA-Z_][a-zA-Z_0-9]*\(/) {
    text = substr(code, 1, RLENGTH - 1)
    sub(/^.*[ *]/, "", text)
    own[file, text] = 1
}

function define(text) {
    sub(/^.*[ *]/, "", text)
    if (text in owner && owner[text] != file) owner[text] = "" # two of the name: not for others
    else owner[text] = file
}

pass == 2 && file ~ /\.h$/ && code ~ /^[ \t]*#[ \t]*include[ \t]*"/ {
    sub(/^[^"]*"/, "", code)
    sub(/".*$/, "", code)
    if (("src/" code) in files) link(file, "src/" code)
    else if (code in files) link(file, code)
}

pass == 2 && file ~ /\.c$/ && code !~ /^[ \t]*#[ \t]*include/ {
    gsub(/(struct|enum|union) [a-zA-Z_0-9]+/, "", code)
    before = ""
    while (match(code, /[a-zA-Z_][a-zA-Z_0-9]*/)) {
        word = substr(code, RSTART, RLENGTH)
        if (RSTART > 1) before = substr(code, RSTART - 1, 1)
        after = substr(code, RSTART + RLENGTH)
        # A word without "_" may be a local name: it counts only where it is called.
        if (word in owner && owner[word] != "" && owner[word] != file && !((file, word) in own) && before != "." && before != ">" && (word ~ /_/ || after ~ /^[ \t]*\(/))
            link(file, owner[word])
        code = substr(code, RSTART + RLENGTH)
        before = ""
    }
}

function link(a, b) {
    if (a != b && !((a, b) in linked)) {
        linked[a, b] = 1
        to[a, ++n_to[a]] = b
    }
}

# Tarjan's algorithm, with a stack of our own: awk's recursion keeps too little.
END {
    for (f in files)
        if (!(f in number)) visit(f)
}

function visit(root, v, w) {
    depth = 1
    path[1] = root
    enter(root)
    while (depth) {
        v = path[depth]
        if (at[v] < n_to[v]) {
            w = to[v, ++at[v]]
            if (!(w in number)) {
                enter(w)
                path[++depth] = w
            } else if (w in waiting && number[w] < low[v]) low[v] = number[w]
        } else {
            if (low[v] == number[v]) leave(v)
            depth--
            if (depth && low[v] < low[path[depth]]) low[path[depth]] = low[v]
        }
    }
}

function enter(v) {
    number[v] = low[v] = ++count
    held[++n_held] = v
    waiting[v] = 1
}

function leave(v, n, w, list, i, k) {
    n = 0
    do {
        w = held[n_held--]
        delete waiting[w]
        list[++n] = w
    } while (w != v)
    if (n < 2) return
    for (i = 2; i <= n; i++) {
        w = list[i]
        for (k = i; k > 1 && list[k - 1] > w; k--) list[k] = list[k - 1]
        list[k] = w
    }
    for (i = 1; i <= n; i++) printf "%s%s", list[i], i < n ? " " : "\n"
}
