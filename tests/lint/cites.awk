# SPDX-License-Identifier: Apache-2.0
# Citations of the pages in doc/. Input, each its own pass: the pages (pass=1: headings become anchors), the
# list of the project's files (pass=2), then what may cite (pass=3). Output: one line FILE:LINE: breach each.
#
# A citation is a path with or without an anchor, more anchors of the same page after it:
# "doc/formats/prof.md#hwts, #ts_track to #aicore". Pages link among themselves as Markdown does.

function breach(why) {
    print FILENAME ":" FNR ": " why
}

# The anchor that a heading has.
function anchor(heading) {
    heading = tolower(heading)
    gsub(/[^a-z0-9_ -]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
}

function folder(path) {
    return sub(/\/[^\/]*$/, "", path) ? path : "."
}

# path, named from a page in the folder from.
function relative(from, path) {
    path = from "/" path
    while (sub(/(^|\/)\.\//, "/", path) || sub(/[^\/.]+\/\.\.\//, "", path)) continue
    return path
}

function check(page, name) {
    if (!(page in known)) breach("there is no page " page)
    else if (name != "" && !((page "#" name) in known)) breach("there is no heading for " page "#" name)
}

FNR == 1 { code = 0 }

pass == 1 {
    if (FNR == 1) known[FILENAME] = 1
    if (/^```/) code = !code
    if (!code && sub(/^#+ /, "")) {
        if ((FILENAME "#" anchor($0)) in known) breach("a second heading with the anchor " anchor($0))
        known[FILENAME "#" anchor($0)] = 1
    }
    next
}

pass == 2 {
    known[$0] = 1
    next
}

# Links of a page: [text](page.md#anchor), [text](#anchor).
FILENAME ~ /^doc\// {
    rest = $0
    gsub(/`[^`]*`/, "", rest)
    while (match(rest, /\]\([^) ]+\)/)) {
        link = substr(rest, RSTART + 2, RLENGTH - 3)
        rest = substr(rest, RSTART + RLENGTH)
        if (link ~ /^[a-z]+:/) continue
        page = link
        name = sub(/#.*$/, "", page) ? substr(link, length(page) + 2) : ""
        check(page == "" ? FILENAME : relative(folder(FILENAME), page), name)
    }
}

# Paths with anchors, wherever they stand; what follows a comma may stand on the next line.
{
    rest = $0
    if (goes_on != "" && match(rest, /^[^#A-Za-z0-9]*#[a-z]/)) {
        at = goes_on
        goes_on = ""
        rest = follow(substr(rest, RLENGTH - 1), at)
    }
    goes_on = ""
    while (match(rest, /doc\/[a-z0-9_\/-]+\.md/)) {
        before = RSTART > 1 ? substr(rest, RSTART - 1, 1) : ""
        at = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (before ~ /[A-Za-z0-9_\/.]/) continue
        check(at, "")
        rest = follow(rest, at)
    }
}

# The anchors at the start of text, all of one page; what is left.
function follow(text, page, name) {
    while (match(text, /^(, | to )?#[A-Za-z0-9_-]+/)) {
        name = substr(text, 1, RLENGTH)
        sub(/^[^#]*#/, "", name)
        check(page, name)
        text = substr(text, RLENGTH + 1)
    }
    if (text ~ /^(,| to)$/) goes_on = page
    return text
}

# Numbers of sections age without a sound, and pages lie in doc/ alone.
FILENAME !~ /^doc\// && !/sqlite\.org|SQLite/ {
    if (match($0, /(\/\*|^ \*|#).*[^a-z](sections?|traps|step [0-9]+ of|[a-z-]+\.md) [0-9]/)) breach("a section by its number")
    if (match($0, /(\/\*|^ \*).*\([0-9]+\.[0-9]+[a-z]?[,;)]/) || match($0, /\/\* [0-9]+\.[0-9]+( \*\/|[:;,] )/))
        breach("a bare number: name the page and its heading")
}
