/* SPDX-License-Identifier: Apache-2.0 */
/* Aliases: their numbers are those of the names in order of first use. */
#include "config.h"

#include "store/anonymise/aliases.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/path.h"
#include "base/read/infile.h"

#define HEAD      "npuscope key 1\n"
#define KEY_MAX_B ((size_t)1 << 30)
#define LEAST     3 /* bytes of a word that is replaced in prose */

/* Words that profilers and file systems write themselves: no names of anyone. */
static const char *const public_words[] = {
    /* scopes and events of MindSpore and torch_npu */
    "Default",
    "Gradients",
    "recompute_Default",
    "Kernel",
    "KernelLaunch",
    "KernelLaunchInner",
    "Dataset",
    "Pipeline",
    "PushToAscend",
    "DeviceQueue",
    "PynativeFramework",
    "Parameter",
    "Tensor",
    "aten",
    "torch",
    "torch_npu",
    "npu",
    "c10d",
    "autograd",
    "Enqueue",
    "Dequeue",
    "scope",
    "all",
    "cube",
    "vector",
    "connector",
    "queue",
    "device",
    "host",
    "data",
    "Graph",
    "Model",
    "Iteration",
    "Reduce",
    "GetNext",
    /* kinds of tasks */
    "Notify Wait",
    "Notify Record",
    "Notify_Wait",
    "Notify_Record",
    "Reduce Inline",
    "Reduce_Inline",
    "Reduce TBE",
    "Memcpy",
    "RDMASend",
    "RDMA Send",
    "MEMCPY_ASYNC",
    "EVENT_RECORD",
    "EVENT_WAIT",
    "NOTIFY_RECORD",
    "NOTIFY_WAIT",
    "MemcopyAsync",
    "KERNEL_AICORE",
    "KERNEL_AIVEC",
    "KERNEL_AICPU",
    "KERNEL_MIX_AIC",
    "KERNEL_MIX_AIV",
    "SDMA_SQE",
    "PCIE_DMA_SQE",
    "WRITE_VALUE",
    "STREAM_SWITCH",
    "STREAM_ACTIVE",
    "LABEL_SWITCH",
    "LABEL_SET",
    "MODEL_EXECUTE",
    "MODEL_MAINTAINCE",
    "PROFILER_TRACE_EX",
    "PROFILING_ENABLE",
    "PROFILING_DISABLE",
    "SDMA",
    "Write Value",
    "Total Op Info",
    "Communication",
    "Computing",
    "Free",
    "hcom",
    "unknown",
    "total",
    "NA",
    "N/A",
    "-",
    /* parts of the names of files and folders */
    "ASCEND",
    "PROFILER",
    "OUTPUT",
    "FRAMEWORK",
    "PROF",
    "mindstudio",
    "profiler",
    "output",
    "rank",
    "ascend",
    "ms",
    "pt",
    "analyze",
    "timeline",
    "summary",
    "sqlite",
    "slice",
    "done",
    "csv",
    "json",
    "txt",
    "db",
    "log",
    "info",
    "bin",
    "op",
    "trace",
    "view",
    "home",
    "root",
    "usr",
    "var",
    "tmp",
    "opt",
    "mnt",
    "etc",
    "lib",
    "lib64",
    "bin",
    "local",
    "share",
    "work",
    "site",
    "packages",
    "dist",
    "python",
    "py",
};

/* What frameworks call their own functions: "aten::add". */
static const char *const public_spaces[] = {
    "aten::", "torch::", "torch_npu::", "c10d::", "npu::", "autograd::engine::", "ProfilerStep"
};

struct aliases {
    struct intern *name, *alias, *kept; /* alias n stands for name n */
    size_t longest;                     /* bytes of the longest name */
    struct buf text;
};

static const char *const class_words[N_NAME_CLASSES] = {
    [NC_OP] = "op", [NC_PATH] = "path", [NC_HOST] = "host", [NC_USER] = "user"
};

void aliases_free(struct aliases *a)
{
    if (!a)
        return;
    intern_free(a->name);
    intern_free(a->alias);
    intern_free(a->kept);
    buf_done(&a->text);
    free(a);
}

int aliases_keep(struct aliases *a, struct str word, struct err *e)
{
    return intern_put(a->kept, word) == INTERN_NONE ? err_nomem(e) : OK;
}

bool aliases_is_kept(const struct aliases *a, struct str word)
{
    return intern_find(a->kept, word) != INTERN_NONE;
}

int aliases_new(struct aliases **out, struct err *e)
{
    struct aliases *a = calloc(1, sizeof *a);

    if (!a)
        return err_nomem(e);
    buf_init(&a->text, KEY_MAX_B);
    int rc = intern_new(&a->name, e);
    if (rc == OK)
        rc = intern_new(&a->alias, e);
    if (rc == OK)
        rc = intern_new(&a->kept, e);
    for (size_t i = 0; rc == OK && i < ARRAY_LEN(public_words); i++)
        rc = aliases_keep(a, str_of(public_words[i]), e);
    if (rc == OK)
        *out = a;
    else
        aliases_free(a);
    return rc;
}

uint32_t aliases_count(const struct aliases *a)
{
    return intern_count(a->name);
}

static int add_pair(struct aliases *a, struct str name, struct str alias, struct err *e)
{
    uint32_t i = intern_put(a->name, name), k = intern_put(a->alias, alias);

    if (i == INTERN_NONE || k == INTERN_NONE)
        return err_nomem(e);
    if (i != k)
        return err_set(e, ERR_FORMAT, "a name or an alias is there twice");
    if (name.n > a->longest)
        a->longest = name.n;
    return OK;
}

/* ---- the key file ---- */

static bool is_plain(unsigned char c)
{
    return c >= ' ' && c != '\\' && c != 0x7f;
}

static void add_escaped(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (is_plain((unsigned char)s.p[i]))
            buf_addc(out, s.p[i]);
        else
            buf_printf(out, "\\x%02x", (unsigned)(unsigned char)s.p[i]);
}

static int hex_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool add_plain(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] != '\\') {
            buf_addc(out, s.p[i]);
            continue;
        }
        if (i + 3 >= s.n || s.p[i + 1] != 'x' || hex_of(s.p[i + 2]) < 0 || hex_of(s.p[i + 3]) < 0)
            return false;
        buf_addc(out, (char)(hex_of(s.p[i + 2]) * 16 + hex_of(s.p[i + 3])));
        i += 3;
    }
    return true;
}

static int read_line(struct aliases *a, struct str line, struct err *e)
{
    size_t tab = str_chr(line, '\t');

    buf_clear(&a->text);
    if (tab == SIZE_MAX || !tab || !add_plain(&a->text, str_sub(line, tab + 1, line.n)))
        return err_set(e, ERR_FORMAT, "no alias, TAB and name");
    if (buf_failed(&a->text))
        return err_nomem(e);
    return add_pair(a, buf_str(&a->text), str_sub(line, 0, tab), e);
}

static int read_pairs(struct aliases *a, struct str text, uint32_t *number, struct err *e)
{
    struct str line;

    if (!str_starts(text, STR(HEAD)))
        return err_set(e, ERR_FORMAT, "is no key file of npuscope: give another name");
    text = str_sub(text, sizeof HEAD - 1, text.n);
    if (text.n && text.p[text.n - 1] != '\n')
        return err_set(e, ERR_FORMAT, "the key file is cut: its last line has no end");
    for (*number = 2; text.n && str_next(&text, '\n', &line); ++*number)
        if ((line.n || text.p) && read_line(a, line, e))
            return e->code;
    *number = 0;
    return OK;
}

int aliases_read(struct aliases *a, const char *path, struct err *e)
{
    struct stat st;
    char *text = NULL;
    size_t n = 0;
    uint32_t line = 0;

    if (stat(path, &st) != 0 && errno == ENOENT)
        return OK;
    if (infile_read_all(path, KEY_MAX_B, &text, &n, e) == OK)
        (void)!read_pairs(a, (struct str){ text, n }, &line, e);
    free(text);
    if (e->code)
        err_where(e, path, ERR_NO_OFFSET, line);
    return e->code;
}

static int write_pairs(const struct aliases *a, struct file_write *w, struct buf *b, struct err *e)
{
    buf_puts(b, HEAD);
    for (uint32_t i = 0; i < intern_count(a->name); i++) {
        buf_add(b, intern_get(a->alias, i));
        buf_addc(b, '\t');
        add_escaped(b, intern_get(a->name, i));
        buf_addc(b, '\n');
        if (b->n < 65536)
            continue;
        if (buf_failed(b) || file_write_data(w, b->p, b->n, e))
            return e->code ? e->code : err_nomem(e);
        buf_clear(b);
    }
    if (buf_failed(b))
        return err_nomem(e);
    return file_write_data(w, b->p, b->n, e);
}

int aliases_write(const struct aliases *a, const char *path, struct err *e)
{
    struct file_write *w = NULL;
    struct buf b;

    if (file_write_open(&w, path, true, e))
        return e->code;
    buf_init(&b, (size_t)64 << 20);
    int rc = fchmod(file_write_fd(w), 0600) ? err_sys(e, errno, "cannot be kept from others") : OK;
    if (rc == OK)
        rc = write_pairs(a, w, &b, e);
    buf_done(&b);
    if (rc == OK)
        return file_write_commit(w, e);
    file_write_abort(w);
    err_where(e, path, ERR_NO_OFFSET, 0);
    return rc;
}

/* ---- parts of a name ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static bool has_letter(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (is_letter(s.p[i]))
            return true;
    return false;
}

/*
 * Every run of letters is a public word: "hwts.data.0.slice_1". A place in code, "module.py(20)", is no
 * file.
 */
static bool is_of_words(const struct aliases *a, struct str s)
{
    if (str_chr(s, '(') != SIZE_MAX)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        size_t from = i;
        while (i < s.n && is_letter(s.p[i]))
            i++;
        if (i > from && !aliases_is_kept(a, str_sub(s, from, i - from)))
            return false;
    }
    return true;
}

static bool is_function(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!str_is_word(s.p[i]) && !strchr(":.#", s.p[i] ? s.p[i] : ' '))
            return false;
    for (size_t i = 0; i < ARRAY_LEN(public_spaces); i++)
        if (str_starts(s, str_of(public_spaces[i])))
            return true;
    return false;
}

/* A public word and its number: "connector 2". */
static bool is_numbered(const struct aliases *a, struct str s)
{
    const size_t at = str_rchr(s, ' ');

    return at != SIZE_MAX && at + 1 < s.n && !has_letter(str_sub(s, at + 1, s.n)) &&
           aliases_is_kept(a, str_sub(s, 0, at));
}

static bool is_public(const struct aliases *a, enum name_class c, struct str part)
{
    if (aliases_is_kept(a, part))
        return true;
    if (c == NC_HOST || c == NC_USER)
        return !part.n;
    return !has_letter(part) || is_numbered(a, part) || (c == NC_PATH && is_of_words(a, part));
}

/* The alias of a part, made when it is new. "Conv2D-op3" keeps its type, which is public. */
static int alias_of(struct aliases *a, enum name_class c, struct str part, struct str *alias, struct err *e)
{
    uint32_t i = intern_find(a->name, part);
    size_t dash = c == NC_OP ? str_rchr(part, '-') : SIZE_MAX;
    char text[400];

    if (i == INTERN_NONE) {
        bool typed = dash != SIZE_MAX && dash < 300 && aliases_is_kept(a, str_sub(part, 0, dash));
        snprintf(text, sizeof text, "%.*s%s%s_anon%" PRIu32, typed ? (int)dash : 0, part.p, typed ? "-" : "",
                 class_words[c], intern_count(a->name) + 1);
        i = intern_count(a->name);
        if (add_pair(a, part, str_of(text), e))
            return e->code;
    }
    *alias = intern_get(a->alias, i);
    return OK;
}

static bool is_separator(enum name_class c, char x)
{
    if (c == NC_HOST || c == NC_USER)
        return false;
    if (c == NC_OP && x == '>') /* "scope:OUTER>INNER" of flops_total */
        return true;
    return x == '/' || x == '\\' || x == ':' || x == ';' || x == '\n' || x == '\r';
}

static int replace_part(struct aliases *a, enum name_class c, struct str part, struct buf *out, struct err *e)
{
    struct str inner = str_trim(part), alias = inner;

    if (!is_public(a, c, inner) && alias_of(a, c, inner, &alias, e))
        return e->code;
    size_t before = inner.n ? (size_t)(inner.p - part.p) : part.n;
    buf_add(out, str_sub(part, 0, before));
    buf_add(out, alias);
    buf_add(out, str_sub(part, before + inner.n, part.n));
    return OK;
}

int aliases_replace(struct aliases *a, enum name_class c, struct str text, struct buf *out, struct err *e)
{
    size_t from = 0;

    if (c == NC_OP && is_function(text)) {
        buf_add(out, text);
        from = text.n + 1;
    }
    for (size_t i = from; text.p && i <= text.n; i++) {
        if (i < text.n && !is_separator(c, text.p[i]))
            continue;
        if (replace_part(a, c, str_sub(text, from, i - from), out, e))
            return e->code;
        if (i < text.n)
            buf_addc(out, text.p[i]);
        from = i + 1;
    }
    return buf_failed(out) ? err_nomem(e) : OK;
}

/* ---- prose ---- */

static bool in_word(char c)
{
    return str_is_word(c) || (unsigned char)c >= 0x80;
}

static bool is_edge(struct str s, size_t at)
{
    return !at || at >= s.n || !in_word(s.p[at - 1]) || !in_word(s.p[at]);
}

/* Bytes of the longest name that begins here; 0: none. */
static size_t name_at(const struct aliases *a, struct str s, size_t at, uint32_t *which)
{
    size_t most = s.n - at < a->longest ? s.n - at : a->longest;

    for (size_t n = most; n >= LEAST; n--)
        if (is_edge(s, at + n) && (*which = intern_find(a->name, str_sub(s, at, n))) != INTERN_NONE)
            return n;
    return 0;
}

/* Bytes of an IPv4 address that begins here; 0: none. */
static size_t address_at(struct str s, size_t at)
{
    size_t i = at;

    for (int part = 0; part < 4; part++) {
        size_t from = i;
        unsigned value = 0;
        while (i < s.n && i < from + 3 && s.p[i] >= '0' && s.p[i] <= '9')
            value = value * 10 + (unsigned)(s.p[i++] - '0');
        if (i == from || value > 255 || (part < 3 && (i >= s.n || s.p[i++] != '.')))
            return 0;
    }
    return i < s.n && ((s.p[i] >= '0' && s.p[i] <= '9') || s.p[i] == '.') ? 0 : i - at;
}

/* Bytes of an absolute path that begins here; 0: none. */
static size_t path_at(struct str s, size_t at)
{
    static const char ends[] = " \t\r\n'\"`,;()[]{}<>|=";
    size_t i = at;

    if (s.p[at] != '/' || (at && (in_word(s.p[at - 1]) || s.p[at - 1] == '/')))
        return 0;
    while (i < s.n && !strchr(ends, s.p[i] ? s.p[i] : ' '))
        i++;
    return i > at + 1 ? i - at : 0;
}

/* Bytes of a mark that stands for what was cut off a name; 0: none is there. */
static size_t mark_at(struct str s, size_t at)
{
    static const char *const marks[] = { STR_CUT, "\xe2\x80\xa6", "~" };

    for (size_t i = 0; i < ARRAY_LEN(marks); i++)
        if (str_starts(str_sub(s, at, s.n), str_of(marks[i])))
            return strlen(marks[i]);
    return 0;
}

static bool is_after_mark(struct str s, size_t at)
{
    return (at >= 3 && mark_at(s, at - 3) == 3) || (at && mark_at(s, at - 1) == 1);
}

/* A name that begins, or ends, with this text and is longer. */
static bool is_of_name(const struct aliases *a, struct str part, bool begins, uint32_t *which)
{
    if (part.n < LEAST || !has_letter(part) || aliases_is_kept(a, part))
        return false;
    for (*which = 0; *which < intern_count(a->name); ++*which) {
        struct str name = intern_get(a->name, *which);
        if (name.n > part.n && (begins ? str_starts(name, part) : str_ends(name, part)))
            return true;
    }
    return false;
}

/* Bytes of a name that was cut: up to a mark, or from one; 0: none is here. which: a name that it may be. */
static size_t part_at(const struct aliases *a, struct str s, size_t at, uint32_t *which)
{
    size_t n = 0, most = s.n - at < a->longest ? s.n - at : a->longest;

    while (n < most && !mark_at(s, at + n))
        n++;
    if (mark_at(s, at + n) && is_of_name(a, str_sub(s, at, n), true, which))
        return n;
    for (n = is_after_mark(s, at) ? n : 0; n >= LEAST; n--)
        if (is_edge(s, at + n) && is_of_name(a, str_sub(s, at, n), false, which))
            return n;
    return 0;
}

struct scrub {
    struct aliases *a;
    struct str s;
    bool names, marked; /* marked: a part of a name may be in it */
    struct buf *out;
};

/* Bytes of a name, or of a part of one, that begins here; 0: none. */
static size_t any_name_at(const struct scrub *x, size_t at, uint32_t *which)
{
    uint32_t cut = 0;
    size_t n = name_at(x->a, x->s, at, which), part = x->marked ? part_at(x->a, x->s, at, &cut) : 0;

    if (part > n)
        *which = cut;
    return part > n ? part : n;
}

static int scrub_at(const struct scrub *x, size_t *at, struct err *e)
{
    struct str s = x->s;
    uint32_t which = 0;
    size_t n;

    if ((n = path_at(s, *at)) != 0) {
        *at += n;
        return aliases_replace(x->a, NC_PATH, str_sub(s, *at - n, n), x->out, e);
    }
    if (is_edge(s, *at) && (!*at || s.p[*at - 1] != '.') && (n = address_at(s, *at)) != 0) {
        *at += n;
        return aliases_replace(x->a, NC_HOST, str_sub(s, *at - n, n), x->out, e);
    }
    if (x->names && is_edge(s, *at) && (n = any_name_at(x, *at, &which)) != 0) {
        *at += n;
        buf_add(x->out, intern_get(x->a->alias, which));
        return OK;
    }
    buf_addc(x->out, s.p[(*at)++]);
    return OK;
}

int aliases_scrub(struct aliases *a, bool names, struct str text, struct buf *out, struct err *e)
{
    struct scrub x = { .a = a, .s = text, .names = names, .out = out };

    for (size_t i = 0; names && !x.marked && i < text.n; i++)
        x.marked = mark_at(text, i) != 0;
    for (size_t at = 0; at < text.n;)
        if (scrub_at(&x, &at, e))
            return e->code;
    return buf_failed(out) ? err_nomem(e) : OK;
}
