/* SPDX-License-Identifier: Apache-2.0 */
/* One rank being analysed: its files, its output, the notes of parsers, texts of the formats. */
#include "config.h"

#include "mindspore/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/path.h"
#include "base/text.h"
#include "emit/report.h"

/* ---- input ---- */

const struct source_file *mindspore_file(const struct mindspore_run *r, const char *kind,
                                         const struct source_file *after)
{
    bool past = !after;

    for (size_t i = 0; i < r->unit->n_files; i++) {
        const struct source_file *f = r->unit->files[i];
        if (!past) {
            past = f == after;
            continue;
        }
        if (strcmp(f->kind->id, kind) == 0 && f->regular && !f->superseded && !f->later_slice &&
            (f->rank == r->rank || f->rank < 0))
            return f;
    }
    return NULL;
}

struct parse_ctx mindspore_ctx(struct mindspore_run *r, const struct source_file *f)
{
    return (struct parse_ctx){
        .f = f, .run = &r->unit->info, .tmp = r->a, .out = r->notes, .threads = 1, .rank = r->rank
    };
}

const struct source_file *mindspore_container_file(const struct mindspore_run *r, const char *what,
                                                   const struct source_file *after)
{
    char job[256];
    struct str dir = str_of(r->job_dir);
    size_t last = dir.n && dir.p[dir.n - 1] == '/' ? dir.n - 1 : dir.n;

    struct str name = str_after_last(str_sub(dir, 0, last), '/');
    snprintf(job, sizeof job, ".%.*s.", (int)(name.n < 200 ? name.n : 200), name.p);
    while (name.n && (after = mindspore_file(r, "raw_framework", after)) != NULL) {
        struct str rel = str_of(after->rel), base = str_after_last(rel, '/');
        if (str_find(rel, STR("container/"), 0) != SIZE_MAX && str_find(base, str_of(what), 0) != SIZE_MAX &&
            str_find(base, str_of(job), 0) != SIZE_MAX)
            return after;
    }
    return NULL;
}

static int slice_cmp(const void *a, const void *b)
{
    const struct source_file *x = a, *y = b;

    return strcmp(x->path, y->path);
}

int mindspore_slices_by_text(struct mindspore_run *r, struct parse_ctx *c, struct err *e)
{
    struct source_file *v;
    size_t n = 0;

    for (const struct source_file *f = c->f; f; f = f->next_slice)
        n++;
    v = arena_array(r->a, n, sizeof *v);
    if (!v)
        return err_nomem(e);
    n = 0;
    for (const struct source_file *f = c->f; f; f = f->next_slice)
        v[n++] = *f;
    qsort(v, n, sizeof *v, slice_cmp);
    for (size_t i = 0; i < n; i++) {
        v[i].next_slice = i + 1 < n ? &v[i + 1] : NULL;
        v[i].slice = -1; /* in this order the numbers do not show which slices are missing */
    }
    c->f = v;
    return OK;
}

/* ---- output ---- */

/* A file that cannot be created does not stop the others: its row is written, and output to it is dropped. */
static int fail_alone(struct mindspore_run *r, struct emit **o, const char *name, struct err *e)
{
    char why[300];

    if (e->code != ERR_IO && e->code != ERR_USAGE)
        return e->code;
    struct emit_result x = { .rank = r->rank, .name = name, .outcome = EMIT_FAILED };
    x.why = err_message(e, why, sizeof why);
    emit_report_add(r->report, &x);
    err_clear(e);
    return emit_nowhere(o, e);
}

int mindspore_open_name(struct mindspore_run *r, struct emit **o, const char *name, struct err *e)
{
    char path[1024];

    *o = NULL;
    if (!path_join(path, sizeof path, r->options->dir, name))
        return err_set(e, ERR_USAGE, "the path of the output directory is too long");
    if (r->options->force || access(path, F_OK) != 0) {
        if (emit_create(o, r->options->dir, name, r->options->force, e))
            return fail_alone(r, o, name, e);
    } else if (emit_nowhere(o, e) == OK) {
        snprintf((*o)->path, sizeof(*o)->path, "%s", path);
    }
    if (!e->code && r->options->pretty && str_ends(str_of(name), STR(".json")) && emit_pretty(*o, e)) {
        emit_drop(*o);
        *o = NULL;
    }
    return e->code;
}

static void numbered(const struct mindspore_run *r, const char *before, const char *after, char *buf,
                     size_t n)
{
    snprintf(buf, n, "%s%d%s", before, r->number, after);
}

int mindspore_open(struct mindspore_run *r, struct emit **o, const char *before, const char *after,
                   struct err *e)
{
    char name[256];

    numbered(r, before, after, name, sizeof name);
    return mindspore_open_name(r, o, name, e);
}

int mindspore_close(struct mindspore_run *r, struct emit *o, struct err *e)
{
    struct emit_count count = { 0 };
    char path[1024], why[300];
    bool kept = o && o->fd < 0;

    if (!o)
        return e->code;
    snprintf(path, sizeof path, "%s", o->path);
    if (!path[0]) { /* its row was written by fail_alone() */
        emit_drop(o);
        return e->code;
    }
    struct emit_result x = { .rank = r->rank, .name = path_base(path) };
    if (e->code)
        emit_drop(o);
    else if (emit_close(o, &count, e) == OK) {
        x.outcome = kept ? EMIT_KEPT : EMIT_WRITTEN;
        x.bytes = count.bytes;
        x.why = kept ? "it exists" : NULL;
    }
    if (e->code) {
        x.outcome = EMIT_FAILED;
        x.why = err_message(e, why, sizeof why);
    }
    emit_report_add(r->report, &x);
    return e->code;
}

void mindspore_no_data(struct mindspore_run *r, const char *before, const char *after, const char *why)
{
    char name[256];

    numbered(r, before, after, name, sizeof name);
    emit_report_add(r->report, &(struct emit_result){
                                   .rank = r->rank, .name = name, .outcome = EMIT_NO_DATA, .why = why });
}

/* ---- text of the formats (doc/formats/mindspore1.md#text-forms) ---- */

void mindspore_title(struct emit *o, const char *title)
{
    emit_fmt(o, "====================%s====================\n", title);
}

void mindspore_cell(struct emit *o, struct str s, bool first)
{
    if (!first)
        emit_c(o, ',');
    emit_cell_str(o, s);
}

void mindspore_end_row(struct emit *o)
{
    emit_n(o, "\r\n", 2);
}

static size_t unit_text(uint32_t c, char *t)
{
    static const char hex[] = "0123456789abcdef";

    t[0] = '\\';
    t[1] = 'u';
    for (size_t i = 0; i < 4; i++)
        t[2 + i] = hex[c >> (12 - 4 * i) & 15];
    return 6;
}

/* A character as JSON writes it. */
static size_t char_text(uint32_t c, char t[16])
{
    static const char from[] = "\"\\\n\r\t\b\f", to[] = "\"\\nrtbf";
    const char *short_form = c && c < 128 ? strchr(from, (int)c) : NULL;

    if (short_form) {
        t[0] = '\\';
        t[1] = to[short_form - from];
        return 2;
    }
    if (c >= 0x20 && c <= 0x7f) {
        t[0] = (char)c;
        return 1;
    }
    if (c < 0x10000)
        return unit_text(c, t);
    return unit_text(0xd800 + ((c - 0x10000) >> 10), t) + unit_text(0xdc00 + ((c - 0x10000) & 0x3ff), t + 6);
}

/* The number of bytes at the beginning of s that need no escapes. */
static size_t plain_run(struct str s)
{
    size_t n = 0;

    while (n < s.n && s.p[n] >= 0x20 && s.p[n] < 0x7f && s.p[n] != '"' && s.p[n] != '\\')
        n++;
    return n;
}

void mindspore_json_text(struct emit *o, struct str s)
{
    char t[16];
    uint32_t c;

    emit_c(o, '"');
    for (;;) {
        size_t run = plain_run(s);
        if (run)
            emit_n(o, s.p, run);
        s = str_sub(s, run, SIZE_MAX);
        if (!s.n)
            break;
        s = str_sub(s, text_decode(s.p, s.n, &c), SIZE_MAX);
        emit_n(o, t, char_text(c, t));
    }
    emit_c(o, '"');
}

void mindspore_json_add(struct buf *b, struct str s)
{
    char t[16];
    uint32_t c;

    buf_addc(b, '"');
    while (s.n) {
        s = str_sub(s, text_decode(s.p, s.n, &c), SIZE_MAX);
        buf_add(b, (struct str){ t, char_text(c, t) });
    }
    buf_addc(b, '"');
}

void mindspore_json_cell_text(struct emit *o, struct str s)
{
    char t[16];
    uint32_t c;

    emit_s(o, "\"\"");
    while (s.n) {
        s = str_sub(s, text_decode(s.p, s.n, &c), SIZE_MAX);
        emit_n(o, t, char_text(c, t));
        if (c == '"')
            emit_c(o, '"');
    }
    emit_s(o, "\"\"");
}

/* ---- names ---- */

struct str mindspore_text(struct mindspore_run *r, struct str s)
{
    uint32_t id = intern_put(r->texts, s);

    return id == INTERN_NONE ? STR_NULL : intern_get(r->texts, id);
}

const struct mindspore_framework *mindspore_info(const struct mindspore_run *r, struct str full)
{
    uint32_t id = intern_find(r->texts, full);

    return id < r->n_info && r->info_of[id] ? &r->framework[r->info_of[id] - 1] : NULL;
}

size_t mindspore_key_text(const struct task_key *k, char t[48])
{
    char number[24];
    size_t n = 0;

    if (k->stream != TASK_KEY_ALONE) {
        struct str s = str_of(emit_number(k->stream, number));
        memcpy(t, s.p, s.n);
        n = s.n;
        t[n++] = '_';
    }
    struct str s = str_of(emit_number(k->task, number));
    memcpy(t + n, s.p, s.n + 1);
    return n + s.n;
}

struct str mindspore_short(struct str full)
{
    return str_after_last(full, '/');
}

struct str mindspore_subgraph(struct str full)
{
    size_t at = str_chr(full, '/');
    struct str first = str_sub(full, 0, at);

    if (at != SIZE_MAX && (str_eq(first, STR("Default")) || str_eq(first, STR("Gradients"))))
        return first;
    return STR("");
}
