/* SPDX-License-Identifier: Apache-2.0 */
/* What records of the host say about the calls they were made in. */
#include "config.h"

#include "parsers/prof/host/call_records.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/large/sort_index.h"
#include "parsers/prof/host/host_at.h"
#include "parsers/prof/host/tensors.h"
#include "parsers/prof/words.h"

#define CONTEXTS_MAX 55 /* of a record (doc/formats/prof.md#additional-records) */
#define FUSED_MAX    8
#define COMM_OP_B    (HO_GROUP + 8 - HO_FLAGS)

/* ---- lists ---- */

static int add(struct prof_call_records *s, struct prof_remarks *r, const struct prof_remark *x,
               struct err *e)
{
    struct prof_remark *v = spool_grow(s->p->spool, r->v, r->n, &r->cap, sizeof *v, 1024);

    if (!v)
        return err_nomem(e);
    r->v = v;
    r->v[r->n++] = *x;
    return OK;
}

static bool remark_before(const void *arg, uint32_t a, uint32_t b)
{
    const struct prof_remark *v = arg;

    return v[a].api != v[b].api ? v[a].api < v[b].api : v[a].key < v[b].key;
}

static int sort(struct prof_call_records *s, struct prof_remarks *r, struct err *e)
{
    return prof_sort(s->p->spool, r->v, r->n, sizeof *r->v, remark_before, r->v, e);
}

struct asked {
    const struct prof_remark *v;
    uint32_t api;
    uint64_t key; /* of the first that is too far */
};

static bool lies_before(const void *arg, size_t i)
{
    const struct asked *q = arg;

    return q->v[i].api != q->api ? q->v[i].api < q->api : q->v[i].key < q->key;
}

static size_t first_from(struct prof_remarks *r, uint32_t api, uint64_t key)
{
    const struct asked q = { r->v, api, key };

    r->hint = prof_gallop(r->n, r->hint, lies_before, &q);
    return r->hint;
}

const struct prof_remark *prof_call_records_of(struct prof_remarks *r, uint32_t api, size_t *n)
{
    *n = 0;
    if (!r->n)
        return NULL;
    size_t from = first_from(r, api, 0);
    /* mostly few: the end is near */
    size_t to = first_from(r, api, (uint64_t)UINT32_MAX + 1);
    *n = to - from;
    return *n ? &r->v[from] : NULL;
}

const struct prof_remark *prof_call_records_key(struct prof_remarks *r, uint32_t api, uint32_t key, bool any)
{
    if (!r->n)
        return NULL;
    size_t to = first_from(r, api, (uint64_t)key + 1);
    if (to && r->v[to - 1].api == api && r->v[to - 1].key == key)
        return &r->v[to - 1];
    if (!any)
        return NULL;
    size_t from = first_from(r, api, 0);
    return from < r->n && r->v[from].api == api ? &r->v[from] : NULL;
}

/* ---- reading ---- */

/* The call that a record is about: the nearest of a level around its stamp. */
static uint32_t call_of(struct prof_call_records *s, struct rec *r, unsigned level)
{
    uint32_t api = prof_tree_find(s->tree, rec_u32(r, PH_THREAD), rec_u64(r, PH_TIME));

    api = prof_tree_up(s->tree, api, level);
    s->strays += api == PROF_NONE;
    return api;
}

static uint32_t put_struct(struct intern *t, const void *x, size_t n)
{
    return intern_put(t, (struct str){ x, n });
}

/* A remark about the call around the record; value PROF_NONE: there was no memory for it. */
static int remark(struct prof_call_records *s, struct prof_remarks *list, struct rec *r, unsigned level,
                  uint32_t key, uint32_t value, struct err *e)
{
    const struct prof_remark x = {
        .api = call_of(s, r, level), .key = key, .value = value, .stamp = (uint32_t)rec_u64(r, PH_TIME)
    };

    if (value == PROF_NONE || key == PROF_NONE)
        return err_nomem(e);
    return x.api == PROF_NONE ? OK : add(s, list, &x, e);
}

uint32_t prof_call_records_core(struct prof *p, uint32_t core)
{
    const char *word = prof_word(prof_op_cores, core);

    return word ? prof_text(p, str_of(word)) : prof_hash_text(p, core); /* its digits */
}

static int on_basic(void *arg, struct prof_record *r, struct err *e)
{
    struct prof_call_records *s = arg;
    uint32_t blocks = rec_u16(&r->rec, NB_BLOCKS), ratio = rec_u16(&r->rec, NB_RATIO);
    struct prof_op op;

    memset(&op, 0, sizeof op); /* its bytes are its key */
    op.name = prof_hash_text(s->p, rec_u64(&r->rec, NB_NAME));
    op.type = prof_hash_text(s->p, rec_u64(&r->rec, NB_TYPE));
    op.core = prof_call_records_core(s->p, rec_u32(&r->rec, NB_CORE));
    op.block = blocks;
    op.mix_block = blocks * ratio;
    op.tensors = op.attr = PROF_NONE;
    op.is_static = r->kept;
    op.hf32 = rec_u32(&r->rec, NB_FLAG) != 0;
    if (op.type == PROF_NONE || op.core == PROF_NONE)
        return err_nomem(e);
    return remark(s, &s->basic, &r->rec, PROF_L_NODE, op.name, prof_call_records_put_op(s, &op), e);
}

static int on_tensors(void *arg, struct prof_record *r, struct err *e)
{
    struct prof_call_records *s = arg;
    uint32_t n = rec_u32(&r->rec, PT_COUNT);
    size_t most = (r->rec.n - PT_0_KIND) / PROF_TENSOR_B;

    n = n < most ? n : (uint32_t)most;
    size_t before = s->tensors.n;
    if (remark(s, &s->tensors, &r->rec, PROF_L_NODE, prof_hash_text(s->p, rec_u64(&r->rec, PT_NAME)),
               put_struct(s->bytes, r->rec.p + PT_0_KIND, n * PROF_TENSOR_B), e))
        return e->code;
    if (s->tensors.n > before) {
        s->last_tensors = s->tensors.v[before].api;
        s->first_tensors = before ? s->first_tensors : s->last_tensors;
    }
    return OK;
}

static int on_attr(void *arg, struct prof_record *r, struct err *e)
{
    struct prof_call_records *s = arg;

    if (rec_u32(&r->rec, NA_KIND))
        return OK;
    return remark(s, &s->attrs, &r->rec, PROF_L_NODE, prof_hash_text(s->p, rec_u64(&r->rec, NA_NAME)),
                  prof_hash_text(s->p, rec_u64(&r->rec, NA_TEXT)), e);
}

static int on_contexts(void *arg, struct prof_record *r, struct err *e)
{
    struct prof_call_records *s = arg;
    uint32_t n = rec_u32(&r->rec, CX_COUNT);
    uint16_t level = rec_u16(&r->rec, PH_LEVEL);

    if (level != PROF_L_NODE && level != PROF_L_COMMUNICATION)
        return OK;
    n = n < CONTEXTS_MAX ? n : CONTEXTS_MAX;
    return remark(s, &s->contexts, &r->rec, level, prof_hash_text(s->p, rec_u64(&r->rec, CX_NAME)),
                  put_struct(s->bytes, r->rec.p + CX_ID, n * sizeof(uint32_t)), e);
}

static int on_comm_op(void *arg, struct prof_record *r, struct err *e)
{
    struct prof_call_records *s = arg;

    return remark(s, &s->comm_ops, &r->rec, PROF_L_NODE, 0,
                  put_struct(s->bytes, r->rec.p + HO_FLAGS, COMM_OP_B), e);
}

bool prof_call_records_is_master(struct prof_call_records *s, uint32_t api)
{
    return api != PROF_NONE &&
           str_eq(prof_str(s->p, prof_type_text(s->p, PROF_L_COMMUNICATION, s->tree->api[api].type)),
                  STR("master"));
}

static int on_info(void *arg, struct prof_record *r, struct err *e)
{
    struct prof_call_records *s = arg;
    struct rec *b = &r->rec;
    uint64_t estimated = rec_u64(b, HI_ESTIMATED);
    struct prof_remark x = { .api = call_of(s, b, PROF_L_COMMUNICATION), .key = rec_u32(b, HI_CONTEXT) };
    struct prof_comm_info c;

    if (x.api == PROF_NONE)
        return OK;
    memset(&c, 0, sizeof c); /* its bytes are its key */
    c.notify = rec_u64(b, HI_NOTIFY);
    c.src = rec_u64(b, HI_SRC);
    c.dst = rec_u64(b, HI_DST);
    c.size_b = rec_u64(b, HI_SIZE);
    memcpy(&c.estimated, &estimated, sizeof c.estimated);
    c.item = prof_hash_text(s->p, rec_u64(b, HI_ITEM));
    c.group_hash = rec_u64(b, HI_GROUP);
    c.group = prof_hash_text(s->p, c.group_hash);
    c.local_rank = rec_u32(b, HI_LOCAL);
    c.remote_rank = rec_u32(b, HI_REMOTE);
    c.rank_size = rec_u32(b, HI_RANKS);
    c.mode = rec_u32(b, HI_MODE);
    c.plane = rec_u32(b, HI_PLANE);
    c.stage = rec_u32(b, HI_STAGE);
    c.role = rec_u32(b, HI_ROLE);
    c.op_type = rec_u32(b, HI_OP_TYPE);
    c.data_type = rec_u32(b, HI_DATA_TYPE);
    c.link = rec_u32(b, HI_LINK);
    c.transport = rec_u32(b, HI_TRANSPORT);
    c.rdma = rec_u32(b, HI_RDMA);
    c.master = prof_call_records_is_master(s, x.api);
    x.value = put_struct(s->comm, &c, sizeof c);
    if (x.value == PROF_NONE || c.item == PROF_NONE || c.group == PROF_NONE)
        return err_nomem(e);
    return add(s, &s->infos, &x, e);
}

static int on_fusion(void *arg, struct prof_record *r, struct err *e)
{
    struct prof_call_records *s = arg;
    /* keys keep the records of a model in order; more than 2^32 records do not fit into memory */
    uint32_t number = (uint32_t)s->fusions.n;

    return remark(s, &s->fusions, &r->rec, PROF_L_MODEL, number,
                  put_struct(s->bytes, r->rec.p, FU_OP + FUSED_MAX * sizeof(uint64_t)), e);
}

/* Joins the bytes of those remarks that have the stamp of the last one. */
static uint32_t joined(struct prof_call_records *s, const struct prof_remark *v, size_t n, struct buf *all)
{
    buf_clear(all);
    for (size_t i = 0; i < n && !buf_failed(all); i++)
        if (v[i].stamp == v[n - 1].stamp)
            buf_add(all, intern_get(s->bytes, v[i].value));
    return intern_put(s->bytes, buf_str(all));
}

/* Tensors of an op in several records of one stamp are joined; of several stamps the last one counts. */
static int join_tensors(struct prof_call_records *s, struct err *e)
{
    struct prof_remarks *t = &s->tensors;
    struct buf all;
    size_t out = 0;

    buf_init(&all, PROF_TENSORS_MAX * PROF_TENSOR_B);
    for (size_t i = 0, to; i < t->n && !e->code; i = to) {
        for (to = i + 1; to < t->n && t->v[to].api == t->v[i].api && t->v[to].key == t->v[i].key;)
            to++;
        struct prof_remark x = t->v[to - 1];
        if (to - i > 1)
            x.value = joined(s, &t->v[i], to - i, &all);
        if (x.value == INTERN_NONE)
            (void)err_nomem(e);
        t->v[out++] = x;
    }
    t->n = out;
    buf_done(&all);
    return e->code;
}

/* clang-format off */
static const struct family {
    enum prof_tag tag;
    prof_record_fn *fn;
} families[] = {
    { PROF_NODE_BASIC, on_basic }, { PROF_TENSOR, on_tensors },   { PROF_NODE_ATTR, on_attr },
    { PROF_CONTEXT, on_contexts },
    { PROF_HCCL_OP, on_comm_op },  { PROF_HCCL_INFO, on_info },   { PROF_FUSION_OP, on_fusion },
};
/* clang-format on */

int prof_call_records_read(struct prof_call_records *s, struct prof *p, struct prof_tree *tree, struct err *e)
{
    *s = (struct prof_call_records){ .p = p, .tree = tree };
    if (intern_new(&s->ops, e) || intern_new(&s->bytes, e) || intern_new(&s->comm, e))
        return e->code;
    for (size_t i = 0; i < ARRAY_LEN(families); i++)
        if ((families[i].tag != PROF_CONTEXT || !p->chip->v6) && /* no task of V6 has any */
            prof_read(p, p->host, families[i].tag, families[i].fn, s, e))
            return e->code;
    if (sort(s, &s->basic, e) || sort(s, &s->tensors, e) || sort(s, &s->attrs, e) ||
        sort(s, &s->contexts, e) || sort(s, &s->comm_ops, e) || sort(s, &s->infos, e) ||
        sort(s, &s->fusions, e))
        return e->code;
    if (s->strays)
        prof_note(p, p->host, N_PROF_TAGS, NOTE_INCONSISTENT,
                  "%llu records of the host lie outside of the calls they are about; what they say "
                  "of ops is missing",
                  (unsigned long long)s->strays);
    return join_tensors(s, e);
}

void prof_call_records_free(struct prof_call_records *s)
{
    struct prof_remarks *lists[] = { &s->basic,    &s->tensors, &s->attrs,  &s->contexts,
                                     &s->comm_ops, &s->infos,   &s->fusions };
    struct spool *pool = s->p ? s->p->spool : NULL;

    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        spool_free(pool, lists[i]->v);
    intern_free(s->ops);
    intern_free(s->bytes);
    intern_free(s->comm);
    free(s->sets);
    free(s->set_of);
    *s = (struct prof_call_records){ 0 };
}

/* ---- asking ---- */

struct str prof_call_records_bytes(const struct prof_call_records *s, const struct prof_remark *r)
{
    return intern_get(s->bytes, r->value);
}

uint32_t prof_call_records_put_op(struct prof_call_records *s, const struct prof_op *op)
{
    return put_struct(s->ops, op, sizeof *op);
}

/* The slot in set_of of these bytes; NULL: no memory. */
static uint32_t *set_place(struct prof_call_records *s, uint32_t bytes)
{
    if (bytes >= s->n_set_of) {
        size_t n = intern_count(s->bytes);
        uint32_t *v = realloc(s->set_of, n * sizeof *v);
        if (!v)
            return NULL;
        memset(v + s->n_set_of, 0, (n - s->n_set_of) * sizeof *v);
        s->set_of = v;
        s->n_set_of = n;
    }
    return &s->set_of[bytes];
}

static int set_of(struct prof_call_records *s, uint32_t bytes, uint32_t *out, struct err *e)
{
    uint32_t *at = set_place(s, bytes);

    if (!at)
        return err_nomem(e);
    if (!*at) {
        struct prof_tensors *v = grow_array(s->sets, s->n_sets, &s->sets_cap, sizeof *v, 64);
        if (!v)
            return err_nomem(e);
        s->sets = v;
        if (prof_tensor_texts(&v[s->n_sets], s->p, intern_get(s->bytes, bytes), e))
            return e->code;
        *at = (uint32_t)++s->n_sets;
    }
    *out = *at - 1;
    return OK;
}

int prof_call_records_tensors(struct prof_call_records *s, struct str tensors, uint32_t *out, struct err *e)
{
    uint32_t bytes = intern_put(s->bytes, tensors);

    return bytes == INTERN_NONE ? err_nomem(e) : set_of(s, bytes, out, e);
}

int prof_call_records_op(struct prof_call_records *s, const struct prof_remark *basic, struct prof_op *out,
                         struct err *e)
{
    const struct prof_remark *t = prof_call_records_key(&s->tensors, basic->api, basic->key, false),
                             *a = prof_call_records_key(&s->attrs, basic->api, basic->key, false);

    memcpy(out, intern_get(s->ops, basic->value).p, sizeof *out);
    if (a)
        out->attr = a->value;
    out->torn = s->p->host->lost[PROF_TENSOR] && s->tensors.n &&
                (basic->api == s->first_tensors || basic->api == s->last_tensors);
    return t ? set_of(s, t->value, &out->tensors, e) : OK;
}

void prof_call_records_comm_op(struct prof_call_records *s, uint32_t api, struct prof_comm_op *op)
{
    const struct prof_remark *m = prof_call_records_key(&s->comm_ops, api, 0, false);

    op->alg = op->group = PROF_NONE;
    if (!m)
        return;
    struct str bytes = intern_get(s->bytes, m->value);
    struct rec r = { .p = (const unsigned char *)bytes.p, .n = bytes.n };
    uint8_t flags = rec_u8(&r, 0);
    op->has_info = true;
    op->relay = flags & 1;
    op->retry = flags >> 1 & 1;
    op->data_type = rec_u8(&r, HO_DATA_TYPE - HO_FLAGS);
    op->alg = prof_hash_text(s->p, rec_u64(&r, HO_ALG - HO_FLAGS));
    op->count = rec_u64(&r, HO_COUNT - HO_FLAGS);
    op->group_hash = rec_u64(&r, HO_GROUP - HO_FLAGS);
    op->group = prof_hash_text(s->p, op->group_hash);
}
