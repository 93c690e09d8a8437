/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "cli/bundle/bundle.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/grow.h"
#include "base/unit.h"

#define NAMES_MAX ((size_t)64 << 20)

struct bundle {
    struct arena *a; /* names, sentences */
    struct bundle_member *v;
    size_t n, cap;
    const char **lacks;
    size_t n_lacks, lacks_cap;
    uint64_t bytes, limit_b;
    int64_t now_s;
};

int bundle_new(struct bundle **out, uint64_t limit_b, int64_t now_s, struct err *e)
{
    struct bundle *b = calloc(1, sizeof *b);

    *out = b;
    if (!b)
        return err_nomem(e);
    b->limit_b = limit_b;
    b->now_s = now_s;
    return arena_new(&b->a, NAMES_MAX, e);
}

void bundle_free(struct bundle *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < b->n; i++)
        free((char *)b->v[i].text.p);
    free(b->v);
    free((void *)b->lacks);
    arena_free(b->a);
    free(b);
}

static int add_lack(struct bundle *b, const char *text, struct err *e)
{
    const char **v = grow_array((void *)b->lacks, b->n_lacks, &b->lacks_cap, sizeof *v, 16);

    if (!v)
        return err_nomem(e);
    b->lacks = v;
    if (!text)
        return err_nomem(e);
    v[b->n_lacks++] = text;
    return OK;
}

int bundle_lack(struct bundle *b, struct err *e, const char *fmt, ...)
{
    char text[1200];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return add_lack(b, arena_str(b->a, str_of(text)).p, e);
}

int bundle_add(struct bundle *b, const char *name, const char *what, struct buf *text, int64_t mtime_s,
               struct err *e)
{
    struct bundle_member m = { .name = arena_str(b->a, str_of(name)).p, .what = what };
    struct bundle_member *v = grow_array(b->v, b->n, &b->cap, sizeof *v, 64);
    char size[40];

    if (!v)
        return err_nomem(e);
    b->v = v;
    if (buf_failed(text) || !m.name)
        return err_nomem(e);
    if (text->n > bundle_room(b))
        return bundle_lack(b, e, "%s: its %s are above --limit", name,
                           unit_size(size, sizeof size, (double)text->n, SIZE_AUTO));
    m.mtime_s = mtime_s ? mtime_s : b->now_s;
    m.text.n = text->n;
    m.text.p = buf_take(text);
    b->bytes += m.text.n;
    v[b->n++] = m;
    return OK;
}

uint64_t bundle_room(const struct bundle *b)
{
    return b->limit_b - b->bytes;
}

size_t bundle_n(const struct bundle *b)
{
    return b->n;
}

const struct bundle_member *bundle_at(const struct bundle *b, size_t i)
{
    return &b->v[i];
}

const char *bundle_lacks(const struct bundle *b, size_t i)
{
    return i < b->n_lacks ? b->lacks[i] : NULL;
}

int bundle_pack(const struct bundle *b, const char *top, pack_sink *sink, void *arg, struct err *e)
{
    struct pack *p = NULL;
    char name[2200];
    int rc = pack_new(&p, sink, arg, e);

    for (size_t i = 0; !rc && i < b->n; i++) {
        const struct bundle_member *m = &b->v[i ? i - 1 : b->n - 1];
        snprintf(name, sizeof name, "%s/%s", top, m->name);
        rc = pack_add(p, name, m->mtime_s, m->text, e);
    }
    if (!rc)
        rc = pack_end(p, e);
    pack_free(p);
    return rc;
}
