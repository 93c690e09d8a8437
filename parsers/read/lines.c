/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and words of text files. */
#include "config.h"

#include "parsers/read/lines.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/path.h"

#define ASK_B ((uint64_t)1 << 20)

int lines_open(struct lines *l, struct parse_ctx *c, struct err *e)
{
    *l = (struct lines){ .c = c };
    return infile_open(&l->in, c->f->path, 0, e);
}

int lines_open_other(struct lines *l, struct parse_ctx *c, const char *path, struct err *e)
{
    *l = (struct lines){ .c = c, .quiet = true };
    return infile_open(&l->in, path, 0, e);
}

void lines_close(struct lines *l)
{
    infile_close(l->in);
    l->in = NULL;
}

void lines_note(struct lines *l, enum note_code code, bool lost, const char *text)
{
    struct where w = parse_where(l->c, l->off, l->n, 1);

    if (l->quiet)
        return;
    if (lost)
        l->c->lost++;
    sink_note(l->c->out, code, &w, "%s", text);
}

void lines_bad(struct lines *l, const char *text)
{
    lines_note(l, l->ended ? NOTE_BAD_ROW : NOTE_TORN_RECORD, true, text);
    l->noted = true;
}

void lines_bad_value(struct lines *l)
{
    l->bad = true;
    if (l->ended) /* else lines_done() says that the line may be cut */
        lines_note(l, NOTE_BAD_VALUE, false, "a value that cannot be read is missing");
}

void lines_done(struct lines *l)
{
    bool open = !l->ended || (l->also && l->end == l->also);

    if (l->in && l->n > 0 && open && !l->noted) {
        if (l->c->f->kind->open_end && !l->bad)
            lines_note(l, NOTE_NO_LINE_END, false, "the last line has no line end; kept");
        else
            lines_note(l, NOTE_TORN_FILE, false,
                       "the last line has no line end; kept, but its last value may be cut");
    }
    lines_close(l);
}

/* Read more after the unread bytes. false: nothing came (end, or e is set). */
static bool read_more(struct lines *l, struct err *e)
{
    size_t got = 0;

    if (infile_full(l->in))
        infile_widen(l->in, LIM_LINE_B + 2);
    if (infile_more(l->in, &got, e) == OK)
        return got > 0;
    if (e->code == ERR_FORMAT || e->code == ERR_LIMIT) {
        lines_note(l, e->code == ERR_LIMIT ? NOTE_LIMIT : NOTE_TORN_FILE, false, e->text);
        err_clear(e);
    }
    return false;
}

static bool asked_to_stop(struct lines *l, struct err *e)
{
    if (l->off - l->asked < ASK_B)
        return false;
    l->asked = l->off;
    return parse_ask(l->c, l->quiet ? l->c->done_b : infile_consumed(l->in), e) != OK;
}

static size_t line_end(const struct lines *l, const char *p, size_t from, size_t n)
{
    char also = l->also ? l->also : '\n';

    while (from < n && p[from] != '\n' && p[from] != '\r' && p[from] != also)
        from++;
    return from;
}

void lines_too_long(char *out, size_t room, uint64_t line_b)
{
    uint64_t mib = (line_b + (1u << 19)) >> 20;

    if (mib > LIM_LINE_B >> 20)
        snprintf(out, room, "a line of %llu MiB, limit %zu MiB", (unsigned long long)mib, LIM_LINE_B >> 20);
    else
        snprintf(out, room, "a line of %llu bytes, limit %zu MiB", (unsigned long long)line_b,
                 LIM_LINE_B >> 20);
}

/* Skip a line that is above the limit. */
static void skip_long(struct lines *l, struct err *e)
{
    uint64_t line_b = 0;
    char text[80];
    size_t n, end;

    do {
        const char *p = infile_data(l->in, &n);
        end = line_end(l, p, 0, n);
        line_b += end;
        if (end < n) {
            l->end = p[end];
            l->after_cr = l->end == '\r';
        }
        infile_take(l->in, end + (end < n));
    } while (end == n && read_more(l, e));
    lines_too_long(text, sizeof text, line_b);
    lines_note(l, NOTE_LINE_TOO_LONG, true, text);
}

/*
 * Zeros before a line are a part of the file that was never written; those within it are left to the reader
 * of the line.
 */
static void skip_zeros(struct lines *l, struct str *line)
{
    size_t n = 0;

    if (!line->n || !memchr(line->p, '\0', line->n))
        return;
    while (n < line->n && !line->p[n])
        n++;
    *line = str_sub(*line, n, SIZE_MAX);
    lines_note(l, NOTE_BAD_ROW, n > 0, "zeros in place of text");
    l->noted = !line->n;
}

bool lines_next(struct lines *l, struct str *line, struct err *e)
{
    size_t n = 0, seen = 0;
    const char *p;

    for (;;) {
        infile_take(l->in, l->taken);
        l->taken = 0;
        l->off = infile_offset(l->in);
        if (asked_to_stop(l, e))
            return false;
        for (seen = 0;; seen = n) {
            p = infile_data(l->in, &n);
            if (l->after_cr && n > 0) { /* LF of a CRLF */
                l->after_cr = false;
                if (*p == '\n') {
                    infile_take(l->in, 1);
                    l->off++;
                    p = infile_data(l->in, &n);
                }
            }
            seen = line_end(l, p, seen, n);
            if (seen < n || seen > LIM_LINE_B || !read_more(l, e))
                break;
        }
        p = infile_data(l->in, &n);
        if (e->code != OK || n == 0)
            return false;
        l->n += l->end != l->also || l->end == '\0';
        if (seen <= LIM_LINE_B)
            break;
        skip_long(l, e);
        if (e->code != OK)
            return false;
    }
    l->ended = seen < n;
    l->end = l->ended ? p[seen] : '\0';
    l->noted = l->bad = false;
    l->after_cr = l->ended && p[seen] == '\r';
    l->taken = seen + (l->ended ? 1 : 0);
    *line = (struct str){ p, seen };
    if (l->n == 1 && seen >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        *line = str_sub(*line, 3, SIZE_MAX);
    skip_zeros(l, line);
    return true;
}

bool lines_tail(struct str line, char sep, size_t n, struct str *head, struct str *tail)
{
    struct str s = str_trim(line);

    for (size_t i = n; i > 0; i--) {
        size_t at = str_rchr(s, sep);
        if (at == SIZE_MAX)
            return false;
        tail[i - 1] = str_trim(str_sub(s, at + 1, SIZE_MAX));
        s = str_sub(s, 0, at);
        if (sep == ' ')
            s = str_trim(s);
    }
    *head = str_trim(s);
    return head->n > 0;
}

size_t lines_split(struct str line, char sep, struct str *piece, size_t max)
{
    size_t n = 0;
    struct str rest = line;

    while (n + 1 < max && rest.p) {
        struct str s;
        if (!str_next(&rest, sep, &s))
            break;
        piece[n++] = str_trim(s);
    }
    if (rest.p && n < max)
        piece[n++] = str_trim(rest);
    return n;
}

size_t lines_words(struct str line, struct str *word, size_t max)
{
    size_t n = 0, i = 0;

    while (n < max) {
        while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t'))
            i++;
        if (i == line.n)
            break;
        size_t from = i;
        while (i < line.n && line.p[i] != ' ' && line.p[i] != '\t')
            i++;
        word[n++] = str_sub(line, from, i - from);
    }
    return n;
}

int parse_ask(struct parse_ctx *c, uint64_t done_b, struct err *e)
{
    c->done_b = done_b;
    if (c->progress)
        c->progress(c->progress_arg, done_b);
    return sink_cancelled(c->out) ? err_set(e, ERR_CANCELLED, "stopped") : OK;
}

bool parse_threaded(const struct parse_ctx *c, const struct infile *in, uint64_t least_b)
{
    if (c->threads)
        return c->threads > 1;
    return infile_size(in) >= (infile_is_gz(in) ? least_b / 8 : least_b) && sysconf(_SC_NPROCESSORS_ONLN) > 1;
}

void parse_note(struct parse_ctx *c, enum note_code code, uint64_t count, const char *fmt, ...)
{
    struct where p = parse_where(c, ERR_NO_OFFSET, 0, count);
    char text[256];
    va_list ap;

    if (!count)
        return;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    sink_note(c->out, code, &p, "%s", text);
}

int parse_row(struct parse_ctx *c, enum table_id t, const struct val *v, size_t n, struct err *e)
{
    c->rows++;
    return sink_row(c->out, t, v, n, NULL, e);
}

int parse_setting(struct parse_ctx *c, const char *key, struct str value, struct err *e)
{
    struct val v[N_COLS(setting)] = {
        [COL(setting, key)] = val_cstr(key),
        [COL(setting, value)] = val_text(value),
        [COL(setting, rank)] = val_int(c->rank),
        [COL(setting, source_id)] = val_int(c->f->id),
    };

    return parse_row(c, T_setting, v, N_COLS(setting), e);
}

int parse_doc(struct parse_ctx *c, struct str key, struct str value, struct err *e)
{
    struct val v[N_COLS(doc)] = {
        [COL(doc, source_id)] = val_int(c->f->id),
        [COL(doc, key)] = val_text(key),
        [COL(doc, value)] = val_text(value),
    };

    return parse_row(c, T_doc, v, N_COLS(doc), e);
}

int64_t parse_op_named(struct parse_ctx *c, struct str name, const struct op_attr *a, struct err *e)
{
    struct op_key k = OP_KEY_INIT;
    struct op_attr none = OP_ATTR_INIT;

    k.name_id = sink_intern(c->out, name);
    none.source_id = c->f->id;
    return sink_op(c->out, &k, a ? a : &none, e);
}

struct str parse_run_setting(const struct parse_ctx *c, const char *key)
{
    struct str k = str_of(key);

    for (size_t i = 0; c->run && i < c->run->n_settings; i++) {
        const struct run_setting *s = &c->run->settings[i];
        bool whole = s->key.n == k.n || (s->key.n > k.n && s->key.p[s->key.n - k.n - 1] == '.');
        if (whole && str_ends(s->key, k) && (s->rank == -1 || s->rank == c->rank))
            return s->value;
    }
    return STR_NULL;
}

bool parse_has_neighbour(const struct parse_ctx *c, const char *name)
{
    char dir[PATH_MAX], path[PATH_MAX];
    struct stat st;

    return path_dir(dir, sizeof dir, c->f->path) && path_join(path, sizeof path, dir, name) &&
           stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
}

/* N/A, NA, None, null, -, empty. */
static bool is_null(struct str s)
{
    static const char *const words[] = { "N/A", "NA", "None", "null", "-", "" };

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_eq(s, str_of(words[i])))
            return true;
    return false;
}

bool text_ms_or_us(struct str s, int64_t *ns)
{
    /* In ms up to the year 2096; what is larger is us. */
    if (str_scaled(s, 1000000, ns, NULL) && *ns < INT64_C(4000000000000000000))
        return true;
    return str_scaled(s, 1000, ns, NULL);
}

struct val val_scaled(struct str text, uint64_t mul, bool *bad)
{
    int64_t v;

    if (str_scaled(text, mul, &v, NULL))
        return val_int(v);
    if (!is_null(text))
        *bad = true;
    return val_null();
}

/* The text with its exponent moved by exp10, so that it is rounded once; false when it does not fit. */
static bool move_exponent(struct str text, int exp10, char *out, size_t size)
{
    size_t e = str_chr(text, 'e');
    int64_t have = 0;

    e = e == SIZE_MAX ? str_chr(text, 'E') : e;
    if (e != SIZE_MAX) {
        struct str x = str_sub(text, e + 1, SIZE_MAX);
        if (!str_i64(str_starts(x, STR("+")) ? str_sub(x, 1, SIZE_MAX) : x, &have) || have < -10000 ||
            have > 10000)
            return false;
        text = str_sub(text, 0, e);
    }
    int n = snprintf(out, size, "%.*se%d", (int)text.n, text.p ? text.p : "", (int)have + exp10);
    return n > 0 && (size_t)n < size;
}

struct val val_real_text(struct str text, int exp10, bool *bad)
{
    char t[96];
    double v;

    if (is_null(text))
        return val_null();
    if (exp10 && (text.n >= 64 || !move_exponent(text, exp10, t, sizeof t))) {
        *bad = true;
        return val_null();
    }
    if (str_f64(exp10 ? str_of(t) : text, &v))
        return val_real(v);
    *bad = true;
    return val_null();
}

struct val val_int_text(struct str text, bool *bad)
{
    int64_t v;

    if (str_i64(text, &v))
        return val_int(v);
    if (!is_null(text))
        *bad = true;
    return val_null();
}
