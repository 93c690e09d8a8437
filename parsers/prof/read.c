/* SPDX-License-Identifier: Apache-2.0 */
/* Records and lines of a tag's files. */
#include "config.h"

#include "base/read/infile.h"
#include "parsers/prof/prof.h"
#include "parsers/prof/prof_layout.h"
#include "parsers/read/records.h"

/* Records at the beginning that are examined to find where the first one begins. */
#define LOOKED_AT 4

bool prof_has(const struct prof_folder *f, enum prof_tag tag)
{
    return f && (f->file[tag][0] || f->file[tag][1]);
}

/* True from the second call for a file on. Files without an id are new each time. */
static bool was_read(struct prof *p, const struct source_file *f)
{
    uint8_t bit = (uint8_t)(1 << f->id % 8), *at = &p->known[f->id / 8];
    bool was = f->id && *at & bit;

    *at |= bit;
    return was;
}

static struct parse_ctx *context_of(struct prof *p, const struct source_file *f, struct parse_ctx *own)
{
    bool again = was_read(p, f);
    struct parse_ctx *c = !again && p->in.use ? p->in.use(p->in.arg, f) : NULL;

    if (c)
        return c;
    *own = (struct parse_ctx){ .f = f,
                               .run = p->in.run,
                               .tmp = p->a,
                               .out = again ? &p->again.sink : p->in.notes,
                               .threads = 1,
                               .rank = f->rank };
    return own;
}

/*
 * From now on notes about records and lines of a file go where those of its context go, or nowhere when its
 * callback had the file before: a callback has given its notes by then, but another one has others. Put back
 * what is returned when the file is done.
 */
static struct sink *begin_notes(struct prof *p, const struct parse_ctx *c, uintptr_t fn)
{
    struct sink *before = p->reading;
    const uint64_t who[] = { c->f->id, fn };
    uint64_t key = str_hash((struct str){ (const char *)who, sizeof who }, str_seed());

    p->reading = c->f->id && prof_was_noted(p, key) ? &p->again.sink
                 : c->out == &p->again.sink         ? p->in.notes
                                                    : c->out;
    return before;
}

/* ---- where the first record begins ---- */

static uint64_t size_of_all(const struct parse_ctx *c)
{
    uint64_t n = 0;

    for (const struct source_file *f = c->f; f; f = f->next_slice)
        n += f->size_b;
    return n - c->skip_b;
}

/* How many of the first records from `from` on look like records. */
static unsigned count_fits(const struct prof_tag_kind *k, struct slices *s, size_t from, struct err *e)
{
    unsigned n = 0;
    struct rec r;

    for (size_t i = 0; i < LOOKED_AT; i++) {
        size_t at = from + i * k->record_b;
        if (!slices_peek(s, at + k->record_b, &r, e))
            break;
        struct rec one = { .p = r.p + at, .n = k->record_b };
        n += k->fits(&one) && !one.over;
    }
    return n;
}

/*
 * Without marks: bytes of a record whose beginning was overwritten (doc/formats/prof.md#slices), when the
 * stream only makes sense after them.
 */
static size_t lost_head(const struct prof_tag_kind *k, struct records *r, struct parse_ctx *c, struct err *e)
{
    size_t rest = (size_t)(size_of_all(c) % k->record_b);

    if (!rest || !k->fits)
        return 0;
    unsigned here = count_fits(k, &r->s, 0, e), behind = e->code ? 0 : count_fits(k, &r->s, rest, e);
    return !e->code && behind > here ? rest : 0;
}

static int skip_head(const struct prof_tag_kind *k, struct records *r, struct parse_ctx *c, struct err *e)
{
    size_t n = lost_head(k, r, c, e);

    if (n) {
        struct where w = slices_where(&r->s, 0);
        c->lost++;
        sink_note(c->out, NOTE_TORN_RECORD, &w,
                  "the first record lost its beginning (%zu of %u bytes are left)", n, k->record_b);
        slices_take(&r->s, n);
    }
    return e->code;
}

/* ---- reading ---- */

/* A file that cannot be read at all is a note; false: the work ends. */
static bool goes_on(struct prof *p, const struct source_file *f, struct err *e)
{
    struct where w = { .source_id = f->id, .offset = ERR_NO_OFFSET };

    if (!e->code)
        return true;
    if (e->code != ERR_IO && e->code != ERR_FORMAT)
        return false;
    prof_note_at(p, NOTE_BAD_FILE, &w, "%s", e->text);
    err_clear(e);
    return true;
}

/* Counters of these files are samples. */
static bool is_sampled(const struct prof_folder *f, enum prof_tag tag)
{
    bool aic = !f->meta.task_based, aiv = !f->meta.aiv_task_based;

    return tag == PROF_AICORE ? aic : tag == PROF_AIV ? aiv : aic || aiv;
}

/* Layout of a tag's files in a folder. */
static struct prof_tag_kind kind_in(const struct prof *p, const struct prof_folder *f, enum prof_tag tag)
{
    struct prof_tag_kind k = prof_tags[tag];
    bool v6 = p->chip->v6;

    if (f->meta.version == 2 && k.record2_b)
        k.record_b = k.record2_b;
    if (v6 && k.record6_b)
        k.record_b = k.record6_b;
    if (k.sampled_b && is_sampled(f, tag))
        k.record_b = v6 ? k.sampled6_b : k.sampled_b;
    return k;
}

/* Bytes of a record of a file: other_b where the second mark, or the end of all, is that far on. */
static uint16_t size_in(struct prof *p, const struct prof_tag_kind *k, const struct source_file *f)
{
    struct parse_ctx c = { .f = f,
                           .run = p->in.run,
                           .tmp = p->a,
                           .out = &p->again.sink, /* noted when it is read */
                           .threads = 1 };
    struct err ignored = ERR_INIT;
    struct slices s;
    struct rec r;
    size_t at = (size_t)k->other_b + k->mark_at;
    bool is_other = k->other_b && size_of_all(&c) == k->other_b;

    if (k->other_b && !is_other) {
        is_other = slices_open(&s, &c, &ignored) == OK && slices_peek(&s, at + k->mark_b, &r, &ignored) &&
                   rec_u32(&r, at) == k->mark;
        slices_close(&s);
    }
    return is_other ? k->other_b : k->record_b;
}

struct chain {
    const struct prof_tag_kind *k;
    const struct source_file *f;
    bool kept;
    bool *lost; /* set when records are */
};

static int read_chain(struct prof *p, const struct chain *x, prof_record_fn *fn, void *arg, struct err *e)
{
    const struct prof_tag_kind *k = x->k;
    const struct source_file *f = x->f;
    const struct record_kind kind = { .what = "records",
                                      .size_b = size_in(p, k, f),
                                      .mark_at = k->mark_at,
                                      .mark_b = k->mark_b,
                                      .mark = k->mark };
    struct parse_ctx own, *c = context_of(p, f, &own);
    struct prof_record r = { .kept = x->kept };
    struct records in;
    struct sink *before = begin_notes(p, c, (uintptr_t)fn);
    uint64_t lost = c->lost;
    bool stopped = false;

    if (records_open(&in, &kind, c, e) == OK && skip_head(k, &in, c, e) == OK)
        while (!stopped && records_next(&in, &r.rec, &r.where, e))
            stopped = fn(arg, &r, e) != OK;
    records_close(&in, e);
    p->reading = before;
    *x->lost |= c->lost > lost || (!stopped && e->code);
    return stopped || !goes_on(p, f, e) ? e->code : OK;
}

int prof_read(struct prof *p, const struct prof_folder *f, enum prof_tag tag, prof_record_fn *fn, void *arg,
              struct err *e)
{
    struct prof_tag_kind k;

    if (!f)
        return OK;
    k = kind_in(p, f, tag);
    for (size_t i = 0; i < ARRAY_LEN(f->file[tag]); i++) {
        if (!f->file[tag][i])
            continue;
        const struct chain x = { .k = &k, .f = f->file[tag][i], .kept = i == 0, .lost = &f->lost[tag] };
        if (read_chain(p, &x, fn, arg, e))
            return e->code;
    }
    return OK;
}

int prof_has_records(struct prof *p, const struct prof_folder *f, enum prof_tag tag, bool *has, struct err *e)
{
    *has = false;
    for (size_t i = 0; f && !*has && i < ARRAY_LEN(f->file[tag]); i++) {
        const struct prof_tag_kind k = kind_in(p, f, tag);
        const struct record_kind kind = {
            .what = "records", .size_b = k.record_b, .mark_at = k.mark_at, .mark_b = k.mark_b, .mark = k.mark
        };
        struct parse_ctx c = { .f = f->file[tag][i],
                               .run = p->in.run,
                               .tmp = p->a,
                               .out = &p->again.sink, /* noted when it is read */
                               .threads = 1 };
        if (c.f && records_are(&kind, &c, has, e) && !goes_on(p, c.f, e))
            return e->code;
    }
    return OK;
}

/* ---- records whose heads give their length ---- */

#define LENGTH_MAX ((size_t)65536) /* of such a record; msprof takes none above 50000 */

enum { PROF_HEAD(FIELD_AT) HEAD_B = 24 };

static bool is_head(struct rec *r, size_t at, size_t least_b)
{
    size_t n = HEAD_B + (size_t)rec_u32(r, at + PH_LENGTH);

    return rec_u16(r, at + PH_MARK) == PROF_HOST_MARK && n >= least_b && n <= LENGTH_MAX && !r->over;
}

/* Bytes up to the next head, or to the last ones that may be a part of one; they belong to no record. */
static size_t astray(struct slices *s, size_t least_b, struct err *e)
{
    struct rec r;
    size_t n = slices_left(s), at = 1;

    if (!slices_peek(s, n, &r, e))
        return n;
    while (at + HEAD_B <= n && !is_head(&r, at, least_b))
        at++;
    return at + HEAD_B <= n || n < HEAD_B ? at : n - HEAD_B + 1;
}

/* Bytes that belong to no record are noted once for each run of them. */
struct lengths {
    struct slices s;
    size_t least_b, taken;
    bool in_damage;
};

static void report_damage(struct lengths *l, size_t n)
{
    struct where w = slices_where(&l->s, infile_offset(l->s.in));

    if (!l->in_damage) {
        l->s.c->lost++;
        sink_note(l->s.c->out, NOTE_TORN_RECORD, &w, "a record is cut or damaged");
    }
    l->in_damage = true;
    slices_take(&l->s, n);
}

static bool next_length(struct lengths *l, struct prof_record *r, struct err *e)
{
    slices_take(&l->s, l->taken);
    l->taken = 0;
    while (!e->code) {
        struct rec *x = &r->rec;
        if (slices_peek(&l->s, HEAD_B, x, e) && is_head(x, 0, l->least_b)) {
            size_t n = HEAD_B + (size_t)rec_u32(x, PH_LENGTH);
            if (slices_peek(&l->s, n, x, e)) {
                r->where = slices_where(&l->s, x->off);
                l->taken = n;
                l->in_damage = false;
                l->s.c->rows++;
                return true;
            }
        }
        if (e->code)
            break;
        if (slices_left(&l->s))
            report_damage(l, astray(&l->s, l->least_b, e));
        else if (!slices_gap(&l->s, e) && !slices_more(&l->s, e))
            break;
    }
    return false;
}

static int read_lengths(struct prof *p, const struct source_file *f, size_t least_b, bool kept,
                        prof_record_fn *fn, void *arg, struct err *e)
{
    struct parse_ctx own, *c = context_of(p, f, &own);
    struct prof_record r = { .kept = kept };
    struct lengths l = { .least_b = least_b };
    struct sink *before = begin_notes(p, c, (uintptr_t)fn);
    bool stopped = false;

    if (slices_open(&l.s, c, e) == OK)
        while (!stopped && next_length(&l, &r, e))
            stopped = fn(arg, &r, e) != OK;
    slices_close(&l.s);
    p->reading = before;
    return stopped || !goes_on(p, f, e) ? e->code : OK;
}

int prof_read_lengths(struct prof *p, const struct prof_folder *f, enum prof_tag tag, size_t least_b,
                      prof_record_fn *fn, void *arg, struct err *e)
{
    for (size_t i = 0; f && i < ARRAY_LEN(f->file[tag]); i++)
        if (f->file[tag][i] && read_lengths(p, f->file[tag][i], least_b, i == 0, fn, arg, e))
            return e->code;
    return OK;
}

/* ---- records of several sizes ---- */

#define STEP 4 /* records begin at multiples of it */

struct sized {
    struct parse_ctx *c;
    struct slices s;
    prof_size_fn *size;
    uint64_t astray_b; /* bytes of no record */
    struct where astray;
    bool lost; /* the last bytes were of no record */
};

/* Bytes of the record that begins `at` bytes on; 0: none does. */
static size_t begins(struct sized *z, size_t at, struct err *e)
{
    struct rec r;

    if (!slices_peek(&z->s, at + PROF_SIZED_HEAD, &r, e))
        return 0;
    struct rec head = { .p = r.p + at, .n = PROF_SIZED_HEAD };
    return z->size(&head);
}

static void cut(struct sized *z, size_t n)
{
    size_t left = slices_left(&z->s);
    struct where w = slices_where(&z->s, infile_offset(z->s.in));

    if (!left)
        return;
    z->c->lost++;
    if (n)
        sink_note(z->c->out, NOTE_TORN_RECORD, &w, "the last record is cut (%zu of %zu bytes)", left, n);
    else
        sink_note(z->c->out, NOTE_TORN_RECORD, &w, "the last record is cut (%zu bytes are left)", left);
}

static void skip(struct sized *z)
{
    if (!z->astray_b)
        z->astray = slices_where(&z->s, infile_offset(z->s.in));
    z->astray_b += STEP;
    z->lost = true;
    slices_take(&z->s, STEP);
}

/* A record begins here and, where the beginning was lost, another one after it, unless it is the last. */
static bool is_record(struct sized *z, size_t n, struct err *e)
{
    struct rec r;

    return n && (!z->lost || !slices_peek(&z->s, n + PROF_SIZED_HEAD, &r, e) || begins(z, n, e));
}

/* The next record. false: the end, or e is set. */
static bool next_sized(struct sized *z, struct prof_record *r, struct err *e)
{
    for (;;) {
        size_t n = begins(z, 0, e);
        if (e->code)
            return false;
        if (!n && slices_left(&z->s) >= PROF_SIZED_HEAD) {
            skip(z);
            continue;
        }
        if (!n || !slices_peek(&z->s, n, &r->rec, e)) {
            if (e->code)
                return false;
            cut(z, n);
            z->lost = true;
            if (!slices_gap(&z->s, e))
                return false;
            continue;
        }
        if (!is_record(z, n, e) && !e->code) {
            skip(z);
            continue;
        }
        if (e->code || !slices_peek(&z->s, n, &r->rec, e))
            return false;
        z->lost = false;
        r->where = slices_where(&z->s, infile_offset(z->s.in));
        z->c->rows++;
        return true;
    }
}

static int read_sized(struct prof *p, const struct source_file *f, prof_size_fn *size, prof_record_fn *fn,
                      void *arg, struct err *e)
{
    struct parse_ctx own;
    struct sized z = { .c = context_of(p, f, &own), .size = size };
    struct prof_record r = { .kept = false };
    struct sink *before = begin_notes(p, z.c, (uintptr_t)fn);
    bool stopped = false;

    if (slices_open(&z.s, z.c, e) == OK)
        while (!stopped && next_sized(&z, &r, e)) {
            size_t n = r.rec.n;
            stopped = fn(arg, &r, e) != OK;
            slices_take(&z.s, n);
        }
    if (z.astray_b) {
        z.c->lost++;
        sink_note(z.c->out, NOTE_BAD_ROW, &z.astray, "%llu bytes are none of the records",
                  (unsigned long long)z.astray_b);
    }
    slices_close(&z.s);
    p->reading = before;
    return stopped || !goes_on(p, f, e) ? e->code : OK;
}

int prof_read_sized(struct prof *p, const struct prof_folder *f, enum prof_tag tag, prof_size_fn *size,
                    prof_record_fn *fn, void *arg, struct err *e)
{
    for (size_t i = 0; f && i < ARRAY_LEN(f->file[tag]); i++)
        if (f->file[tag][i] && read_sized(p, f->file[tag][i], size, fn, arg, e))
            return e->code;
    return OK;
}

/* ---- lines ---- */

struct lines {
    bool whole; /* a last line without its end is no line, as its numbers may be cut */
    bool nul;   /* lines end with NUL */
    bool *lost; /* set when lines are */
};

static int read_text(struct prof *p, const struct source_file *f, const struct lines *l, prof_line_fn *fn,
                     void *arg, struct err *e)
{
    struct parse_ctx own, *c = context_of(p, f, &own);
    struct sink *before = begin_notes(p, c, (uintptr_t)fn);
    bool stopped = false, ended;
    struct where w = { 0 };
    uint64_t lost = c->lost;
    struct str line;
    struct slices s;

    if (slices_open(&s, c, e) == OK) {
        s.end = l->nul ? '\0' : s.end;
        while (!stopped && slices_line(&s, &line, &w, &ended, e)) {
            if (l->nul && !line.n)
                continue;
            if (l->whole && !ended) {
                c->lost++;
                sink_note(c->out, NOTE_TORN_RECORD, &w, "the last line is cut and was left out");
                break;
            }
            c->rows++;
            stopped = fn(arg, line, &w, e) != OK;
        }
    }
    slices_close(&s);
    p->reading = before;
    *l->lost |= c->lost > lost || (!stopped && e->code);
    return stopped || !goes_on(p, f, e) ? e->code : OK;
}

int prof_read_lines(struct prof *p, const struct prof_folder *f, enum prof_tag tag, prof_line_fn *fn,
                    void *arg, struct err *e)
{
    const bool nul = prof_tags[tag].nul_lines, dic = tag == PROF_HASH_DIC || tag == PROF_TYPE_DIC;

    if (!f)
        return OK;
    for (size_t i = 0; i < ARRAY_LEN(f->file[tag]); i++) {
        if (!f->file[tag][i])
            continue;
        const struct lines l = { .whole = nul || dic || tag >= PROF_HCCS, .nul = nul, .lost = &f->lost[tag] };
        if (read_text(p, f->file[tag][i], &l, fn, arg, e))
            return e->code;
    }
    return OK;
}
