/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lies beside a profile when a job died. The first byte chooses: 0 flight recorder dumps, of which the
 * next two bytes give the length of the first and the rest is the second; they are compared. 1 a status
 * file, 2 Python stacks.
 */
#include "config.h"

#include <stdlib.h>

#include "parsers/logs/flight_compare.h"
#include "parsers/logs/hccl_status.h"
#include "parsers/logs/pystack.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz.h"

static unsigned sum;

static void look(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        sum += (unsigned char)s.p[i];
}

/* A file with one of the readers: the one whose place is not NULL. */
struct place {
    struct flight_dump **dump;
    struct hccl_status **status;
    struct pystack **stack;
};

static void read_file(const struct place *to, const uint8_t *data, size_t size)
{
    static const struct file_kind kind = { .id = "fuzz" };
    struct sink_count *count = NULL;
    struct runinfo run = { .gen = GEN_P };
    struct err e = ERR_INIT;

    FUZZ_CHECK(sink_count_new(&count, &e) == OK);
    const char *path = fuzz_file(data, size);
    struct source_file f = { .id = 1, .path = path, .rel = path, .kind = &kind, .regular = true };
    struct parse_ctx c = { .f = &f, .run = &run, .out = sink_count_sink(count) };
    int rc = to->dump     ? flight_read(to->dump, &c, &e)
             : to->status ? hccl_status_read(to->status, &c, &e)
                          : pystack_read(to->stack, &c, &e);
    FUZZ_CHECK(rc == e.code && (rc == OK || rc == ERR_FORMAT || rc == ERR_LIMIT));
    FUZZ_CHECK(rc == OK || e.text[0]);
    FUZZ_CHECK(c.rows <= size && c.lost <= size + 2);
    sink_count_free(count);
}

static void look_at_dump(const struct flight_dump *d)
{
    look(d->version);
    for (size_t i = 0; i < d->n_groups; i++) {
        look(d->groups[i].name);
        look(d->groups[i].desc);
        for (size_t k = 0; k < d->groups[i].n_ranks; k++)
            FUZZ_CHECK(d->groups[i].ranks[k] >= 0);
    }
    for (size_t i = 0; i < d->n_entries; i++) {
        const struct flight_entry *n = &d->entries[i];
        FUZZ_CHECK(n->group < d->n_groups && n->seq != FLIGHT_NONE && n->name.p);
        const struct str texts[] = { n->name,         n->input_sizes,   n->output_sizes,
                                     n->input_dtypes, n->output_dtypes, n->frames };
        for (size_t k = 0; k < ARRAY_LEN(texts); k++)
            look(texts[k]);
    }
}

static void look_at_both(const struct flight_dump *const *dumps, size_t n)
{
    struct flight_compared *c = NULL;
    struct err e = ERR_INIT;

    int rc = flight_compare(&c, dumps, n, &e);
    FUZZ_CHECK(rc == OK || rc == ERR_LIMIT);
    for (size_t i = 0; c && i < c->n_groups; i++) {
        const struct flight_found *f = &c->groups[i];
        look(f->text);
        look(f->op);
        FUZZ_CHECK(f->n_culprits <= f->n_members && (f->kind != FLIGHT_SAME || f->n_culprits == 0));
        for (size_t k = 0; k < f->n_members; k++)
            FUZZ_CHECK(!f->members[k].entry || f->members[k].entry->seq == f->seq);
    }
    for (size_t i = 0; c && i < c->n_pairs; i++)
        look(c->pairs[i].entry->name);
    FUZZ_CHECK(!c || !c->undecided || c->n_roots == 0);
    flight_compared_free(c);
}

static void dumps(const uint8_t *data, size_t size)
{
    struct flight_dump *d[2] = { NULL, NULL };
    size_t n = 0, first;

    if (size < 2)
        return;
    first = data[0] | (size_t)data[1] << 8;
    first = first < size - 2 ? first : size - 2;
    read_file(&(struct place){ .dump = &d[n] }, data + 2, first);
    n += d[n] != NULL;
    read_file(&(struct place){ .dump = &d[n] }, data + 2 + first, size - 2 - first);
    n += d[n] != NULL;
    for (size_t i = 0; i < n; i++) {
        d[i]->rank = (int)i;
        look_at_dump(d[i]);
    }
    look_at_both((const struct flight_dump *const *)d, n);
    flight_free(d[0]);
    flight_free(d[1]);
}

static void status(const uint8_t *data, size_t size)
{
    struct hccl_status *s = NULL;

    read_file(&(struct place){ .status = &s }, data, size);
    for (size_t i = 0; s && i < s->n_ops; i++) {
        look(s->ops[i].op);
        look(s->ops[i].pg_id);
        look(s->ops[i].comm_ids);
        FUZZ_CHECK(s->ops[i].seq >= 0);
    }
    if (s)
        look(s->exception);
    hccl_status_free(s);
}

static void stacks(const uint8_t *data, size_t size)
{
    struct pystack *s = NULL;

    read_file(&(struct place){ .stack = &s }, data, size);
    for (size_t i = 0; s && i < s->n_threads; i++) {
        look(s->threads[i].name);
        for (size_t k = 0; k < s->threads[i].n_frames; k++) {
            look(s->threads[i].frames[k].function);
            look(s->threads[i].frames[k].file);
            look(s->threads[i].frames[k].code);
        }
    }
    FUZZ_CHECK(!s || !s->n_threads == !pystack_main(s));
    pystack_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (data[0] % 3 == 0)
        dumps(data + 1, size - 1);
    else if (data[0] % 3 == 1)
        status(data + 1, size - 1);
    else
        stacks(data + 1, size - 1);
    return 0;
}
