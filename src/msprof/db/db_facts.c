/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables about the run as a whole, and those that give numbers their words (doc/formats/msprof.md#database).
 */
#include "config.h"

#include "msprof/db/db.h"
#include "parsers/prof/device/overlap.h"
#include "parsers/prof/sampled/memory.h"
#include "parsers/prof/words.h"

/* ---- the run ---- */

static int meta_rows(struct msprof_db *d, struct err *e)
{
    static const char *const facts[][2] = {
        { "SCHEMA_VERSION", "1.2.0" },
        { "SCHEMA_VERSION_MAJOR", "1" },
        { "SCHEMA_VERSION_MINOR", "2" },
        { "SCHEMA_VERSION_MICRO", "0" },
    };

    for (size_t i = 0; i < ARRAY_LEN(facts); i++)
        if (msprof_db_row(d, (struct val[]){ val_cstr(facts[i][0]), val_cstr(facts[i][1]) }, e))
            break;
    return e->code;
}

static int host_rows(struct msprof_db *d, struct err *e)
{
    const struct prof_folder *f = d->r->m.p->host;

    if (!f)
        return OK;
    struct str uid = f->meta.host_uid, name = f->meta.host_name;
    return msprof_db_row(
        d, (struct val[]){ val_text(uid.p ? uid : STR("")), val_text(name.p ? name : STR("")) }, e);
}

static int npu_rows(struct msprof_db *d, struct err *e)
{
    for (size_t i = 0; i < d->r->m.n_dev && !e->code; i++) {
        const struct prof_folder *f = d->r->m.dev[i].f;
        int platform = f->meta.platform < 0 ? d->r->m.p->platform : f->meta.platform;
        (void)!msprof_db_row(d, (struct val[]){ val_int(f->device), val_cstr(chip_of(platform)->db_name) },
                             e);
    }
    return e->code;
}

/*
 * -1 whatever info.json says, as in every database that msprof was seen to write
 * (doc/formats/msprof.md#unconfirmed), unless the caller knows it.
 */
static int rank_rows(struct msprof_db *d, struct err *e)
{
    int rank = d->r->o->db_more ? d->r->o->db_rank : -1;

    for (size_t i = 0; i < d->r->m.n_dev && !e->code; i++)
        (void)!msprof_db_row(d, (struct val[]){ val_int(rank), val_int(d->r->m.dev[i].f->device) }, e);
    return e->code;
}

static int session_rows(struct msprof_db *d, struct err *e)
{
    const struct prof *p = d->r->m.p;
    const struct prof_folder *f = p->host ? p->host : p->n_devices ? p->device[0] : NULL;

    if (!f)
        return OK;
    return msprof_db_row(d, (struct val[]){ val_int(prof_begin_ns(f)), val_int(prof_end_ns(f)) }, e);
}

const struct msprof_db_table msprof_db_facts[] = {
    { "META_DATA", "name t,value t", meta_rows, .always = true },
    { "HOST_INFO", "hostUid t,hostName t", host_rows, .always = true },
    { "NPU_INFO", "id,name t", npu_rows, .always = true },
    { "RANK_DEVICE_MAP", "rankId,deviceId", rank_rows, .always = true },
    { "SESSION_TIME_INFO", "startTimeNs,endTimeNs", session_rows, .always = true },
    { .name = NULL },
};

/* ---- numbers, ascending ---- */

/* clang-format off */
static const struct layout_word apis[] = {
    { PROF_L_RUNTIME, "runtime" }, { PROF_L_COMMUNICATION, "communication" }, { PROF_L_NODE, "node" },
    { PROF_L_MODEL, "model" }, { PROF_L_ACL, "acl" }, { 0, NULL },
};
static const struct layout_word copies[] = {
    { 0, "host to host" }, { 1, "host to device" }, { 2, "device to host" }, { 3, "device to device" },
    { 4, "managed memory" }, { 5, "addr device to device" }, { 6, "host to device ex" },
    { 7, "device to host ex" }, { 65535, "other" }, { 0, NULL },
};
static const struct layout_word overlaps[] = {
    { OVERLAP_COMPUTING, "COMPUTE" }, { OVERLAP_COMM, "COMMUNICATION" },
    { OVERLAP_COMM_ALONE, "COMM_NOT_OVERLAP_COMP" }, { OVERLAP_FREE, "FREE" }, { 65535, "RESERVE" },
    { 0, NULL },
};
/* clang-format on */

static int word_row(struct msprof_db *d, int64_t value, const char *word, struct err *e)
{
    return msprof_db_row(d, (struct val[]){ val_int(value), val_cstr(word) }, e);
}

static int words(struct msprof_db *d, struct err *e)
{
    for (const struct layout_word *w = d->now->data; w->word && !e->code; w++)
        (void)!word_row(d, (int64_t)w->value, w->word, e);
    return e->code;
}

/* The numbers of communication have 16 bits here. */
static int hccl_words(struct msprof_db *d, struct err *e)
{
    for (const struct layout_word *w = d->now->data; w->word && !e->code; w++)
        if (w->value != UINT32_MAX)
            (void)!word_row(d, (int64_t)w->value, w->word, e);
    if (!e->code && word_row(d, 65534, "N/A", e) == OK)
        (void)!word_row(d, 65535, "INVALID_TYPE", e);
    return e->code;
}

static int modules(struct msprof_db *d, struct err *e)
{
    const char *word;

    for (uint32_t i = 0; i < PROF_MODULES && !e->code; i++)
        if ((word = prof_module_word(i)) != NULL)
            (void)!word_row(d, i, word, e);
    return e->code;
}

#define ENUM "id pk,name t"
const struct msprof_db_table msprof_db_enums[] = {
    { "ENUM_API_TYPE", ENUM, words, .data = apis, .always = true },
    { "ENUM_MODULE", ENUM, modules, .always = true },
    { "ENUM_HCCL_DATA_TYPE", ENUM, hccl_words, .data = prof_hccl_types, .always = true },
    { "ENUM_HCCL_LINK_TYPE", ENUM, hccl_words, .data = prof_links, .always = true },
    { "ENUM_HCCL_TRANSPORT_TYPE", ENUM, hccl_words, .data = prof_transports, .always = true },
    { "ENUM_HCCL_RDMA_TYPE", ENUM, hccl_words, .data = prof_rdmas, .always = true },
    { "ENUM_MSTX_EVENT_TYPE", ENUM, words, .data = prof_tx_events, .always = true },
    { "ENUM_MEMCPY_OPERATION", ENUM, words, .data = copies, .always = true },
    { "ENUM_OVERLAP_ANALYSIS_TYPE", ENUM, words, .data = overlaps, .always = true },
    { .name = NULL },
};
