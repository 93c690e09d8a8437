#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Do the lint scripts find anything? A small tree that is clean passes each of them; each planted breach must
# be named with its file and line, and nothing else.
lint=$(cd "$(dirname "$0")" && pwd)
t=$(mktemp -d "${TMPDIR:-/tmp}/npuscope-lint-self.XXXXXX") || exit 99
trap 'rm -rf "$t"' EXIT
trap 'exit 130' INT TERM
unset top_builddir LINT_SKIP LINT_LIST LINT_CFLAGS LINT_SOURCES LINT_WARN
tried=0 bad=0

# put FILE: the standard input becomes FILE of the tree.
put() {
    mkdir -p "$t/tree/$(dirname "$1")"
    cat >"$t/tree/$1"
}

clean_tree() {
    rm -rf "$t/tree"
    cp "$lint/../../.clang-format" "$t/.clang-format"
    put .clang-format <"$t/.clang-format"
    put Makefile.am <<-'END'
	include src/files.mk
	END
    put src/files.mk <<-'END'
	l_SOURCES = src/base/a.c src/base/a.h src/store/s.c src/store/sink.h src/store/store.h \
		src/base/log.c src/cli/out.c parsers/p.c ui/widget/draw.c ui/u.c tests/unit/test_a \
		doc/page.md
	END
    put doc/page.md <<-'END'
	# A page

	See [there](#raw_data-v2) and [here](page.md).

	## `raw_data`, V2
	END
    put src/base/a.h <<-'END'
	/* A header. */
	#ifndef A_H
	#define A_H

	#include <stddef.h>

	size_t a_len(const char *s);

	#endif
	END
    put src/base/a.c <<-'END'
	/* A comment may name strcpy( and stderr; so may a text. */
	#include "base/a.h"

	#include <string.h>

	size_t a_len(const char *s)
	{
	    return strlen(s) + strlen("sprintf(stderr, 100 %% now)") + '"';
	}
	END
    put src/base/log.c <<-'END'
	#include <stdio.h>

	static void say(const char *s)
	{
	    fprintf(stderr, "%s\n", s);
	}
	END
    put src/cli/out.c <<-'END'
	#include <stdio.h>

	#include "base/a.h"

	/* clang-format off */
	static void say(const char *s)
	{
	    fprintf(stdout,
	            "%s %zu\n", s, a_len(s));
	}
	/* clang-format on */
	END
    put src/store/sink.h <<-'END'
	#include "base/a.h"
	END
    put src/store/s.c <<-'END'
	#include <sqlite3.h>

	#include "store/sink.h"
	#include "store/store.h"
	END
    put src/store/store.h <<-'END'
	#include "base/a.h"
	END
    put parsers/p.c <<-'END'
	#include "store/sink.h"
	END
    put ui/widget/draw.c <<-'END'
	#include <ncurses.h>
	END
    put ui/u.c <<-'END'
	#include "base/a.h"
	END
    put tests/unit/test_a.c <<-'END'
	int main(void)
	{
	    return 0;
	}
	END
}

# expect SCRIPT STATUS [FILE:LINE: what]: runs SCRIPT on the tree; exactly the one breach must be printed.
expect() {
    tried=$((tried + 1))
    sh "$lint/$1.sh" "$t/tree" >"$t/out" 2>&1
    status=$?
    found=$(grep -cE '^[^: ]+:[0-9]+: ' "$t/out")
    # These need a tool that may be missing.
    case $1:$status in format:77 | compiler:77) return ;; esac
    if [ $status -ne "$2" ] || [ "$found" -ne $(($# - 2)) ] || { [ $# -gt 2 ] &&
        ! grep -qF "$3" "$t/out"; }; then
        bad=$((bad + 1))
        echo "selftest: $1.sh: expected status $2${3:+ and \"$3\"}, got status $status and:"
        sed 's/^/    /' "$t/out"
    fi
}

# plant SCRIPT FILE LINE WHAT: appends the standard input to FILE of a clean tree; LINE is counted from the
# first new line.
plant() {
    clean_tree
    mkdir -p "$t/tree/$(dirname "$2")"
    touch "$t/tree/$2"
    at=$(($(wc -l <"$t/tree/$2") + $3))
    cat >>"$t/tree/$2"
    expect "$1" 1 "$2:$at: $4"
}

# lines N TEXT: N lines of TEXT.
lines() {
    awk -v n="$1" -v s="$2" 'BEGIN { while (n-- > 0) print s }'
}

clean_tree
for script in circles cites deps banned length headers words listed format; do
    expect $script 0
done

# A circle of two sources, and one of two headers, each said once at its first file.
clean_tree
put src/base/b.c <<-'END'
	int b_one(void)
	{
	    return c_one();
	}
	END
put src/base/c.c <<-'END'
	int c_one(void)
	{
	    return b_one();
	}
	END
expect circles 1 "src/base/b.c:1: in a circle: src/base/b.c src/base/c.c"
clean_tree
put src/base/b.h <<-'END'
	#include "base/c.h"
	END
put src/base/c.h <<-'END'
	#include "base/b.h"
	END
expect circles 1 "src/base/b.h:1: in a circle: src/base/b.h src/base/c.h"
plant deps src/base/a.c 1 'src/base may not include "store/sink.h"' <<'END'
#include "store/sink.h"
END
plant deps parsers/p.c 2 'parsers may not include "store/store.h"' <<'END'

#include "store/store.h"
END
plant deps ui/u.c 1 'ui may not include "store/sink.h"' <<'END'
#include "store/sink.h"
END
plant deps src/base/a.h 1 '"nowhere.h" is not a header' <<'END'
#include "nowhere.h"
END
plant deps src/new/n.c 1 'folder src/new has no row' <<'END'
#include "base/a.h"
END
plant deps ui/u.c 1 '<ncursesw/curses.h> may be included only by' <<'END'
#  include <ncursesw/curses.h>
END
plant deps src/model/m.c 1 '<sqlite3.h> may be included only by' <<'END'
#include <sqlite3.h>
END
plant deps parsers/p.c 1 '<cjson/cJSON.h> may be included only by' <<'END'
#include <cjson/cJSON.h>
END
plant deps src/base/a.c 1 '<pcre2.h> may be included only by' <<'END'
#include <pcre2.h>
END
plant deps src/model/m.c 2 'prints to standard output' <<'END'
#include <stdio.h>
void say(void) { printf("x"); }
END
plant deps src/cli/cli.c 1 'prints to standard output' <<'END'
static void say(void) { fwrite("x", 1, 1, stdout); }
END

for call in strcpy strcat sprintf vsprintf gets strtok atoi atol atof sscanf system popen tmpnam mktemp \
    alloca strncpy setjmp; do
    plant banned src/base/a.c 1 "$call() is not used here" <<END
static int f(char *a) { return (int) $call (a, "x"); }
END
done
plant banned ui/u.c 1 'prints to standard error' <<'END'
static void f(void) { fputs("x", stderr); }
END
plant banned ui/u.c 1 'prints to standard error' <<'END'
static void f(void) { perror("x"); }
END
plant banned parsers/p.c 1 'the format of snprintf() is not a literal' <<'END'
static void f(char *b, const char *s) { snprintf(b, sizeof(char[2]), s); }
END
plant banned src/cli/out.c 3 'the format of fprintf() is not a literal' <<'END'
static void f(const char *s)
{
    fprintf(stdout,
            s);
}
END
plant banned src/base/a.c 1 '%n in a literal' <<'END'
static void f(int *n) { g("%s %ln", "x", n); }
END
plant banned src/base/a.c 1 '(a > b) - (a < b) is a < b ? -1 : a > b here' <<'END'
return (x->i > y->i) - (x->i < y->i);
END
plant banned src/base/a.c 1 'a compiler warning is switched off' <<'END'
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
END

plant cites ui/u.c 1 'there is no page doc/gone.md' <<'END'
/* As doc/gone.md says. */
END
plant cites ui/u.c 3 'there is no heading for doc/page.md#raw' <<'END'
/* doc/page.md#raw_data-v2, #a-page: both are there. */
/* doc/page.md#a-page to
 * #raw, that one is not. */
END
plant cites doc/page.md 1 'there is no heading for doc/page.md#nowhere' <<'END'
[A dead link](../doc/page.md#nowhere)
END
plant cites doc/page.md 1 'a second heading with the anchor a-page' <<'END'
# A page
END
plant cites ui/u.c 1 'a bare number' <<'END'
/* 4.4: as the page says */
END
plant cites src/base/a.c 1 'a section by its number' <<'END'
/* The head (notes.md 3.1). */
END

plant length ui/u.c 2 'f() has 61 lines' <<END

static int f(int a,
             int b)
{
$(lines 57 '    g();')
}
END
clean_tree
{
    printf '/* long: table */\nstatic int f(void)\n{\n'
    lines 90 '    g();'
    printf '}\n\nint g(void)\n{\n'
    lines 57 '    h("{");'
    printf '}\n'
} >>"$t/tree/ui/u.c"
expect length 0
clean_tree
printf '/* %0104d */\n/* %0103d\303\244\303\266\303\274 */\n' 0 0 >>"$t/tree/ui/u.c"
expect length 1 'ui/u.c:3: 112 columns'
clean_tree
lines 801 'extern int x;' >"$t/tree/parsers/p.c"
expect length 1 'parsers/p.c:1: 801 lines'

clean_tree
put src/base/b.h <<'END'
size_t b_len(const char *s);
END
expect headers 1 'src/base/b.h:1: does not compile alone'
clean_tree
put src/base/b.h <<'END'
struct b { int x; };
END
expect headers 1 'src/base/b.h:1: does not compile alone'

mkdir "$t/build"
touch "$t/build/config.h"
top_builddir=$t/build LINT_SOURCES='../src/base/a.c ../src/base/a.h' LINT_WARN='-Werror -Wconversion'
export top_builddir LINT_SOURCES LINT_WARN
clean_tree
expect compiler 0
plant compiler src/base/a.c 1 '' <<'END'
char a_cut(int n) { return n; }
END
unset top_builddir LINT_SOURCES LINT_WARN

plant words src/base/a.c 1 'a path of one machine' <<END
static const char *where = "$(printf '/ho%s/someone' me)";
END
plant words src/files.mk 1 'a path of one machine' <<END
x = $(printf '/%s/main' work)
END
plant words ui/u.c 1 'a note to oneself' <<END
/* $(printf 'TO%s' DO): later */
END
plant words ui/u.c 1 'a control byte' <<END
$(printf '/* \033[1m */')
END

clean_tree
put parsers/q.c </dev/null
expect listed 1 'parsers/q.c:1: not in any files.mk'
clean_tree
put tests/e2e/new.sh </dev/null
expect listed 1 'tests/e2e/new.sh:1: not in any files.mk'

# One source without the line among those that have it.
clean_tree
find "$t/tree" -type f \( -name '*.[ch]' -o -name '*.mk' -o -name '*.am' \) | while IFS= read -r f; do
    { echo '# SPDX-License-Identifier: Apache-2.0'; cat "$f"; } >"$t/with" && mv "$t/with" "$f"
done
expect spdx 0
put parsers/q.c <<-'END'
	int q;
	END
expect spdx 1 'parsers/q.c:1: no SPDX-License-Identifier'

# The place is where the mending begins: the line end before the wrong indentation.
plant format ui/u.c 2 'not as .clang-format says' <<'END'
static int f(void)
{
  return 0;
}
END

echo "selftest: cases: $tried, wrong: $bad"
[ $bad -eq 0 ]
