/* SPDX-License-Identifier: Apache-2.0 */
/* What was found in a group, as a sentence. */
#include "config.h"

#include "parsers/logs/flight_text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/buf.h"

#define SPANS    12  /* of ranks in a sentence; then their number */
#define SIZES_B  200 /* of sizes in it */
#define VARIANTS 3   /* that are spelled out */
#define TEXT_B   ((size_t)8 << 10)

typedef bool pick_fn(const struct flight_member *m, uint32_t variant);

static bool at(const struct flight_member *m, uint32_t standing)
{
    return m->at == standing;
}

static bool of_variant(const struct flight_member *m, uint32_t variant)
{
    return m->entry && m->variant == variant;
}

static size_t count(const struct flight_found *f, pick_fn *pick, uint32_t x)
{
    size_t n = 0;

    for (size_t i = 0; i < f->n_members; i++)
        n += pick(&f->members[i], x);
    return n;
}

static int by_rank(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return x < y ? -1 : x > y;
}

/* "rank 5", "ranks 0-3, 7": the members that are picked. */
static void add_ranks(struct buf *b, const struct flight_found *f, pick_fn *pick, uint32_t x)
{
    size_t n = 0, spans = 0;
    int32_t *rank = malloc((f->n_members ? f->n_members : 1) * sizeof *rank);

    if (!rank) {
        b->failed = true;
        return;
    }
    for (size_t i = 0; i < f->n_members; i++)
        if (pick(&f->members[i], x))
            rank[n++] = f->members[i].rank;
    qsort(rank, n, sizeof *rank, by_rank);
    buf_puts(b, n == 1 ? "rank " : "ranks ");
    for (size_t i = 0, to; i < n; i = to) {
        for (to = i + 1; to < n && rank[to] <= rank[to - 1] + 1;)
            to++;
        if (++spans > SPANS) {
            buf_printf(b, " and %zu more", n - i);
            break;
        }
        buf_puts(b, i ? ", " : "");
        if (rank[i] < 0)
            buf_puts(b, "of unknown number");
        else if (rank[to - 1] > rank[i])
            buf_printf(b, "%" PRId32 "-%" PRId32, rank[i], rank[to - 1]);
        else
            buf_printf(b, "%" PRId32, rank[i]);
    }
    free(rank);
}

static void add_sizes(struct buf *b, struct str s)
{
    buf_add(b, str_sub(s, 0, SIZES_B));
    buf_puts(b, s.n > SIZES_B ? "..." : "");
}

/* "all_reduce [[2, 3]] Float" */
static void add_entry(struct buf *b, const struct flight_entry *e)
{
    bool same = str_eq(e->input_sizes, e->output_sizes) && str_eq(e->input_dtypes, e->output_dtypes);

    buf_add(b, e->name);
    buf_addc(b, ' ');
    add_sizes(b, e->input_sizes);
    buf_addc(b, ' ');
    add_sizes(b, e->input_dtypes);
    if (same)
        return;
    buf_puts(b, " to ");
    add_sizes(b, e->output_sizes);
    buf_addc(b, ' ');
    add_sizes(b, e->output_dtypes);
}

static const struct flight_member *first(const struct flight_found *f, pick_fn *pick, uint32_t x)
{
    for (size_t i = 0; i < f->n_members; i++)
        if (pick(&f->members[i], x))
            return &f->members[i];
    return NULL;
}

static void add_missing(struct buf *b, const struct flight_found *f)
{
    size_t wait = count(f, at, FLIGHT_AT_ISSUED) + count(f, at, FLIGHT_AT_BEGUN);
    const struct flight_member *m = first(f, at, FLIGHT_AT_MISSING);

    buf_puts(b, ": ");
    add_ranks(b, f, at, FLIGHT_AT_MISSING);
    buf_puts(b, " did not issue it");
    if (f->n_culprits == 1 && m && m->last_enqueued >= 0)
        buf_printf(b, " (the last was %" PRId64 ")", m->last_enqueued);
    buf_printf(b, ", %zu rank%s it", wait, wait == 1 ? " waits in" : "s wait in");
}

static void add_variants(struct buf *b, const struct flight_found *f)
{
    for (uint32_t v = 0; v < VARIANTS; v++) {
        const struct flight_member *m = first(f, of_variant, v);
        if (!m)
            return;
        buf_puts(b, v ? "; " : ": ");
        add_ranks(b, f, of_variant, v);
        buf_puts(b, " issued ");
        add_entry(b, m->entry);
    }
    if (first(f, of_variant, VARIANTS))
        buf_puts(b, "; others differ, too");
}

static void add_stuck(struct buf *b, const struct flight_found *f)
{
    size_t ended = count(f, at, FLIGHT_AT_ENDED), begun = count(f, at, FLIGHT_AT_BEGUN);

    if (ended) {
        buf_printf(b, " ended on %zu rank%s, not on ", ended, ended == 1 ? "" : "s");
        add_ranks(b, f, at, begun ? FLIGHT_AT_BEGUN : FLIGHT_AT_ISSUED);
        buf_puts(b, ": device or network");
    } else if (f->n_culprits) {
        buf_puts(b, ": the device has not begun it on ");
        add_ranks(b, f, at, FLIGHT_AT_ISSUED);
    } else
        buf_puts(b, " was issued with equal data and did not end on any rank: network or device");
}

void flight_describe(struct flight_found *f, struct arena *mem)
{
    struct buf b;

    buf_init(&b, TEXT_B);
    buf_puts(&b, "group ");
    buf_add(&b, str_sub(f->name, 0, SIZES_B));
    if (f->desc.n)
        buf_printf(&b, " (%.*s)", (int)(f->desc.n < SIZES_B ? f->desc.n : SIZES_B), f->desc.p);
    buf_printf(&b, ", number %" PRId64 ", ", f->seq);
    buf_add(&b, str_sub(f->op, 0, SIZES_B));
    switch (f->kind) {
    case FLIGHT_SAME:
        buf_puts(&b, ": nothing differs and nobody waits");
        break;
    case FLIGHT_MISSING:
        add_missing(&b, f);
        break;
    case FLIGHT_MISMATCH:
        add_variants(&b, f);
        break;
    case FLIGHT_STUCK:
        add_stuck(&b, f);
        break;
    }
    if (f->kind != FLIGHT_SAME && count(f, at, FLIGHT_AT_NO_DUMP)) {
        buf_puts(&b, "; no dump of ");
        add_ranks(&b, f, at, FLIGHT_AT_NO_DUMP);
    }
    f->text = buf_failed(&b) ? STR_NULL : arena_str(mem, buf_str(&b));
    buf_done(&b);
}
