/* SPDX-License-Identifier: Apache-2.0 */
/* doctor: the program, its host, terminal, cache and files of settings, and what of it is in the way. */
#include "config.h"

#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/copy.h"
#include "base/lang/said.h"
#include "base/lang/tr.h"
#include "base/large/spool.h"
#include "base/path.h"
#include "base/text.h"
#include "base/unit.h"
#include "cli/cmd/cmd.h"
#include "cli/host.h"
#include "parsers/logs/signatures_own.h"

/* clang-format off */
static const struct view_col doctor_cols[] = {
    CMD_TEXT("about", "About", "what the fact is about"),
    CMD_TEXT("name", "Name", "name of the fact"),
    CMD_TEXT("value", "Value", "what it is"),
    CMD_TEXT("problem", "Problem", "why it is in the way, and what helps; empty: nothing is wrong"),
};
/* clang-format on */

struct doctor {
    struct cli *c;
    struct writer *w;
    const char *about;
    struct err *e;
};

/* A fact: name and problem in English, value as it is shown; problem NULL: nothing is wrong with it. */
static void put(struct doctor *d, const char *name, const char *value, const char *problem)
{
    const struct val v[] = { val_cstr(tr(d->about)), val_cstr(tr(name)), val_cstr(value),
                             val_cstr(problem ? tr(problem) : "") };

    if (problem)
        d->c->status = ST_DAMAGED;
    if (!d->e->code)
        (void)!writer_row(d->w, v, d->e);
}

__attribute__((format(printf, 3, 4))) static void putf(struct doctor *d, const char *name, const char *fmt,
                                                       ...)
{
    char value[PATH_MAX];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(value, sizeof value, fmt, ap);
    va_end(ap);
    put(d, name, value, NULL);
}

/* err_message() in the language of the table. */
static const char *message(const struct err *why, char *text, size_t n)
{
    return tr_is_english() ? err_message(why, text, n) : tr_said_error(why, text, n);
}

/* ---- the program ---- */

static void put_program(void *arg, const char *name, const char *value)
{
    put(arg, name, value, NULL);
}

static void add_program(struct doctor *d)
{
    d->about = N_("program");
    put(d, "npuscope", PACKAGE_VERSION, NULL);
#ifdef BUG_ADDRESS
    put(d, N_("problems to"), BUG_ADDRESS, NULL);
#endif
    host_program(d->c->hooks, put_program, d);
    if (getenv("NPUSCOPE_OPTIONS"))
        put(d, "NPUSCOPE_OPTIONS", getenv("NPUSCOPE_OPTIONS"), NULL);
}

/* ---- the host ---- */

static void put_fact(void *arg, enum host_area area, const char *name, const char *value)
{
    struct doctor *d = arg;

    d->about = area == HOST_LIMITS ? N_("limits") : N_("host");
    put(d, name, value, NULL);
}

static void add_memory(struct doctor *d)
{
    char size[40];

    d->about = N_("limits");
    putf(d, N_("arrays in memory"), tr("%s, the rest in files of the cache (NPUSCOPE_MEMORY)"),
         unit_size(size, sizeof size, (double)spool_memory(SPOOL_MEMORY_B), SIZE_AUTO));
}

/* ---- the terminal ---- */

static void add_size(struct doctor *d)
{
    struct winsize w;

    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        put(d, N_("input and output"), tr("not both a terminal"), NULL);
    else if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || !w.ws_col || !w.ws_row)
        put(d, N_("size"), tr("not known"),
            N_("the screen takes 80x24: 'stty cols 120 rows 40' sets what it is"));
    else
        putf(d, N_("size"), "%ux%u", w.ws_col, w.ws_row);
}

static void add_type(struct doctor *d)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    char text[20];

    if (!term || !*term) {
        put(d, "TERM", tr("not set"), N_("no screen without it: export TERM=xterm-256color"));
        return;
    }
    int colours = d->c->hooks->colours ? d->c->hooks->colours(term) : -1;
    put(d, "TERM", term,
        colours >= 0 ? NULL
                     : N_("not known to this host's terminfo, or it cannot place a cursor: no screen. export "
                          "TERM=xterm-256color, or xterm"));
    if (colours < 0)
        return;
    snprintf(text, sizeof text, "%d", colours);
    put(d, N_("colours"),
        colours < 8             ? tr("none: bold, underlined and reversed text")
        : no_color && *no_color ? tr("none (NO_COLOR)")
                                : text,
        NULL);
}

static void add_locale(struct doctor *d)
{
    const char *name = setlocale(LC_CTYPE, NULL), *wanted = getenv("LC_ALL");
    char text[200];

    for (size_t i = 0; i < 2 && (!wanted || !*wanted); i++)
        wanted = getenv(i ? "LANG" : "LC_CTYPE");
    snprintf(text, sizeof text, "%s, %s", name ? name : "none", nl_langinfo(CODESET));
    if (wanted && *wanted && !setlocale(LC_CTYPE, ""))
        put(d, N_("locale"), wanted,
            strcmp(tr_of_environment(), "en") ? NULL /* its language needs no locale of the host */
                                              : "this host has no such locale: export LC_ALL=C.UTF-8");
    else
        put(d, N_("locale"), text, NULL);
    if (d->c->text_flags & TEXT_ASCII)
        put(d, N_("symbols"), tr("ASCII (--utf8 or a UTF-8 locale: bars, curves and lines in UTF-8)"), NULL);
    else
        put(d, N_("symbols"), "UTF-8", NULL);
}

static void add_terminal(struct doctor *d)
{
    const char *mux = getenv("TMUX") ? "tmux" : getenv("STY") ? "screen" : NULL;

    d->about = N_("terminal");
    add_size(d);
    add_type(d);
    if (mux)
        put(d, N_("multiplexer"), mux, NULL);
    add_locale(d);
}

/* ---- the cache ---- */

struct kept {
    unsigned stores, other, damaged, copies;
    uint64_t bytes;
};

static void count_store(void *arg, const struct store_entry *x)
{
    struct kept *k = arg;

    k->stores++;
    k->other += x->code == ERR_VERSION;
    k->damaged += x->code && x->code != ERR_VERSION;
    k->bytes += x->size_b;
}

static void count_copy(void *arg, const struct copy_entry *x)
{
    struct kept *k = arg;

    k->copies++;
    k->bytes += x->record->bytes;
}

/* The folder, or the nearest one above it that exists, takes new files. */
static bool is_writable(const char *folder)
{
    char path[PATH_MAX];
    struct stat st = { .st_mode = 0 };

    snprintf(path, sizeof path, "%s", folder);
    while (stat(path, &st) && strrchr(path, '/') > path)
        *strrchr(path, '/') = '\0';
    return S_ISDIR(st.st_mode) && access(path, W_OK | X_OK) == 0;
}

static void add_cache(struct doctor *d)
{
    char folder[PATH_MAX], size[40], text[500];
    struct err why = ERR_INIT;
    struct kept k = { 0 };

    d->about = N_("cache");
    if (path_cache_dir(folder, sizeof folder, &why)) {
        put(d, N_("folder"), tr("none"),
            N_("neither XDG_CACHE_HOME nor HOME is a path: runs are read anew each time"));
        return;
    }
    put(d, N_("folder"), folder,
        is_writable(folder) ? NULL
                            : N_("it cannot be written: runs are read anew each time. export "
                                 "XDG_CACHE_HOME=FOLDER, where there is room"));
    if (store_cache_list(count_store, &k, &why) || copies_list(count_copy, &k, &why)) {
        put(d, N_("kept"), tr("not known"), message(&why, text, sizeof text));
        return;
    }
    putf(d, N_("kept"),
         tr("%u stores (%u of other builds, read again when opened), %u unpacked archives, %s"), k.stores,
         k.other, k.copies, unit_size(size, sizeof size, (double)k.bytes, SIZE_AUTO));
    if (k.damaged) {
        snprintf(size, sizeof size, "%u", k.damaged);
        put(d, N_("damaged stores"), size, N_("read again when opened; 'npuscope cache list' names them"));
    }
}

/* ---- files of settings ---- */

static void add_settings(struct doctor *d)
{
    struct settings *s = NULL;
    struct err why = ERR_INIT;
    char text[500], said[400];

    if (settings_read(&s, NULL, d->c->hooks->setting, &why))
        put(d, N_("config"), why.file[0] ? why.file : tr("not readable"), message(&why, text, sizeof text));
    else if (access(settings_path(s), F_OK))
        putf(d, N_("config"), tr("%s: none, all settings are the defaults"), settings_path(s));
    else if (settings_n_wrong(s)) {
        snprintf(text, sizeof text, tr("%zu wrong lines are left out, the first is %" PRIu32 ": %s"),
                 settings_n_wrong(s), settings_wrong(s, 0)->line,
                 tr_sentence(settings_wrong(s, 0)->why, said, sizeof said));
        put(d, N_("config"), settings_path(s), text);
    } else
        put(d, N_("config"), settings_path(s), NULL);
    settings_free(s);
}

struct wrong {
    unsigned n;
    char first[400];
};

static void count_wrong(void *arg, uint32_t line, const char *why)
{
    struct wrong *x = arg;
    char said[300];

    if (!x->n++)
        snprintf(x->first, sizeof x->first, tr("line %" PRIu32 ": %s"), line,
                 tr_sentence(why, said, sizeof said));
}

static void add_signatures(struct doctor *d)
{
    struct wrong x = { 0 };
    struct err why = ERR_INIT;
    char path[PATH_MAX], text[500];
    bool named;

    if (!signatures_own_path(path, sizeof path, &named))
        return;
    if (signatures_own_read(NULL, count_wrong, &x, &why))
        put(d, N_("signatures"), path, message(&why, text, sizeof text));
    else if (x.n) {
        snprintf(text, sizeof text, tr("%u wrong signatures are left out, the first: %s"), x.n, x.first);
        put(d, N_("signatures"), path, text);
    } else if (access(path, F_OK))
        putf(d, N_("signatures"), tr("%s: none of your own"), path);
    else
        put(d, N_("signatures"), path, NULL);
}

int cmd_doctor(struct cli *c, struct err *e)
{
    const struct view_col *cols[ARRAY_LEN(doctor_cols)];
    struct doctor d = { .c = c, .e = e };

    if (cmd_table_begin(c, &d.w, "doctor", doctor_cols, cols, ARRAY_LEN(cols), e) == OK) {
        add_program(&d);
        host_facts(NULL, false, put_fact, &d);
        add_memory(&d);
        add_terminal(&d);
        add_cache(&d);
        d.about = N_("settings");
        add_settings(&d);
        add_signatures(&d);
    }
    return cmd_table_end(d.w, e);
}
