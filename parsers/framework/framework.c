/* SPDX-License-Identifier: Apache-2.0 */
/* The model of FRAMEWORK files: texts, arrays, the clock. */
#include "config.h"

#include "parsers/framework/framework.h"

#include <math.h>

#include "base/bounded.h"

/*
 * (value - counter) counts in ns, as upstream computes it (doc/formats/framework.md#ticks,
 * #torch_npu-clock).
 */
static int64_t counted_ns(const struct framework_clock *c, uint64_t value)
{
    double mhz = (double)c->hz / 1e6, counts = (double)(int64_t)(value - c->counter);
    double ns = c->drops ? trunc(counts * (1000 / mhz)) : nearbyint(counts * 1000 / mhz);

    return ns > -9e18 && ns < 9e18 ? (int64_t)ns : 0;
}

#define TEXT_MAX_B ((size_t)64 << 10)

/* Instants stay within this, so that the difference of any two fits. */
#define FAR_NS ((int64_t)1 << 62)

int64_t framework_ns(const struct framework_clock *c, uint64_t value)
{
    int64_t mono = c->hz ? bounded_add(counted_ns(c, value), c->mono_ns) : (int64_t)value;
    int64_t ns = bounded_add(mono, c->wall_ns);

    return ns >= FAR_NS ? FAR_NS - 1 : ns < -FAR_NS ? -FAR_NS : ns;
}

int framework_init(struct framework *f, struct spool *pool, struct err *e)
{
    f->pool = pool;
    return intern_new(&f->texts, e);
}

void framework_done(struct framework *f)
{
    spool_free(f->pool, f->range);
    spool_free(f->pool, f->mark);
    intern_free(f->texts);
    *f = (struct framework){ .range = NULL };
}

uint32_t framework_keep(struct framework *f, struct str s, struct err *e)
{
    uint32_t text = s.n ? intern_put(f->texts, str_sub(s, 0, TEXT_MAX_B)) : FRAMEWORK_NONE;

    if (s.n && text == FRAMEWORK_NONE)
        err_nomem(e);
    return text;
}

int framework_add_range(struct framework *f, const struct framework_range *x, struct err *e)
{
    if (f->n_ranges == FRAMEWORK_NONE)
        return err_set(e, ERR_LIMIT, "more than %u ranges", FRAMEWORK_NONE);
    struct framework_range *v = spool_grow(f->pool, f->range, f->n_ranges, &f->cap_ranges, sizeof *v, 1024);
    if (!v)
        return err_nomem(e);
    f->range = v;
    v[f->n_ranges++] = *x;
    return OK;
}

struct str framework_str(const struct framework *f, uint32_t text)
{
    return text == FRAMEWORK_NONE ? STR("") : intern_get(f->texts, text);
}
