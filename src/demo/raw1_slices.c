/* Raw generation 1: slices. The collector says with NAME.done that it closed one (gen1-raw.md 3). */
#include "config.h"

#include <stdio.h>

#include "demo/raw1.h"

void raw1_open(struct raw1_slices *s, struct raw1 *r, const char *stem)
{
    *s = (struct raw1_slices){ .r = r, .stem = stem, .room_b = RAW1_SLICE_B };
}

static bool is_lost(const struct raw1_slices *s)
{
    return s->lose && s->k == s->lose;
}

static void slice_name(const struct raw1_slices *s, const char *end, char buf[160])
{
    snprintf(buf, 160, "%s.%d.slice_%u%s", s->stem, s->r->g->device, (unsigned)s->k, end);
}

static int put_done(struct raw1_slices *s, uint64_t size_b, struct err *e)
{
    struct vout *o;
    char name[160];
    slice_name(s, ".done", name);
    if (vout_open(&o, s->r->data, name, e))
        return (int)e->code;
    vout_fmt(o, "filesize:%U", size_b);
    return vout_close(o, &s->r->g->count, e);
}

static int end_slice(struct raw1_slices *s, bool done, struct err *e)
{
    struct vout_count *c = &s->r->g->count;
    uint64_t before = c->bytes;
    struct vout *o = s->o;
    s->o = NULL;
    if (!o)
        return OK;
    if (vout_close(o, c, e))
        return (int)e->code;
    return done ? put_done(s, c->bytes - before, e) : OK;
}

/* Room for n bytes, in the next slice when this one is full. false: not to be written. */
static bool ready(struct raw1_slices *s, size_t n, struct err *e)
{
    char name[160];
    if (s->rc)
        return false;
    if (s->room_b < n) {
        s->rc = end_slice(s, true, e);
        s->k++;
        s->room_b = RAW1_SLICE_B;
    }
    if (!s->rc && !s->o && !is_lost(s)) {
        slice_name(s, "", name);
        s->rc = vout_open(&s->o, s->r->data, name, e);
    }
    s->room_b -= n;
    return s->o != NULL;
}

void raw1_put(struct raw1_slices *s, const void *p, size_t n, struct err *e)
{
    if (!ready(s, n, e))
        return;
    vout_n(s->o, p, n);
    memcpy(s->last, p, n < sizeof s->last ? n : sizeof s->last);
}

void raw1_puts(struct raw1_slices *s, const char *p, size_t n, struct err *e)
{
    while (n && !s->rc) {
        size_t part = s->room_b && n > s->room_b ? s->room_b : n;
        raw1_put(s, p, part, e);
        p += part;
        n -= part;
    }
}

int raw1_close(struct raw1_slices *s, size_t torn_b, struct err *e)
{
    bool died = s->r->cut.on && torn_b;
    if (died && s->o)
        vout_n(s->o, (const char *)s->last, torn_b);
    if (!s->rc)
        s->rc = end_slice(s, !died, e);
    vout_drop(s->o);
    s->o = NULL;
    return s->rc;
}
