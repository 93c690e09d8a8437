/* SPDX-License-Identifier: Apache-2.0 */
/* Records and lines of sampled data. What is derived from them: rates.c. */
#include "config.h"

#include "parsers/prof/sampled/sampled.h"

#include "parsers/prof/prof_layout.h"
#include "parsers/read/lines.h"

enum {
    HBM_RECORD(FIELD_AT) HBM_RECORD2(FIELD_AT) DDR_RECORD(FIELD_AT) LLC_RECORD(FIELD_AT) LLC_RECORD2(FIELD_AT)
        PCIE_RECORD(FIELD_AT) L2_CACHE_RECORD(FIELD_AT) UB_RECORD(FIELD_AT)
};

/* The reading of a file, and the function that gets its records. */
struct reading {
    struct prof *p;
    bool second; /* version 2 of the collection */
    enum prof_tag tag;
    union {
        prof_sample_fn *sample;
        prof_pcie_fn *pcie;
        prof_l2_cache_fn *l2;
        prof_ub_fn *ub;
        prof_net_fn *net;
    } fn;
    void *arg;
};

/* ---- hbm, ddr, llc ---- */

static struct prof_sample hbm_of(struct rec *x, bool second)
{
    if (second)
        return (struct prof_sample){ rec_u64(x, HB2_TIME), rec_u64(x, HB2_COUNT), rec_u32(x, HB2_EVENT),
                                     rec_u32(x, HB2_ID), PROF_NONE };
    return (struct prof_sample){ rec_u64(x, HB_TIME), rec_u64(x, HB_COUNT), rec_u32(x, HB_EVENT),
                                 rec_u32(x, HB_ID), PROF_NONE };
}

static struct prof_sample llc_of(struct rec *x, bool second)
{
    if (second)
        return (struct prof_sample){ rec_u64(x, LL2_TIME), rec_u32(x, LL2_COUNT), rec_u32(x, LL2_EVENT),
                                     rec_u32(x, LL2_ID), PROF_NONE };
    return (struct prof_sample){ rec_u64(x, LL_TIME), rec_u64(x, LL_COUNT), rec_u32(x, LL_EVENT),
                                 rec_u32(x, LL_ID), PROF_NONE };
}

static struct prof_sample ddr_of(struct rec *x)
{
    return (struct prof_sample){ rec_u32(x, DD_TIME), rec_u32(x, DD_COUNT), rec_u32(x, DD_EVENT),
                                 rec_u32(x, DD_ID), rec_u32(x, DD_MASTER) };
}

static int take_sample(void *arg, struct prof_record *r, struct err *e)
{
    const struct reading *g = arg;
    struct prof_sample s = g->tag == PROF_HBM   ? hbm_of(&r->rec, g->second)
                           : g->tag == PROF_LLC ? llc_of(&r->rec, g->second)
                                                : ddr_of(&r->rec);

    return g->fn.sample(g->arg, &s, e);
}

int prof_sample_read(struct prof *p, const struct prof_folder *f, enum prof_tag tag, prof_sample_fn *fn,
                     void *arg, struct err *e)
{
    struct reading g = { .second = f && f->meta.version == 2, .tag = tag, .fn.sample = fn, .arg = arg };

    return prof_read(p, f, tag, take_sample, &g, e);
}

/* ---- pcie, l2_cache, ub ---- */

static int take_pcie(void *arg, struct prof_record *r, struct err *e)
{
    const struct reading *g = arg;
    struct prof_pcie s = { .ns = rec_u64(&r->rec, PX_TIME), .device = rec_u32(&r->rec, PX_DEVICE) };

    for (size_t i = 0; i < N_PROF_PCIE; i++) {
        s.v[i].min = rec_u32(&r->rec, PX_VALUE + 12 * i);
        s.v[i].max = rec_u32(&r->rec, PX_VALUE + 12 * i + 4);
        s.v[i].avg = rec_u32(&r->rec, PX_VALUE + 12 * i + 8);
    }
    return g->fn.pcie(g->arg, &s, e);
}

int prof_pcie_read(struct prof *p, const struct prof_folder *f, prof_pcie_fn *fn, void *arg, struct err *e)
{
    struct reading g = { .fn.pcie = fn, .arg = arg };

    return prof_read(p, f, PROF_PCIE, take_pcie, &g, e);
}

static int take_l2(void *arg, struct prof_record *r, struct err *e)
{
    const struct reading *g = arg;
    struct prof_l2_cache s = { .kind = rec_u16(&r->rec, LC_KIND),
                               .stream = rec_u16(&r->rec, LC_STREAM),
                               .task = rec_u16(&r->rec, LC_TASK) };

    for (size_t i = 0; i < ARRAY_LEN(s.event); i++)
        s.event[i] = rec_u64(&r->rec, LC_EVENT + 8 * i);
    return g->fn.l2(g->arg, &s, e);
}

int prof_l2_cache_read(struct prof *p, const struct prof_folder *f, prof_l2_cache_fn *fn, void *arg,
                       struct err *e)
{
    struct reading g = { .fn.l2 = fn, .arg = arg };

    return prof_read(p, f, PROF_L2_CACHE, take_l2, &g, e);
}

static int take_ub(void *arg, struct prof_record *r, struct err *e)
{
    static const uint16_t at[N_PROF_UB] = {
        [PROF_UB_RX] = UB_RX,
        [PROF_UB_TX] = UB_TX,
        [PROF_UB_RX_RATE] = UB_RX_RATE,
        [PROF_UB_TX_RATE] = UB_TX_RATE,
        [PROF_UB_RX_ERRORS] = UB_RX_ERRORS,
        [PROF_UB_TX_ERRORS] = UB_TX_ERRORS,
        [PROF_UB_RX_DROPPED] = UB_RX_DROPPED,
        [PROF_UB_TX_DROPPED] = UB_TX_DROPPED,
    };
    const struct reading *g = arg;
    struct prof_ub s = { .us = rec_u64(&r->rec, UB_TIME), .port = rec_u16(&r->rec, UB_PORT) };

    for (size_t i = 0; i < N_PROF_UB; i++)
        s.v[i] = rec_u64(&r->rec, at[i]);
    return g->fn.ub(g->arg, &s, e);
}

int prof_ub_read(struct prof *p, const struct prof_folder *f, prof_ub_fn *fn, void *arg, struct err *e)
{
    struct reading g = { .fn.ub = fn, .arg = arg };

    return prof_read(p, f, PROF_UB, take_ub, &g, e);
}

/* ---- text ---- */

static void bad_line(struct prof *p, const struct where *w)
{
    prof_note_at(p, NOTE_BAD_ROW, w, "a line that is no sample was left out");
}

/* "123:" or "123". */
static bool stamp_of(struct str word, uint64_t *ns)
{
    return str_u64(str_sub(word, 0, word.n - str_ends(word, STR(":"))), ns);
}

static int take_net(void *arg, struct str line, const struct where *w, struct err *e)
{
    const struct reading *g = arg;
    struct str word[N_PROF_NET + 2];
    size_t n = lines_words(line, word, ARRAY_LEN(word));
    struct prof_net s;

    if (!n || str_find(line, STR("rxPacket/s"), 0) != SIZE_MAX)
        return OK;
    bool good = n == N_PROF_NET + 1 && stamp_of(word[0], &s.ns);
    for (size_t i = 0; good && i < N_PROF_NET; i++)
        good = str_u64(word[i + 1], &s.v[i]);
    if (good)
        return g->fn.net(g->arg, &s, e);
    bad_line(g->p, w);
    return OK;
}

int prof_net_read(struct prof *p, const struct prof_folder *f, enum prof_tag tag, prof_net_fn *fn, void *arg,
                  struct err *e)
{
    struct reading g = { .p = p, .fn.net = fn, .arg = arg };

    return prof_read_lines(p, f, tag, take_net, &g, e);
}
