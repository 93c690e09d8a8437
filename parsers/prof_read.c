/* Records and lines of a tag's files. */
#include "config.h"

#include "prof.h"
#include "records.h"

/* Records at the beginning that are looked at to tell where they begin. */
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

static struct parse_ctx *context_of(struct prof *p, const struct source_file *f,
                                    struct parse_ctx *own)
{
    bool again = was_read(p, f);
    struct parse_ctx *c = !again && p->in.use ? p->in.use(p->in.arg, f) : NULL;

    if (c)
        return c;
    *own = (struct parse_ctx){ .f = f,
                               .run = p->in.run,
                               .tmp = p->a,
                               .out = again ? &p->again : p->in.notes,
                               .threads = 1,
                               .rank = f->rank };
    return own;
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
static unsigned count_fits(const struct prof_tag_kind *k, struct slices *s, size_t from,
                           struct err *e)
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

/* Without marks: bytes of a record whose beginning was overwritten (1.3), when the stream only makes sense behind them. */
static size_t lost_head(const struct prof_tag_kind *k, struct records *r, struct parse_ctx *c,
                        struct err *e)
{
    size_t rest = (size_t)(size_of_all(c) % k->record_b);

    if (!rest || !k->fits)
        return 0;
    unsigned here = count_fits(k, &r->s, 0, e),
             behind = e->code ? 0 : count_fits(k, &r->s, rest, e);
    return !e->code && behind > here ? rest : 0;
}

static int skip_head(const struct prof_tag_kind *k, struct records *r, struct parse_ctx *c,
                     struct err *e)
{
    size_t n = lost_head(k, r, c, e);

    if (n) {
        struct where w = slices_where(&r->s, 0);
        c->lost++;
        sink_note(c->out, NOTE_TORN_RECORD, &w,
                  "the first record lost its beginning (%zu of %u bytes are left)", n, k->record_b);
        slices_take(&r->s, n);
    }
    return (int)e->code;
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
    sink_note(p->in.notes, NOTE_BAD_FILE, &w, "%s", e->text);
    err_clear(e);
    return true;
}

/* Layout of a tag's files in a folder. */
static struct prof_tag_kind kind_in(const struct prof_folder *f, enum prof_tag tag)
{
    struct prof_tag_kind k = prof_tags[tag];

    if (f->meta.version == 2 && k.record2_b)
        k.record_b = k.record2_b;
    return k;
}

static int read_chain(struct prof *p, const struct prof_tag_kind *k, const struct source_file *f,
                      bool kept, prof_record_fn *fn, void *arg, struct err *e)
{
    const struct record_kind kind = { .what = "records",
                                      .size_b = k->record_b,
                                      .mark_at = k->mark_at,
                                      .mark_b = k->mark_b,
                                      .mark = k->mark };
    struct parse_ctx own, *c = context_of(p, f, &own);
    struct prof_record r = { .kept = kept };
    struct records in;
    bool stopped = false;

    if (records_open(&in, &kind, c, e) == OK && skip_head(k, &in, c, e) == OK)
        while (!stopped && records_next(&in, &r.rec, &r.where, e))
            stopped = fn(arg, &r, e) != OK;
    records_close(&in, e);
    return stopped || !goes_on(p, f, e) ? (int)e->code : OK;
}

int prof_read(struct prof *p, const struct prof_folder *f, enum prof_tag tag, prof_record_fn *fn,
              void *arg, struct err *e)
{
    struct prof_tag_kind k;

    if (!f)
        return OK;
    k = kind_in(f, tag);
    for (size_t i = 0; i < ARRAY_LEN(f->file[tag]); i++)
        if (f->file[tag][i] && read_chain(p, &k, f->file[tag][i], i == 0, fn, arg, e))
            return (int)e->code;
    return OK;
}

/* whole: a last line without its end is no line, as its numbers may be cut. */
static int read_text(struct prof *p, const struct source_file *f, bool whole, prof_line_fn *fn,
                     void *arg, struct err *e)
{
    struct parse_ctx own, *c = context_of(p, f, &own);
    bool stopped = false, ended;
    struct where w = { 0 };
    struct str line;
    struct slices s;

    if (slices_open(&s, c, e) == OK)
        while (!stopped && slices_line(&s, &line, &w, &ended, e)) {
            if (whole && !ended) {
                c->lost++;
                sink_note(c->out, NOTE_TORN_RECORD, &w, "the last line is cut and was left out");
                break;
            }
            c->rows++;
            stopped = fn(arg, line, &w, e) != OK;
        }
    slices_close(&s);
    return stopped || !goes_on(p, f, e) ? (int)e->code : OK;
}

int prof_read_lines(struct prof *p, const struct prof_folder *f, enum prof_tag tag,
                    prof_line_fn *fn, void *arg, struct err *e)
{
    for (size_t i = 0; f && i < ARRAY_LEN(f->file[tag]); i++)
        if (f->file[tag][i] && read_text(p, f->file[tag][i], tag >= PROF_HCCS, fn, arg, e))
            return (int)e->code;
    return OK;
}
