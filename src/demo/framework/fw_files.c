/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of records as the framework's thread writes them, and where a killed run leaves them
 * (doc/formats/framework.md#time-of-writing): records wait in a queue, and what is taken out of it goes
 * through a buffer of the C library.
 */
#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/path.h"
#include "demo/framework/fw.h"

#define BLOCK_B   4096              /* of the C library's buffer */
#define QUEUE_MAX ((size_t)1 << 30) /* bytes of a file that wait */
#define LOOK_NS   INT64_C(1000000)  /* the thread of torch_npu looks every ms */
#define MANY_MS   104857            /* records in MindSpore's queue that are left there */
#define MANY_PT   256
#define CHUNK_B   ((size_t)1 << 16)

struct dump {
    struct fw f;
    const struct demo_cut *cut;
    char dir[1100];
    struct emit *o[FW_FILES];
    struct buf wait[FW_FILES]; /* queued, and what the C library's buffer holds */
    uint64_t n_wait;
    int64_t looked; /* the last ms */
};

/* The first n bytes that wait go to the file. */
static int flush(struct dump *d, enum fw_file i, size_t n, struct err *e)
{
    struct buf *b = &d->wait[i];
    char name[64];
    if (buf_failed(b))
        return err_nomem(e);
    if (!d->o[i] && b->n && emit_open(&d->o[i], d->dir, fw_file_name(&d->f, i, name), e))
        return e->code;
    if (!n)
        return OK;
    emit_n(d->o[i], b->p, n);
    memmove(b->p, b->p + n, b->n - n);
    b->n -= n;
    return OK;
}

static int drain(struct dump *d, struct err *e)
{
    d->n_wait = 0;
    for (enum fw_file i = 0; i < FW_FILES; i++)
        if (flush(d, i, d->wait[i].n / BLOCK_B * BLOCK_B, e))
            return e->code;
    return OK;
}

static int queue(struct dump *d, const struct fw_record *r, struct err *e)
{
    bool torch = d->f.era->torch;
    int64_t look = r->at_ns / LOOK_NS;
    char name[64];
    if (!fw_file_name(&d->f, r->file, name))
        return OK;
    if (torch && look != d->looked && drain(d, e))
        return e->code;
    d->looked = look;
    fw_put(&d->f, r, &d->wait[r->file]);
    return ++d->n_wait > (torch ? MANY_PT : MANY_MS) ? drain(d, e) : OK;
}

static int steps(struct dump *d, struct err *e)
{
    struct demo_walk *w = &d->f.g->walk;
    demo_walk_rewind(w);
    while (demo_walk_next(w)) {
        if (fw_step(&d->f, e))
            return e->code;
        for (uint32_t i = 0; i < d->f.n; i++) {
            if (!demo_cut_host_happened(d->cut, &w->step, d->f.v[i].at_ns))
                return OK;
            if (queue(d, &d->f.v[i], e))
                return e->code;
        }
        if (demo_cut_is_last(d->cut, &w->step))
            return OK;
    }
    return OK;
}

/* The profiler stops: everything is written. */
static int stop(struct dump *d, struct err *e)
{
    for (enum fw_file i = 0; i < FW_FILES; i++)
        if (flush(d, i, d->wait[i].n, e))
            return e->code;
    return d->f.era->torch ? OK : fw_write_texts(&d->f, d->dir, e);
}

static int close_all(struct dump *d, struct err *e)
{
    for (enum fw_file i = 0; i < FW_FILES; i++) {
        struct emit *o = d->o[i];
        d->o[i] = NULL;
        if (o && emit_close(o, &d->f.g->count, e))
            return e->code;
    }
    return OK;
}

int fw_write(struct ascend *g, const struct demo_cut *cut, struct err *e)
{
    struct dump *d = calloc(1, sizeof *d);
    if (!d)
        return err_nomem(e);
    d->cut = cut;
    for (enum fw_file i = 0; i < FW_FILES; i++)
        buf_init(&d->wait[i], QUEUE_MAX);
    if (!path_join(d->dir, sizeof d->dir, g->top, "FRAMEWORK"))
        err_set(e, ERR_USAGE, "the path of the output directory is too long");
    else if (emit_mkdirs(d->dir, e) || fw_init(&d->f, g, true, e) || steps(d, e) || (!cut->on && stop(d, e)))
        goto out;
    (void)!close_all(d, e);
out:
    for (enum fw_file i = 0; i < FW_FILES; i++) {
        emit_drop(d->o[i]);
        buf_done(&d->wait[i]);
    }
    fw_done(&d->f);
    free(d);
    return e->code;
}
