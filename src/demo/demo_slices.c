/* SPDX-License-Identifier: Apache-2.0 */
/* Slices, and the collector's text in the marker of a closed one. */
#include "config.h"

#include "demo/demo_slices.h"

#include <stdio.h>

void demo_slices_open(struct demo_slices *s, const char *dir, const char *stem, bool died,
                      struct emit_count *count)
{
    *s = (struct demo_slices){ .dir = dir, .count = count, .died = died, .room_b = DEMO_SLICE_B };
    str_copy(str_of(stem), s->stem, sizeof s->stem);
}

static bool is_lost(const struct demo_slices *s)
{
    return s->lose && s->k == s->lose;
}

static void slice_name(const struct demo_slices *s, const char *end, char buf[160])
{
    snprintf(buf, 160, "%s.slice_%u%s", s->stem, (unsigned)s->k, end);
}

static int put_done(struct demo_slices *s, uint64_t size_b, struct err *e)
{
    struct emit *o;
    char name[160];
    slice_name(s, ".done", name);
    if (emit_open(&o, s->dir, name, e))
        return e->code;
    emit_fmt(o, "filesize:%U", size_b);
    return emit_close(o, s->count, e);
}

static int end_slice(struct demo_slices *s, bool done, struct err *e)
{
    uint64_t before = s->count->bytes;
    struct emit *o = s->o;
    s->o = NULL;
    if (!o)
        return OK;
    if (emit_close(o, s->count, e))
        return e->code;
    return done ? put_done(s, s->count->bytes - before, e) : OK;
}

/* Makes room for n bytes, in the next slice when this one is full. false: not to be written. */
static bool ready(struct demo_slices *s, size_t n, struct err *e)
{
    char name[160];
    if (s->rc)
        return false;
    if (s->room_b < n) {
        s->rc = end_slice(s, true, e);
        s->k++;
        s->room_b = DEMO_SLICE_B;
    }
    if (!s->rc && !s->o && !is_lost(s)) {
        slice_name(s, "", name);
        s->rc = emit_open(&s->o, s->dir, name, e);
    }
    s->room_b -= n;
    return s->o != NULL;
}

void demo_slices_put(struct demo_slices *s, const void *p, size_t n, struct err *e)
{
    if (!ready(s, n, e))
        return;
    emit_n(s->o, p, n);
    memcpy(s->last, p, n < sizeof s->last ? n : sizeof s->last);
}

void demo_slices_puts(struct demo_slices *s, const char *p, size_t n, struct err *e)
{
    while (n && !s->rc) {
        size_t part = s->room_b && n > s->room_b ? s->room_b : n;
        demo_slices_put(s, p, part, e);
        p += part;
        n -= part;
    }
}

int demo_slices_close(struct demo_slices *s, size_t torn_b, struct err *e)
{
    bool died = s->died && torn_b;
    if (died && s->o)
        emit_n(s->o, (const char *)s->last, torn_b);
    if (!s->rc)
        s->rc = end_slice(s, !died, e);
    emit_drop(s->o);
    s->o = NULL;
    return s->rc;
}
