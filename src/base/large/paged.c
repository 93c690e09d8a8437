/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays in pages of memory and of a file. */
#include "config.h"

#include "base/large/paged.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/large/spool.h"

#define FRAMES_LEAST 16
#define SLAB         16 /* frames whose pages are allocated at once */
#define SLAB_B       ((size_t)SLAB * PAGED_B)
#define KEPT         8 /* turns that a page stays for sure */
#define NO_PAGE      0
#define MOST_BITS    31 /* of the number of an element */

struct paged_pool {
    struct paged_head head; /* first: paged_touch() reads it */
    size_t n, cap;          /* frames */
    size_t most;            /* of them, until the file fails */
    size_t hand;            /* where the search for a frame goes on */
    unsigned char **slab;
    size_t n_slabs, cap_slabs;
    int fd;          /* -1: there is no file yet */
    bool no_file;    /* it cannot be made or grow */
    uint32_t blocks; /* of the file; the first one is 1 */
    uint32_t *free;  /* blocks that no one has */
    size_t n_free, cap_free;
    struct paged_frame lost; /* given after an error */
    struct err error;
};

/* ---- pool ---- */

int paged_pool_new(struct paged_pool **out, uint64_t memory_b, struct err *e)
{
    struct paged_pool *p = calloc(1, sizeof *p);
    unsigned char *lost = calloc(1, PAGED_B);
    uint64_t most = spool_memory(memory_b) / PAGED_B;

    *out = NULL;
    if (!p || !lost) {
        free(p);
        free(lost);
        return err_nomem(e);
    }
    p->most = most < FRAMES_LEAST ? FRAMES_LEAST : most < UINT32_MAX / 4 ? (size_t)most : UINT32_MAX / 4;
    p->fd = -1;
    p->lost.p = lost;
    *out = p;
    return OK;
}

void paged_pool_free(struct paged_pool *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->n_slabs; i++)
        munmap(p->slab[i], SLAB_B);
    free(p->slab);
    free(p->head.frame);
    free(p->free);
    free(p->lost.p);
    if (p->fd >= 0)
        close(p->fd);
    free(p);
}

int paged_failed(const struct paged_pool *p, struct err *e)
{
    if (p->error.code && !e->code)
        *e = p->error;
    return e->code;
}

void paged_fail(struct paged_pool *p, const struct err *e)
{
    if (!p->error.code)
        p->error = *e;
    p->head.lost |= e->code != OK;
}

uint64_t paged_filed_b(const struct paged_pool *p)
{
    return (uint64_t)(p->blocks - p->n_free) * PAGED_B;
}

/* ---- the file ---- */

static bool transfer(const struct paged_pool *p, const struct paged_frame *f, bool out)
{
    off_t at = (off_t)(f->block - 1) * PAGED_B;
    ssize_t n;

    for (size_t done = 0; done < PAGED_B; done += (size_t)n) {
        n = out ? pwrite(p->fd, f->p + done, PAGED_B - done, at + (off_t)done)
                : pread(p->fd, f->p + done, PAGED_B - done, at + (off_t)done);
        if (n < 0 && errno == EINTR)
            n = 0;
        else if (n <= 0)
            return false;
    }
    return true;
}

static bool has_file(struct paged_pool *p)
{
    struct err ignored = ERR_INIT;

    if (p->fd < 0 && !p->no_file)
        p->fd = spool_file(&ignored);
    err_clear(&ignored);
    p->no_file |= p->fd < 0;
    return !p->no_file;
}

static uint32_t take_block(struct paged_pool *p)
{
    if (p->n_free)
        return p->free[--p->n_free];
    return p->blocks < UINT32_MAX / 2 - 1 ? ++p->blocks : 0;
}

/* Without memory for the list the block is not used again. */
static void leave_block(struct paged_pool *p, uint32_t block)
{
    uint32_t *v = grow_array(p->free, p->n_free, &p->cap_free, sizeof *v, 256);

    if (!v)
        return;
    p->free = v;
    v[p->n_free++] = block;
}

/* The page leaves memory. false: it cannot. */
static bool evict(struct paged_pool *p, struct paged_frame *f)
{
    if (f->dirty) {
        bool is_new = !f->block;
        if (!has_file(p) || (is_new && !(f->block = take_block(p))))
            return false;
        if (!transfer(p, f, true)) {
            if (is_new) {
                leave_block(p, f->block);
                f->block = 0;
            }
            p->no_file = true;
            return false;
        }
    }
    f->owner->page[f->page] = f->block << 1;
    f->owner = NULL;
    f->dirty = false;
    return true;
}

/* ---- frames ---- */

static bool add_slab(struct paged_pool *p)
{
    unsigned char **slab = grow_array(p->slab, p->n_slabs, &p->cap_slabs, sizeof *slab, 16);
    if (slab)
        p->slab = slab;
    struct paged_frame *v = grow_array(p->head.frame, p->n + SLAB - 1, &p->cap, sizeof *v, SLAB);
    if (v)
        p->head.frame = v;
    unsigned char *bytes = MAP_FAILED; /* not malloc(): what it gets back it may keep */
    if (slab && v)
        bytes = mmap(NULL, SLAB_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED)
        return false;
    slab[p->n_slabs++] = bytes;
    for (size_t i = 0; i < SLAB; i++)
        v[p->n + i] = (struct paged_frame){ .p = bytes + i * PAGED_B };
    p->hand = p->n;
    p->n += SLAB;
    return true;
}

/* A frame that is free or was not used for longer than the others. NULL: only those used last are left. */
static struct paged_frame *choose(struct paged_pool *p)
{
    struct paged_frame *oldest = NULL;
    uint32_t age, most = KEPT;

    for (size_t i = 0; i < p->n; i++) {
        struct paged_frame *f = &p->head.frame[p->hand];
        p->hand = p->hand + 1 < p->n ? p->hand + 1 : 0;
        age = p->head.turn - f->used;
        if (!f->owner || age > p->n / 2 + KEPT)
            return f;
        if (age > most) {
            oldest = f;
            most = age;
        }
    }
    return oldest;
}

/* NULL: there is no memory. */
static struct paged_frame *free_frame(struct paged_pool *p)
{
    struct paged_frame *f = p->n ? choose(p) : NULL;
    bool full = p->n + SLAB > p->most && p->n;

    if (f && !f->owner)
        return f;
    if (!full || (p->no_file && f && f->dirty) || !f || !evict(p, f)) {
        if (add_slab(p))
            return &p->head.frame[p->hand];
        if (!f || (f->owner && !evict(p, f)))
            return NULL;
    }
    return f;
}

static struct paged_frame *lose(struct paged_pool *p, bool no_memory)
{
    memset(p->lost.p, 0, PAGED_B);
    p->head.lost = true;
    if (!p->error.code && no_memory)
        (void)!err_nomem(&p->error);
    else if (!p->error.code)
        (void)!err_sys(&p->error, errno ? errno : EIO, "a temporary file cannot be read");
    return &p->lost;
}

struct paged_frame *paged_bring(struct paged *a, size_t page)
{
    struct paged_pool *p = a->pool;
    struct paged_frame *f = p->error.code ? NULL : free_frame(p);

    if (!f)
        return lose(p, true);
    f->block = a->page[page] >> 1;
    f->dirty = false;
    errno = 0;
    if (!f->block)
        memset(f->p, a->fill, PAGED_B);
    else if (!transfer(p, f, false))
        return lose(p, false);
    f->owner = a;
    f->page = page;
    a->page[page] = (uint32_t)(f - p->head.frame) << 1 | 1;
    f->used = ++p->head.turn;
    return f;
}

/* ---- arrays ---- */

void paged_init(struct paged *a, struct paged_pool *p, size_t each)
{
    *a = (struct paged){ .pool = p, .each = each, .per = PAGED_B / each, .shift = MOST_BITS };
    while ((size_t)1 << (a->shift - MOST_BITS) < a->per)
        a->shift++;
    a->inverse = (((uint64_t)1 << a->shift) + a->per - 1) / a->per;
}

static bool room_for(struct paged *a, size_t pages)
{
    uint32_t *v = pages ? grow_array(a->page, pages - 1, &a->cap, sizeof *v, 16) : a->page;

    if (pages && !v)
        return false;
    a->page = v;
    for (; a->pages < pages; a->pages++)
        v[a->pages] = NO_PAGE;
    return true;
}

int paged_make(struct paged *a, struct paged_pool *p, size_t each, size_t n, unsigned char fill,
               struct err *e)
{
    paged_init(a, p, each);
    a->fill = fill;
    if (n >= PAGED_MOST)
        return err_set(e, ERR_LIMIT, "more than %zu elements", PAGED_MOST);
    if (!room_for(a, n ? paged_page(a, n - 1) + 1 : 0))
        return err_nomem(e);
    a->n = n;
    return OK;
}

void *paged_add(struct paged *a)
{
    const size_t page = paged_page(a, a->n);

    if (a->n >= PAGED_MOST - 1 || (page >= a->pages && !room_for(a, page + 1)))
        return lose(a->pool, true)->p;
    return paged_edit(a, a->n++);
}

void paged_done(struct paged *a)
{
    struct paged_pool *p = a->pool;

    for (size_t i = 0; i < a->pages; i++) {
        const uint32_t at = a->page[i];
        uint32_t block = at >> 1;
        if (at & 1) {
            struct paged_frame *f = &p->head.frame[at >> 1];
            block = f->block;
            *f = (struct paged_frame){ .p = f->p };
        }
        if (block)
            leave_block(p, block);
    }
    free(a->page);
    *a = (struct paged){ .pool = NULL };
}

void paged_move(struct paged *a, struct paged *from)
{
    if (a == from)
        return;
    paged_done(a);
    *a = *from;
    *from = (struct paged){ .pool = NULL };
    for (size_t i = 0; i < a->pages; i++)
        if (a->page[i] & 1)
            a->pool->head.frame[a->page[i] >> 1].owner = a;
}
