/* SPDX-License-Identifier: Apache-2.0 */
/* Records of the AI CPUs. */
#include "config.h"

#include "parsers/prof/device/aicpu.h"

#include <stdlib.h>

#include "base/grow.h"
#include "parsers/prof/prof_layout.h"

enum { PROF_AICPU_RECORD(FIELD_AT) PRE_AICPU_RECORD(FIELD_AT) PRE_DP_RECORD(FIELD_AT) };

/* Types of records in the head (doc/formats/prof.md#aicpu), and tags of the older ones. */
#define TYPE_NODE  0
#define TYPE_DP    1
#define TYPE_MODEL 2
#define TYPE_ITEM  3
#define TYPE_LAST  13
#define TAG_NODE   60
#define TAG_DP     100
#define SOURCE_B   64
#define ACTION_B   16
#define STREAMS    2048 /* of hwts: ids are modulo this */

struct reading {
    struct prof_aicpu *a;
    struct prof *p;
    bool expanded;
    uint64_t n_unknown;
};

static int add_node(struct reading *g, const struct prof_aicpu_node *n, struct err *e)
{
    struct prof_aicpu *a = g->a;
    struct prof_aicpu_node *v = spool_grow(a->spool, a->node, a->n_nodes, &a->cap_nodes, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    a->node = v;
    v[a->n_nodes] = *n;
    v[a->n_nodes].place = (uint32_t)a->n_nodes;
    a->n_nodes++;
    return OK;
}

static int add_item(struct reading *g, const struct prof_aicpu_item *m, struct err *e)
{
    struct prof_aicpu *a = g->a;
    struct prof_aicpu_item *v = spool_grow(a->spool, a->item, a->n_items, &a->cap_items, sizeof *v, 64);

    if (!v)
        return err_nomem(e);
    a->item = v;
    v[a->n_items++] = *m;
    return OK;
}

static int add_dp(struct reading *g, const struct prof_aicpu_dp *d, struct err *e)
{
    struct prof_aicpu *a = g->a;
    struct prof_aicpu_dp *v = spool_grow(a->spool, a->dp, a->n_dp, &a->cap_dp, sizeof *v, 64);

    if (!v || d->action == PROF_NONE || d->source == PROF_NONE)
        return err_nomem(e);
    a->dp = v;
    v[a->n_dp++] = *d;
    return OK;
}

/* The fields from runStart on, which lie `back` bytes earlier in older records. */
static struct prof_aicpu_node node_of(struct rec *x, size_t back)
{
    return (struct prof_aicpu_node){
        .start = rec_u64(x, PA_START - back),
        .end = rec_u64(x, PA_END - back),
        .submitted = rec_u64(x, PA_SUBMIT - back),
        .left = rec_u64(x, PA_AFTER - back),
        .compute_us = (int64_t)(rec_u64(x, PA_COPY - back) - rec_u64(x, PA_COMPUTE - back)),
        .copy_us = (int64_t)(rec_u64(x, PA_COPY_END - back) - rec_u64(x, PA_COPY - back)),
        .dispatch_us = rec_u32(x, PA_DISPATCH_US - back),
        .thread = rec_u32(x, PA_THREAD - back),
    };
}

static int take(void *arg, struct prof_record *r, struct err *e)
{
    struct reading *g = arg;
    struct rec *x = &r->rec;
    uint32_t type = rec_u32(x, PH_TYPE);

    if (type == TYPE_NODE) {
        struct prof_aicpu_node n = node_of(x, 0);
        n.stream = rec_u16(x, PA_STREAM);
        n.task = rec_u16(x, PA_TASK);
        if (g->p->chip->v6)
            n.task = n.task << 16 | n.stream;
        else if (g->p->chip->scheduler == CHIP_STARS)
            prof_stars_ids(g->expanded, 0, (uint16_t)n.stream, (uint16_t)n.task, &n.stream, &n.task);
        return add_node(g, &n, e);
    }
    if (type == TYPE_ITEM)
        return add_item(g,
                        &(struct prof_aicpu_item){ .node = rec_u32(x, PA_ITEM_NODE),
                                                   .name = PROF_NONE,
                                                   .size = rec_u64(x, PA_ITEM_SIZE),
                                                   .start_us = rec_u64(x, PA_ITEM_START),
                                                   .end_us = rec_u64(x, PA_ITEM_END) },
                        e);
    if (type == TYPE_DP)
        return add_dp(g,
                      &(struct prof_aicpu_dp){ .stamp = rec_u64(x, PH_TIME),
                                               .action = prof_text(g->p, rec_text(x, PA_DP_ACTION, ACTION_B)),
                                               .source = prof_text(g->p, rec_text(x, PA_DP_SOURCE, SOURCE_B)),
                                               .index = rec_u64(x, PA_DP_INDEX),
                                               .size = rec_u64(x, PA_DP_SIZE) },
                      e);
    g->n_unknown += type > TYPE_LAST;
    return OK;
}

static int take_pre(void *arg, struct prof_record *r, struct err *e)
{
    struct reading *g = arg;
    struct rec *x = &r->rec;
    struct prof_aicpu_node n = node_of(x, PA_START_US - PP_START_US);

    if (rec_u16(x, PP_TAG) != TAG_NODE) {
        g->n_unknown++;
        return OK;
    }
    n.stream = rec_u16(x, PP_STREAM) % STREAMS;
    n.task = rec_u16(x, PP_TASK);
    return add_node(g, &n, e);
}

static int take_pre_dp(void *arg, struct prof_record *r, struct err *e)
{
    struct reading *g = arg;
    struct rec *x = &r->rec;

    if (rec_u16(x, PD_TAG) != TAG_DP) {
        g->n_unknown++;
        return OK;
    }
    return add_dp(g,
                  &(struct prof_aicpu_dp){ .stamp = rec_u64(x, PD_TIME),
                                           .action = prof_text(g->p, rec_text(x, PD_ACTION, ACTION_B)),
                                           .source = prof_text(g->p, rec_text(x, PD_SOURCE, SOURCE_B)),
                                           .index = rec_u64(x, PD_INDEX),
                                           .size = rec_u64(x, PD_SIZE) },
                  e);
}

/* ---- text of older releases ---- */

#define FIELDS     4
#define DP_DEQUEUE "Last queue dequeue" /* msprof takes only these lines */

/* Pieces between commas; SIZE_MAX: more than FIELDS. */
static size_t pieces(struct str line, struct str out[FIELDS])
{
    size_t n = 0;
    struct str one;

    while (str_next(&line, ',', &one)) {
        if (n == FIELDS)
            return SIZE_MAX;
        out[n++] = str_trim(one);
    }
    return n;
}

static bool digits_after(struct str piece, uint64_t *v)
{
    return str_u64(str_trim(str_after_last(piece, ':')), v);
}

static void bad_line(struct reading *g, const struct where *w, const char *what)
{
    prof_note_at(g->p, NOTE_BAD_ROW, w, "%s", what);
}

/* "Node:NAME, queue size:N, Run start:US, Run end:US", the size before or after the times. */
static int take_item_line(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct reading *g = arg;
    struct str piece[FIELDS];
    struct prof_aicpu_item m = { .node = 0 };

    line = str_trim(line);
    if (!line.n)
        return OK;
    bool ok = pieces(line, piece) == FIELDS && str_starts(piece[0], STR("Node:"));
    if (ok) {
        unsigned size = str_starts(piece[1], STR("queue")) ? 1 : 3;
        ok = digits_after(piece[size], &m.size) && digits_after(piece[size == 1 ? 2 : 1], &m.start_us) &&
             digits_after(piece[size == 1 ? 3 : 2], &m.end_us);
    }
    if (!ok) {
        bad_line(g, w, "not node, queue size, start, end");
        return OK;
    }
    m.name = prof_text(g->p, str_trim(str_after_last(piece[0], ':')));
    return m.name == PROF_NONE ? err_nomem(e) : add_item(g, &m, e);
}

/* "[NS] Last queue dequeue, source:NAME, index:N, size:N". */
static int take_dp_line(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct reading *g = arg;
    struct str piece[FIELDS];
    struct prof_aicpu_dp d = { .index = 0 };

    line = str_trim(line);
    if (!line.n)
        return OK;
    if (str_find(line, STR(DP_DEQUEUE), 0) == SIZE_MAX) {
        g->n_unknown++;
        return OK;
    }
    size_t end = str_chr(line, ']');
    if (pieces(line, piece) != FIELDS || line.p[0] != '[' || end == SIZE_MAX ||
        !str_u64(str_sub(line, 1, end - 1), &d.stamp) || !digits_after(piece[2], &d.index) ||
        !digits_after(piece[3], &d.size)) {
        bad_line(g, w, "not time, source, index, size");
        return OK;
    }
    d.action = prof_text(g->p, str_trim(str_after_last(piece[0], ']')));
    d.source = prof_text(g->p, str_after_last(piece[1], ':'));
    return add_dp(g, &d, e);
}

static int read_older(struct reading *g, const struct prof_folder *f, struct err *e)
{
    struct prof_aicpu *a = g->a;
    bool records;

    if (!a->n_nodes && prof_read(g->p, f, PROF_PRE_AICPU, take_pre, g, e))
        return e->code;
    if (!a->n_items && prof_read_lines(g->p, f, PROF_PRE_MI, take_item_line, g, e))
        return e->code;
    if (a->n_dp || prof_has_records(g->p, f, PROF_PRE_DP, &records, e))
        return e->code;
    a->dp_is_older = prof_has(f, PROF_PRE_DP);
    return records ? prof_read(g->p, f, PROF_PRE_DP, take_pre_dp, g, e)
                   : prof_read_lines(g->p, f, PROF_PRE_DP, take_dp_line, g, e);
}

static int by_start(const void *a, const void *b)
{
    const struct prof_aicpu_node *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

int prof_aicpu_read(struct prof_aicpu *a, struct prof *p, const struct prof_folder *f, bool expanded,
                    struct err *e)
{
    struct reading g = { .a = a, .p = p, .expanded = expanded };

    *a = (struct prof_aicpu){ .spool = p->spool };
    if (prof_read(p, f, PROF_AICPU, take, &g, e) || read_older(&g, f, e)) {
        prof_aicpu_done(a);
        return e->code;
    }
    if (g.n_unknown)
        prof_note(p, f, PROF_AICPU, NOTE_UNKNOWN_TYPE, "%llu records of AI CPUs are of an unknown type",
                  (unsigned long long)g.n_unknown);
    if (a->n_nodes)
        qsort(a->node, a->n_nodes, sizeof *a->node, by_start);
    return OK;
}

void prof_aicpu_done(struct prof_aicpu *a)
{
    spool_free(a->spool, a->node);
    spool_free(a->spool, a->item);
    spool_free(a->spool, a->dp);
    *a = (struct prof_aicpu){ 0 };
}

struct str prof_aicpu_item_name(const struct prof *p, const struct prof_aicpu_item *m)
{
    const char *word = prof_aicpu_item_word(m->node);

    if (m->name != PROF_NONE)
        return prof_str(p, m->name);
    return word ? str_of(word) : STR_NULL;
}

const char *prof_aicpu_item_word(uint32_t node)
{
    return node == 1 ? "GetNext_dequeue_wait" : NULL;
}
