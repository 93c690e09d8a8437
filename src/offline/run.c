/* SPDX-License-Identifier: Apache-2.0 */
/* One rank being analysed: its files, its output, texts of the formats. */
#include "config.h"

#include "offline/run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/large/spool.h"
#include "base/path.h"
#include "base/text.h"
#include "emit/report.h"

#define EXACT ((int64_t)1 << 53) /* up to it doubles are all integers */

/* ---- input ---- */

bool offline_is_ours(const struct offline_run *r, const struct source_file *f)
{
    return r->unit->gen != GEN_1B || f->rank < 0 || f->rank == r->rank;
}

/* Files of the host say no rank. */
bool offline_is_our_root(const struct offline_run *r, struct str root)
{
    for (size_t i = 0; i < r->unit->n_files; i++) {
        const struct source_file *f = r->unit->files[i];
        if (f->device >= 0 && !offline_is_ours(r, f) && str_starts(str_of(f->rel), root))
            return false;
    }
    return true;
}

const struct source_file *offline_source(const struct offline_run *r, const char *kind,
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
            offline_is_ours(r, f))
            return f;
    }
    return NULL;
}

struct parse_ctx offline_ctx(struct offline_run *r, const struct source_file *f)
{
    return (struct parse_ctx){
        .f = f, .run = &r->unit->info, .tmp = r->a, .out = r->notes, .threads = 1, .rank = r->rank
    };
}

int offline_unusable(struct offline_run *r, const struct parse_ctx *c, struct err *e)
{
    char why[300];

    if (e->code != ERR_FORMAT && e->code != ERR_IO)
        return e->code;
    const struct where w = { .source_id = c->f->id, .offset = e->offset };
    sink_note(r->notes, NOTE_BAD_ROW, &w, "%s", err_message(e, why, sizeof why));
    err_clear(e);
    return OK;
}

/* The number after "device_" in ".../PROF_x/device_0/..." of a path; -1: there is none. */
static int device_in(struct str path)
{
    struct str part;
    bool in_prof = false;
    uint64_t n;

    while (str_next(&path, '/', &part)) {
        if (in_prof && str_starts(part, STR("device_")) && path.p && str_u64(str_sub(part, 7, SIZE_MAX), &n))
            return n <= INT32_MAX ? (int)n : -1;
        in_prof = str_starts(part, STR("PROF_"));
    }
    return -1;
}

static int device_of(const struct offline_run *r, const struct source_file *f)
{
    return offline_is_ours(r, f) ? device_in(str_of(f->rel)) : -1;
}

int offline_device(const struct offline_run *r)
{
    int found = -1;

    for (size_t i = 0; i < r->unit->n_files; i++) {
        int device = device_of(r, r->unit->files[i]);
        if (device >= 0 && found >= 0 && device != found)
            return -1;
        found = device >= 0 ? device : found;
    }
    return found;
}

int offline_first_device(const struct offline_run *r)
{
    int first = -1;

    for (size_t i = 0; i < r->unit->n_files; i++) {
        int device = device_of(r, r->unit->files[i]);
        if (device >= 0 && (first < 0 || device < first))
            first = device;
    }
    return first;
}

void offline_note(struct offline_run *r, const char *text)
{
    emit_report_note(r->report, &(struct emit_note){ .offset = ERR_NO_OFFSET, .text = text });
}

/* ---- output ---- */

const char *offline_name(struct offline_run *r, const struct offline_output *x)
{
    char name[200];
    const char *at = strstr(x->name, "%d");

    if (!at)
        return x->name;
    if (r->no_rank) /* nor the '_' before it */
        snprintf(name, sizeof name, "%.*s%s", (int)(at - x->name) - 1, x->name, at + 2);
    else
        snprintf(name, sizeof name, "%.*s%d%s", (int)(at - x->name), x->name, r->rank, at + 2);
    const char *kept = arena_str(r->a, str_of(name)).p;
    return kept ? kept : x->name;
}

const char *offline_below(const struct offline_run *r, const struct offline_output *x)
{
    return x->beside ? "" : r->o->below;
}

/* A file that cannot be created does not stop the others: its row is written, and output to it is dropped. */
static int fail_alone(struct offline_run *r, struct emit **o, const char *name, struct err *e)
{
    char why[300];

    if (e->code != ERR_IO && e->code != ERR_USAGE)
        return e->code;
    emit_report_add(r->report, &(struct emit_result){ .rank = r->rank,
                                                      .name = name,
                                                      .outcome = EMIT_FAILED,
                                                      .why = err_message(e, why, sizeof why) });
    err_clear(e);
    return emit_nowhere(o, e);
}

/* Through a second descriptor. */
static int open_into(struct offline_file *f, struct emit **o, struct err *e)
{
    f->fd = spool_file(e);
    if (f->fd < 0)
        return e->code;
    int second = dup(f->fd);
    return second < 0 ? err_nomem(e) : emit_into(o, second, f->name, e);
}

/* There is no such file. */
static void leave_into(struct offline_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    f->fd = -1;
}

int offline_open(struct offline_run *r, struct emit **o, const struct offline_output *x, struct err *e)
{
    const char *name = offline_name(r, x), *below = offline_below(r, x);
    char path[400];

    *o = NULL;
    if (r->into)
        return open_into(r->into, o, e);
    snprintf(path, sizeof path, "%s%s%s", below, below[0] ? "/" : "", name);
    if (emit_create(o, r->o->dir, path, r->o->force, e) && fail_alone(r, o, name, e))
        return e->code;
    if (r->o->pretty && str_ends(str_of(name), STR(".json")) && emit_pretty(*o, e)) {
        emit_drop(*o);
        *o = NULL;
    }
    return e->code;
}

static int close_into(struct offline_file *f, struct emit *o, struct err *e)
{
    if (e->code)
        emit_drop(o);
    else
        (void)!emit_close(o, NULL, e);
    if (e->code)
        leave_into(f);
    return e->code;
}

int offline_close(struct offline_run *r, struct emit *o, struct err *e)
{
    struct emit_count count = { 0 };
    char path[1024], why[300];

    if (!o || r->into)
        return o ? close_into(r->into, o, e) : e->code;
    snprintf(path, sizeof path, "%s", o->path);
    if (!path[0]) { /* its row was written by fail_alone() */
        emit_drop(o);
        return e->code;
    }
    struct emit_result x = { .rank = r->rank, .name = path_base(path), .path = path };
    if (e->code)
        emit_drop(o);
    else if (emit_close(o, &count, e) == OK) {
        x.outcome = EMIT_WRITTEN;
        x.bytes = count.bytes;
    }
    if (e->code) {
        x.outcome = EMIT_FAILED;
        x.why = err_message(e, why, sizeof why);
    }
    emit_report_add(r->report, &x);
    return e->code;
}

void offline_no_data(struct offline_run *r, const struct offline_output *x, const char *why)
{
    if (r->into) {
        leave_into(r->into);
        return;
    }
    emit_report_add(r->report,
                    &(struct emit_result){
                        .rank = r->rank, .name = offline_name(r, x), .outcome = EMIT_NO_DATA, .why = why });
}

void offline_drop(struct offline_run *r, struct emit *o, const struct offline_output *x, const char *why)
{
    if (o && o->path[0])
        offline_no_data(r, x, why);
    emit_drop(o);
}

int offline_end_rows(struct offline_run *r, struct emit *o, const struct offline_output *x, uint64_t rows,
                     const char *none, struct err *e)
{
    if (e->code || rows)
        return offline_close(r, o, e);
    offline_drop(r, o, x, none);
    return OK;
}

/* ---- text of the formats ---- */

void offline_cell(struct emit *o, struct str s, bool first)
{
    if (!first)
        emit_c(o, ',');
    emit_cell_str(o, s);
}

void offline_end_row(struct emit *o)
{
    emit_n(o, "\r\n", 2);
}

static size_t escape(char c, char t[8])
{
    static const char from[] = "\"\\\n\r\t\b\f", to[] = "\"\\nrtbf", hex[] = "0123456789abcdef";
    const char *at = c ? strchr(from, c) : NULL;

    memcpy(t, "\\u00", 4);
    if (at) {
        t[1] = to[at - from];
        return 2;
    }
    t[4] = hex[(unsigned char)c >> 4];
    t[5] = hex[c & 15];
    return 6;
}

/* Bytes at p that stand in JSON as they are: no control characters, quotes, or bytes that are no UTF-8. */
static size_t plain_b(const char *p, size_t n)
{
    size_t i = 0;
    uint32_t c;

    while (i < n && (unsigned char)p[i] >= 0x20 && p[i] != '"' && p[i] != '\\') {
        size_t b = (unsigned char)p[i] < 0x80 ? 1 : text_decode(p + i, n - i, &c);
        if (b == 1 && (unsigned char)p[i] >= 0x80)
            break;
        i += b;
    }
    return i;
}

/* What stands for the first byte that is not plain; returns its bytes. */
static size_t stand_in(char c, char t[8])
{
    if ((unsigned char)c < 0x80)
        return escape(c, t);
    memcpy(t, "\xef\xbf\xbd", 3);
    return 3;
}

void offline_json_part(struct emit *o, struct str s)
{
    char t[8];

    for (size_t i = 0; i < s.n; i++) {
        size_t n = plain_b(s.p + i, s.n - i);
        if (n)
            emit_n(o, s.p + i, n);
        i += n;
        if (i < s.n)
            emit_n(o, t, stand_in(s.p[i], t));
    }
}

void offline_json_add(struct buf *b, struct str s)
{
    char t[8];

    buf_addc(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        size_t n = plain_b(s.p + i, s.n - i);
        buf_add(b, str_sub(s, i, n));
        i += n;
        if (i < s.n)
            buf_add(b, (struct str){ t, stand_in(s.p[i], t) });
    }
    buf_addc(b, '"');
}

void offline_json_text(struct emit *o, struct str s)
{
    emit_c(o, '"');
    offline_json_part(o, s);
    emit_c(o, '"');
}

/*
 * Above EXACT no fraction of three digits lies so near to half a step of doubles that its own rounding would
 * count.
 */
double offline_us(int64_t ns)
{
    if (ns > -EXACT && ns < EXACT)
        return (double)ns / 1000;
    return (double)(ns / 1000) + (double)(ns % 1000) / 1000;
}
