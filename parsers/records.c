/* Records of a fixed size. */
#include "config.h"

#include "records.h"

int records_open(struct records *r, const struct record_kind *k, struct parse_ctx *c, struct err *e)
{
    *r = (struct records){ .k = k };
    return slices_open(&r->s, c, e);
}

static void note_torn(struct records *r, uint64_t off, size_t n)
{
    struct where w = slices_where(&r->s, off);

    r->s.c->lost++;
    sink_note(r->s.c->out, NOTE_TORN_RECORD, &w, "a record is cut (%zu of %d bytes)", n,
              r->k->size_b);
}

static bool has_mark(const struct record_kind *k, struct rec *rec, size_t at)
{
    uint32_t v = 0;

    for (size_t i = k->mark_b; i > 0; i--)
        v = v << 8 | rec_u8(rec, at + k->mark_at + i - 1);
    return v == k->mark && !rec->over;
}

/* Leave out the end-less record before a slice that begins anew. */
static bool skip_torn(struct records *r, struct rec *rec, struct err *e)
{
    const struct record_kind *k = r->k;
    struct rec more;

    if (!k->mark_b || rec->off >= r->s.border || r->s.border >= rec->off + k->size_b)
        return true;
    size_t in_old = (size_t)(r->s.border - rec->off);
    if (slices_peek(&r->s, in_old + k->mark_at + k->mark_b, &more, e) &&
        has_mark(k, &more, in_old)) {
        note_torn(r, more.off, in_old);
        slices_take(&r->s, in_old);
    }
    return !e->code && slices_peek(&r->s, k->size_b, rec, e);
}

bool records_next(struct records *r, struct rec *out, struct where *w, struct err *e)
{
    for (;;) {
        slices_take(&r->s, r->taken);
        r->taken = 0;
        if (!slices_peek(&r->s, r->k->size_b, out, e) || !skip_torn(r, out, e))
            return false;
        *w = slices_where(&r->s, out->off);
        w->line = (uint32_t)(w->offset / r->k->size_b + 1);
        r->taken = r->k->size_b;
        if (!r->k->mark_b || has_mark(r->k, out, 0))
            break;
        if (!r->unmarked++)
            r->first_unmarked = *w;
    }
    r->s.c->rows++;
    return true;
}

void records_close(struct records *r, const struct err *e)
{
    if (!e->code && r->s.in) {
        if (slices_left(&r->s))
            note_torn(r, infile_offset(r->s.in), slices_left(&r->s));
        if (r->unmarked) {
            r->first_unmarked.count = r->unmarked;
            r->s.c->lost += r->unmarked;
            sink_note(r->s.c->out, NOTE_BAD_ROW, &r->first_unmarked, "not one of the %s",
                      r->k->what);
        }
    }
    slices_close(&r->s);
}
