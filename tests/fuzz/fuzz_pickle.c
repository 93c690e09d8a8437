/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pickle of any bytes, read three ways: as a memory snapshot; with every item kept and all values looked
 * at; with items taken and replaced in turn, in little memory.
 */
#include "config.h"

#include "parsers/read/pickle.h"
#include "tests/fuzz/fuzz_parse.h"

#define DEEP  8 /* values below that are not looked at: a pickle may refer to one many times */
#define LOOKS 4096

struct look {
    unsigned n, sum;
};

static void look(struct look *l, const struct pickle *p, pickle_ref r, int depth)
{
    struct str text = pickle_text(p, r);
    pickle_ref key, value;
    uint32_t at = 0, own;
    int64_t i;
    uint64_t u;
    double d;

    for (size_t k = 0; k < text.n; k++)
        l->sum += (unsigned char)text.p[k];
    bool is[] = { pickle_i64(p, r, &i), pickle_u64(p, r, &u), pickle_real(p, r, &d), pickle_own(p, r, &own) };
    for (size_t k = 0; k < ARRAY_LEN(is); k++)
        l->sum += is[k];
    l->sum += pickle_get(p, r, STR("device_traces")) != 0;
    if (depth < DEEP)
        while (l->n < LOOKS && pickle_next(p, r, &at, &key, &value)) {
            l->n++;
            if (key)
                look(l, p, key, depth + 1);
            look(l, p, value, depth + 1);
        }
}

/* Takes every second item, replaces what the others hold. */
static int on_item(void *arg, struct pickle *p, pickle_ref list, pickle_ref item, bool *take, struct err *e)
{
    struct look *l = arg;
    pickle_ref key, value;
    uint32_t at = 0;

    (void)e;
    FUZZ_CHECK(pickle_type(p, list) == PICKLE_LIST);
    *take = ++l->n % 2;
    if (!*take && pickle_next(p, item, &at, &key, &value))
        pickle_swap(p, value, l->n);
    return OK;
}

static int parse_looking(struct parse_ctx *c, struct err *e)
{
    struct look l = { 0, 0 };
    const struct pickle_asks all = { 0 }, little = { on_item, &l, (uint64_t)256 << 10 };
    struct pickle *p = NULL;

    if (pickle_read(&p, c, &all, e) == OK)
        look(&l, p, pickle_root(p), 0);
    pickle_free(p);
    p = NULL;
    if (e->code == OK && pickle_read(&p, c, &little, e) == OK) {
        l.n = 0;
        look(&l, p, pickle_root(p), 0);
    }
    pickle_free(p);
    c->lost = 0;
    return e->code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_parse_with("mem_snapshot", NULL, data, size);
    fuzz_parse_with("mem_snapshot", parse_looking, data, size);
    return 0;
}
