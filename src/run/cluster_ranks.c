/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that the files of a cluster analysis name, from the beginning of the first one that has any; where no
 * text has, from its database.
 */
#include "config.h"

#include <stdlib.h>

#include "base/read/infile.h"
#include "run/build.h"

#define HEAD_B ((size_t)4 << 20) /* of a file: the first step has all ranks, or the first groups have */

struct found {
    cluster_rank_fn *add;
    void *arg;
    bool any;
};

static void take(struct found *f, struct str digits)
{
    int64_t v;

    if (!str_i64(str_trim(digits), &v) || v < 0 || v > 99999999)
        return;
    f->add(f->arg, (int)v);
    f->any = true;
}

static size_t column_of(struct str header, const char *name)
{
    struct str cell;

    for (size_t i = 0; str_next(&header, ',', &cell); i++)
        if (str_eq_nocase(str_trim(cell), str_of(name)))
            return i;
    return SIZE_MAX;
}

/* Rows of ranks; those of stages have a list in quotes there. */
static void from_steps(struct str text, struct found *f)
{
    struct str line, cell;
    size_t type, index;

    if (!str_next(&text, '\n', &line))
        return;
    type = column_of(line, "Type");
    index = column_of(line, "Index");
    while (str_next(&text, '\n', &line) && text.p) { /* the last line may be cut */
        bool is_rank = false;

        for (size_t i = 0; str_next(&line, ',', &cell); i++) {
            if (i == type)
                is_rank = str_eq(cell, STR("rank"));
            else if (i == index && is_rank)
                take(f, cell);
        }
    }
}

/* Lists of nothing but numbers: [0, 1] or (0, 1). */
static void from_lists(struct str text, char open, char close, struct found *f)
{
    for (size_t i = 0; i < text.n; i++) {
        size_t end = i + 1;

        if (text.p[i] != open)
            continue;
        while (end < text.n && text.p[end] && strchr("0123456789, \r\n\t", text.p[end]))
            end++;
        if (end == text.n || text.p[end] != close)
            continue;
        struct str list = str_sub(text, i + 1, end - i - 1), one;
        while (str_next(&list, ',', &one))
            take(f, one);
        i = end;
    }
}

/* Best first. */
static const struct {
    const char *kind;
    char open, close; /* of lists; 0: the table of steps */
} places[] = {
    { "cluster_step_trace_time", 0, 0 },
    { "communication_group", '[', ']' },
    { "cluster_communication", '(', ')' },
    { "cluster_communication_matrix", '(', ')' },
};

static void look_into(const struct build *b, const struct entry *x, size_t place, struct found *f)
{
    char path[PATH_MAX];
    struct err e = ERR_INIT;
    struct infile *in = NULL;
    size_t got = 1;
    struct str text;

    if (infile_open(&in, unit_path_of(b->u, &x->f, path), HEAD_B, &e) == OK) {
        while (got && infile_more(in, &got, &e) == OK)
            continue;
        text.p = infile_data(in, &text.n);
        if (places[place].open)
            from_lists(text, places[place].open, places[place].close, f);
        else
            from_steps(text, f);
    }
    infile_close(in); /* damage is the parser's to report */
}

static void take_number(void *arg, int rank)
{
    struct found *f = arg;

    f->add(f->arg, rank);
    f->any = true;
}

void cluster_ranks(const struct build *b, cluster_rank_fn *add, void *arg)
{
    struct found f = { .add = add, .arg = arg };
    char path[PATH_MAX];

    for (size_t p = 0; p < ARRAY_LEN(places) && !f.any; p++)
        for (size_t i = 0; i < b->n; i++)
            if (entry_is(b->v[i], places[p].kind) && entry_has_data(b->v[i]))
                look_into(b, b->v[i], p, &f);
    for (size_t i = 0; i < b->n && !f.any && b->t->database_ranks; i++)
        if (entry_is(b->v[i], "cluster_db") && entry_has_data(b->v[i]))
            b->t->database_ranks(unit_path_of(b->u, &b->v[i]->f, path), take_number, &f);
}
