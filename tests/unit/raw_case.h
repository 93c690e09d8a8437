/* Raw records of generation 1, made in the test (formats/gen1-raw.md 5.1), and readers of files cut into slices. */
#ifndef NPUSCOPE_TEST_RAW_CASE_H
#define NPUSCOPE_TEST_RAW_CASE_H

#include "rows.h"
#include "scratch.h"
#include "tree.h"

#define HWTS_B 64

static inline void put_le(unsigned char *p, uint64_t v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)(v >> (8 * i));
}

/* One HWTS record; head: type, and the warn bit 8. */
static inline void hwts_put(unsigned char *p, unsigned head, unsigned task, unsigned stream,
                            uint64_t ticks)
{
    memset(p, 0, HWTS_B);
    p[0] = (unsigned char)head;
    p[1] = 3;
    put_le(p + 2, 0x6bd3, 2);
    put_le(p + 4, 7, 2);
    put_le(p + 6, task, 2);
    put_le(p + ((head & 7) == 4 ? 24 : 8), ticks, 8);
    put_le(p + 16, stream, 4);
}

/* A file and its slices, in a tree. */
struct sliced {
    struct tree tree;
    struct source_file f[8];
    size_t n;
};

static inline void sliced_add(struct sliced *s, const char *name, const void *p, size_t n)
{
    struct source_file *f = &s->f[s->n];

    if (!s->n)
        tree_new(&s->tree);
    tree_file_n(&s->tree, name, p, n);
    char *path = strdup(tree_path(&s->tree, name));
    *f = (struct source_file){ .id = (uint32_t)s->n + 1,
                               .path = path,
                               .rel = path,
                               .rank = 0,
                               .device = -1,
                               .slice = (int)s->n,
                               .size_b = n,
                               .regular = true };
    if (s->n)
        s->f[s->n - 1].next_slice = f;
    s->n++;
}

static inline void sliced_done(struct sliced *s)
{
    for (size_t i = 0; i < s->n; i++)
        free((char *)(uintptr_t)s->f[i].path);
    tree_done(&s->tree);
}

/* What a reader gets, over a counting sink. */
struct reading {
    struct rows rows;
    struct parse_ctx c;
};

static inline void reading_init(struct reading *r, const struct source_file *f)
{
    rows_init(&r->rows, "raw", "");
    r->c = (struct parse_ctx){
        .f = f ? f : &r->rows.file, .run = &r->rows.run, .tmp = r->rows.tmp, .rank = 0
    };
    r->c.out = sink_count_sink(r->rows.count);
}

static inline const struct sink_counts *reading_counts(const struct reading *r)
{
    return sink_count_get(r->rows.count);
}

static inline void reading_done(struct reading *r)
{
    rows_done(&r->rows);
}

#endif
