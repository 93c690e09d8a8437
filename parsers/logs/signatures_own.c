/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "parsers/logs/signatures_own.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/path.h"
#include "base/read/infile.h"
#include "base/text.h"

enum { K_LOG, K_CLASS, K_ROLE, K_MATCH, K_ALSO_MILD, K_SAYS, K_NEXT, N_KEYS };

const struct own_word own_keys[] = {
    [K_LOG] = { "log", "kinds of logs it is looked for in, separated by commas; console, plog unless given" },
    [K_CLASS] = { "class", "class of the fault, one of those below" },
    [K_ROLE] = { "role", "cause (unless given), consequence, either or noise" },
    [K_MATCH] = { "match", "words of the line, with && between them where all have to be there; a further "
                           "line is another way of saying it" },
    [K_ALSO_MILD] = { "mild", "yes: also where the line calls itself information or a warning" },
    [K_SAYS] = { "says", "what it means, in a few words" },
    [K_NEXT] = { "next", "what to do; may be left out" },
};
const size_t own_n_keys = sizeof own_keys / sizeof *own_keys;
const struct own_word own_logs[] = {
    { "console", "what a rank printed" },        { "plog", "host process of CANN" },
    { "devlog", "device side of that process" }, { "device", "device OS, its events, its black box" },
    { "host", "kernel and services" },           { "launcher", "msrun, torchrun, Slurm" },
    { "environment", "npu-smi, hccn_tool" },     { "agent", "cluster agents, switches" },
};
const size_t own_n_logs = sizeof own_logs / sizeof *own_logs;
static const char log_letters[] = "cpdoslea"; /* of own_logs, in signature.where */
const struct own_word own_roles[] = {
    [LOG_CAUSE] = { "cause", "it may be why the job died" },
    [LOG_CONSEQUENCE] = { "consequence", "it follows from something else" },
    [LOG_EITHER] = { "either", "the verdict decides" },
    [LOG_NOISE] = { "noise", "it is shown and decides nothing" },
};
const size_t own_n_roles = sizeof own_roles / sizeof *own_roles;

static struct own {
    struct arena *a;
    struct signature *v;
    struct signature_table table;
} own;

void signatures_own_free(void)
{
    arena_free(own.a);
    own = (struct own){ 0 };
    signature_set_own(own.table);
}

/* The section that is being read. */
struct row {
    struct str id;
    uint32_t line; /* of its head */
    bool wrong, has_class, mild;
    char where[16]; /* letters of signature.where */
    struct signature s;
    struct buf match;
};

struct reading {
    struct row row;
    size_t words_b;
    own_wrong_fn *wrong;
    void *arg;
};

static void say_wrong(struct reading *r, uint32_t line, const char *fmt, ...) PRINTF_LIKE(3, 4);
static void say_wrong(struct reading *r, uint32_t line, const char *fmt, ...)
{
    char why[300];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    r->row.wrong = true;
    r->wrong(r->arg, line, why);
}

static bool find_word(const struct own_word *v, size_t n, struct str word, size_t *at)
{
    for (*at = 0; *at < n; ++*at)
        if (str_eq(word, str_of(v[*at].word)))
            return true;
    return false;
}

/* Ids of two letters and two figures are the program's. */
static bool is_id(struct str id)
{
    size_t letters = 0;

    for (size_t i = 0; i < id.n; i++)
        if (!str_is_word(id.p[i]) && id.p[i] != '-' && id.p[i] != '.')
            return false;
    while (letters < id.n && id.p[letters] >= 'A' && id.p[letters] <= 'Z')
        letters++;
    return id.n && id.n <= 40 && !(id.n == 4 && letters == 2) && signature_find(id.p) == SIZE_MAX;
}

static void end_row(struct reading *r)
{
    struct row *w = &r->row;

    if (!w->id.p)
        return;
    if (!w->wrong && (!w->has_class || !w->match.n || !w->s.says))
        say_wrong(r, w->line, "[%s] has no '%s'", w->id.p,
                  !w->has_class ? "class"
                  : !w->match.n ? "match"
                                : "says");
    w->s.id = w->id.p;
    w->s.where = arena_printf(own.a, "%s%s", w->where[0] ? w->where : "cp", w->mild ? "!" : "");
    w->s.match = arena_str(own.a, buf_str(&w->match)).p;
    if (!w->wrong && w->s.where && w->s.match) {
        if (!w->s.next)
            w->s.next = "";
        own.v[own.table.n++] = w->s;
        signature_set_own(own.table);
    }
    buf_done(&w->match);
    *w = (struct row){ 0 };
}

static void begin_row(struct reading *r, struct str line, uint32_t at)
{
    struct str id = str_trim(str_sub(line, 1, line.n - 2));

    end_row(r);
    r->row.line = at;
    r->row.s.role = LOG_CAUSE;
    buf_init(&r->row.match, 4096);
    r->row.id = arena_str(own.a, id);
    if (!r->row.id.p)
        return;
    if (own.table.n == LIM_OWN_ROWS)
        say_wrong(r, at, "more than %d signatures", LIM_OWN_ROWS);
    else if (!is_id(r->row.id))
        say_wrong(r, at,
                  "[%s] is no new name: letters, figures, - and _, and not two letters with two figures, "
                  "which are the program's own",
                  r->row.id.p);
}

static void take_logs(struct reading *r, struct str value, uint32_t at)
{
    struct str word;
    size_t i, n = strlen(r->row.where);

    while (str_next(&value, ',', &word)) {
        word = str_trim(word);
        if (!find_word(own_logs, own_n_logs, word, &i))
            say_wrong(r, at, "no kind of log is called '%.*s'", (int)word.n, word.p);
        else if (n + 3 < sizeof r->row.where)
            r->row.where[n++] = log_letters[i];
    }
}

static void take_class(struct reading *r, struct str value, uint32_t at)
{
    for (int c = 0; c < N_CAUSES && !r->row.has_class; c++) {
        r->row.has_class = str_eq(value, str_of(cause_word((enum cause_class)c)));
        r->row.s.cls = (enum cause_class)c;
    }
    if (!r->row.has_class)
        say_wrong(r, at, "no class of faults is called '%.*s'", (int)value.n, value.p);
}

/* "storage && timed out": words as signature.match has them. */
static void take_match(struct reading *r, struct str value, uint32_t at)
{
    bool first = true, more = true;

    if (r->row.match.n)
        buf_puts(&r->row.match, OR);
    while (more) {
        size_t end = str_find(value, STR("&&"), 0);
        struct str word = str_trim(str_sub(value, 0, end));
        more = end != SIZE_MAX;
        value = more ? str_sub(value, end + 2, SIZE_MAX) : STR("");
        if (!word.n || word.n > LIM_OWN_WORD_B)
            say_wrong(r, at, "a word is empty or longer than %d bytes", LIM_OWN_WORD_B);
        else if (first && word.n < OWN_LEAST_B)
            say_wrong(r, at, "the first word '%.*s' is shorter than %d bytes, and so in too many lines",
                      (int)word.n, word.p, OWN_LEAST_B);
        if (!first)
            buf_puts(&r->row.match, ALSO);
        else
            r->words_b += word.n;
        buf_add(&r->row.match, word);
        first = false;
    }
    if (r->words_b > LIM_OWN_WORDS_B || buf_failed(&r->row.match))
        say_wrong(r, at, "more words than there is room for");
}

static void take_value(struct reading *r, size_t key, struct str value, uint32_t at)
{
    struct row *w = &r->row;
    size_t i;

    switch (key) {
    case K_LOG:
        take_logs(r, value, at);
        break;
    case K_CLASS:
        take_class(r, value, at);
        break;
    case K_ROLE:
        if (find_word(own_roles, own_n_roles, value, &i))
            w->s.role = (enum log_role)i;
        else
            say_wrong(r, at, "no role is called '%.*s'", (int)value.n, value.p);
        break;
    case K_MATCH:
        take_match(r, value, at);
        break;
    case K_ALSO_MILD:
        if (!str_eq(value, STR("yes")) && !str_eq(value, STR("no")))
            say_wrong(r, at, "mild is yes or no");
        w->mild = str_eq(value, STR("yes"));
        break;
    case K_SAYS:
        w->s.says = arena_str(own.a, value).p;
        break;
    default:
        w->s.next = arena_str(own.a, value).p;
    }
}

static void take_line(struct reading *r, struct str line, uint32_t at)
{
    size_t eq = str_chr(line, '='), key;
    struct str name = str_trim(str_sub(line, 0, eq));

    if (!text_valid_utf8(line)) {
        say_wrong(r, at, "the line is not UTF-8");
    } else if (line.p[0] == '[' && line.p[line.n - 1] == ']') {
        begin_row(r, line, at);
    } else if (eq == SIZE_MAX || !find_word(own_keys, own_n_keys, name, &key)) {
        say_wrong(r, at, "'%.*s' is none of the keys log, class, role, match, mild, says, next", (int)name.n,
                  name.p);
    } else if (!r->row.id.p) {
        say_wrong(r, at, "it belongs to no signature: a line [NAME] begins one");
        r->row.wrong = false;
    } else {
        take_value(r, key, str_trim(str_sub(line, eq + 1, SIZE_MAX)), at);
    }
}

static int take_text(struct str text, own_wrong_fn *wrong, void *arg, struct err *e)
{
    struct reading r = { .wrong = wrong, .arg = arg };
    struct str line;
    uint32_t at = 0;

    if (arena_new(&own.a, 4 * OWN_FILE_B, e))
        return e->code;
    own.v = arena_array(own.a, LIM_OWN_ROWS, sizeof *own.v);
    if (!own.v)
        return err_nomem(e);
    own.table.v = own.v;
    while (str_next(&text, '\n', &line)) {
        at++;
        line = str_trim(line);
        if (line.n && line.p[0] != '#')
            take_line(&r, line, at);
    }
    end_row(&r);
    return OK;
}

bool signatures_own_path(char *buf, size_t n, bool *named)
{
    const char *env = getenv("NPUSCOPE_SIGNATURES");
    struct err ignored = ERR_INIT;
    char dir[PATH_MAX];

    *named = env && *env;
    if (*named)
        return str_copy(str_of(env), buf, n), true;
    return path_config_dir(dir, sizeof dir, &ignored) == OK && path_join(buf, n, dir, "signatures");
}

int signatures_own_read(const char *path, own_wrong_fn *wrong, void *arg, struct err *e)
{
    char file[PATH_MAX];
    bool named = true;
    char *text = NULL;
    size_t n = 0;

    signatures_own_free();
    if (path)
        str_copy(str_of(path), file, sizeof file);
    else if (!signatures_own_path(file, sizeof file, &named) ||
             (!named && access(file, F_OK) && errno == ENOENT))
        return OK;
    if (infile_read_all(file, OWN_FILE_B, &text, &n, e) == OK)
        (void)!take_text((struct str){ text, n }, wrong, arg, e);
    free(text);
    err_where(e, file, ERR_NO_OFFSET, 0);
    return e->code;
}
