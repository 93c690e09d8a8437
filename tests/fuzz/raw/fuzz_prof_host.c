/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of the host of a PROF folder, of all families together: calls, what is said about them, tasks. The
 * input is pieces of a byte for the family, one for a length, and that many bytes behind the record's mark
 * (the rest is 0). What comes out is in order, every index leads somewhere, and every text is read.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "parsers/prof/host/dpu.h"
#include "parsers/prof/host/host.h"
#include "parsers/prof/host/tx.h"
#include "parsers/prof/prof_layout.h"
#include "store/sink_count.h"
#include "tests/fuzz/fuzz_folder.h"

#define RECORDS_MAX 2000
#define PATH_N      300

static const char hashes[] = "11:A\n12:B\n13:LcclX\n21:X\n";
static const char types[] =
    "5000_1:KERNEL_AICORE\n5000_2:KERNEL_AICPU\n5000_3:FFTS_PLUS\n5000_4:MEMCPY_ASYNC\n5000_5:"
    "KERNEL_MIX_AIC\n5000_6:KERNEL_SIMT\n10000_1:launch\n10000_2:step_info\n15000_2:ModelLoad\n"
    "5500_1:master\n";

/* clang-format off */
static const struct family {
    const char *name;
    size_t record_b;
} families[] = {
    { "aging.api_event.data", 40 },             { "aging.compact.task_track", 64 },
    { "aging.compact.node_basic_info", 64 },    { "unaging.compact.node_basic_info", 64 },
    { "aging.additional.tensor_info", 256 },    { "aging.additional.context_id_info", 256 },
    { "aging.compact.node_attr_info", 64 },     { "aging.compact.memcpy_info", 64 },
    { "aging.compact.hccl_op_info", 64 },       { "aging.additional.hccl_info", 256 },
    { "aging.compact.capture_stream_info", 64 }, { "aging.additional.fusion_op_info", 256 },
    { "aging.additional.graph_id_map", 256 },   { "aging.compact.expand_stream_spec", 64 },
    { "unaging.additional.msproftx", 256 },     { "aging.additional.capture_op_info", 256 },
    { "aging.compact.capture_stream_info_v2", 64 },
    { "aging.compact.dpu_track", 64 },          { "aging.additional.dpu_hccl_info", 256 },
    { "aging.additional.hash_dic", 0 },         { "aging.additional.type_info_dic", 0 },
};
/* clang-format on */
#define N_FAMILIES ARRAY_LEN(families)
#define N_BINARY   (N_FAMILIES - 2)

struct folder {
    FILE *f[N_FAMILIES];
    char path[N_FAMILIES][PATH_N], rel[N_FAMILIES][PATH_N];
    struct source_file file[N_FAMILIES];
    const struct source_file *files[N_FAMILIES]; /* those that hold something */
    size_t n_files, n;                           /* n: records */
};

static void make_files(struct folder *d)
{
    const char *dir = fuzz_folder_out();

    memset(d, 0, sizeof *d);
    for (size_t i = 0; i < N_FAMILIES; i++) {
        snprintf(d->path[i], PATH_N, "%s/%s.slice_0", dir, families[i].name);
        snprintf(d->rel[i], PATH_N, "host/data/%s.slice_0", families[i].name);
        d->f[i] = fopen(d->path[i], "wb");
        FUZZ_CHECK(d->f[i]);
        d->file[i] = (struct source_file){
            .id = (uint32_t)i + 1, .path = d->path[i], .rel = d->rel[i], .regular = true
        };
    }
    fputs(hashes, d->f[N_BINARY]);
    fputs(types, d->f[N_BINARY + 1]);
}

static void put_records(struct folder *d, const uint8_t *data, size_t size)
{
    for (size_t at = 0; size - at >= 2 && d->n < RECORDS_MAX; d->n++) {
        size_t kind = data[at] % N_BINARY, n = data[at + 1];
        const struct family *f = &families[kind];
        uint8_t p[256] = { PROF_HOST_MARK & 0xff, PROF_HOST_MARK >> 8 };
        at += 2;
        n = n < size - at ? n : size - at;
        memcpy(p + 2, data + at, n < f->record_b - 2 ? n : f->record_b - 2);
        at += n;
        FUZZ_CHECK(fwrite(p, f->record_b, 1, d->f[kind]) == 1);
        d->file[kind].size_b += f->record_b;
    }
    d->file[N_BINARY].size_b = sizeof hashes - 1;
    d->file[N_BINARY + 1].size_b = sizeof types - 1;
    for (size_t i = 0; i < N_FAMILIES; i++) {
        FUZZ_CHECK(fclose(d->f[i]) == 0);
        if (d->file[i].size_b)
            d->files[d->n_files++] = &d->file[i];
    }
}

/* ---- what comes out ---- */

static void check_text(const struct prof *p, uint32_t text)
{
    struct str s = prof_str(p, text);
    unsigned sum = 0;

    FUZZ_CHECK(text == PROF_NONE || text < prof_n_texts(p));
    for (size_t i = 0; i < s.n; i++)
        sum += (unsigned char)s.p[i];
    FUZZ_CHECK(sum <= s.n * 255);
}

static void check_index(uint32_t i, size_t n)
{
    FUZZ_CHECK(i == PROF_NONE || i < n);
}

static void check_apis(struct prof *p, const struct prof_host *h)
{
    for (size_t i = 0; i < h->n_apis; i++) {
        const struct prof_api *a = &h->api[i];
        FUZZ_CHECK(a->begin && a->begin <= a->end);
        FUZZ_CHECK(!i || a[-1].begin < a->begin || (a[-1].begin == a->begin && a[-1].level >= a->level));
        check_text(p, prof_api_name(p, a));
        (void)prof_api_is_kept(p, h, a);
    }
}

static void check_tasks(const struct prof *p, const struct prof_host *h)
{
    for (size_t i = 0; i < h->n_tasks; i++) {
        const struct prof_host_task *t = &h->task[i];
        FUZZ_CHECK(!i || t[-1].device < t->device ||
                   (t[-1].device == t->device && t[-1].stream <= t->stream));
        check_index(t->api, h->n_apis);
        check_index(t->op, h->n_ops);
        check_index(t->comm, h->n_comm);
        check_index(t->comm_op, h->n_comm_ops);
        FUZZ_CHECK(!(t->is & PROF_IS_COMPUTE) || t->op != PROF_NONE);
        check_text(p, t->type);
        check_text(p, t->kernel);
    }
}

static void check_ops(const struct prof *p, const struct prof_host *h)
{
    for (size_t i = 0; i < h->n_ops; i++) {
        check_text(p, h->op[i].name);
        check_text(p, h->op[i].type);
        check_text(p, h->op[i].core);
        check_text(p, h->op[i].attr);
        check_index(h->op[i].tensors, h->n_tensors);
    }
    for (size_t i = 0; i < h->n_tensors; i++) {
        check_text(p, h->tensors[i].in_shapes);
        check_text(p, h->tensors[i].out_formats);
    }
    for (size_t i = 0; i < h->n_comm; i++)
        check_text(p, h->comm[i].item);
    for (size_t i = 0; i < h->n_comm_ops; i++) {
        FUZZ_CHECK(h->comm_op[i].api < h->n_apis);
        check_text(p, h->comm_op[i].type);
        check_text(p, h->comm_op[i].alg);
    }
    for (size_t i = 0; i < h->n_fusion; i++)
        check_text(p, h->fusion[i].originals);
}

static void check_tx(struct prof *p)
{
    struct err e = ERR_INIT;
    struct prof_txs x;

    FUZZ_CHECK(prof_txs_read(&x, p, &e) == OK);
    for (size_t i = 0; i < x.n; i++) {
        check_text(p, x.v[i].message);
        check_text(p, x.v[i].domain);
        FUZZ_CHECK(x.v[i].on_device == (i >= x.n_host));
        /* It is there, or an earlier one of its number. */
        const struct prof_tx *found = prof_txs_find(&x, x.v[i].mark);
        FUZZ_CHECK(!x.v[i].on_device || (found && found->mark == x.v[i].mark && found <= &x.v[i]));
    }
    prof_txs_done(&x);
}

static void check_dpu(struct prof *p, size_t n)
{
    struct err e = ERR_INIT;
    struct prof_dpu d;

    FUZZ_CHECK(prof_dpu_read(&d, p, &e) == OK);
    FUZZ_CHECK(d.n <= n);
    for (size_t i = 0; i < d.n; i++) {
        check_text(p, d.v[i].name);
        check_text(p, d.v[i].group);
    }
    prof_dpu_done(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct folder d;
    struct sink_count *count = NULL;
    struct prof *p = NULL;
    struct prof_host h;
    struct runinfo run = { 0 };
    struct err e = ERR_INIT;

    make_files(&d);
    put_records(&d, data, size);
    FUZZ_CHECK(sink_count_new(&count, &e) == OK);
    const struct prof_input in = { .files = d.files,
                                   .n = d.n_files,
                                   .root = STR(""),
                                   .device = -1,
                                   .run = &run,
                                   .notes = sink_count_sink(count) };
    FUZZ_CHECK(prof_open(&p, &in, &e) == OK);
    p->host->meta.level0 = size && data[0] & 0x80;
    FUZZ_CHECK(prof_host_read(&h, p, &e) == OK);
    FUZZ_CHECK(h.n_tasks <= 65 * d.n);
    check_apis(p, &h);
    check_tasks(p, &h);
    check_ops(p, &h);
    check_tx(p);
    check_dpu(p, d.n);
    prof_host_done(&h);
    prof_close(p);
    sink_count_free(count);
    return 0;
}
