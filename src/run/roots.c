/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of roots and of folders that were not entered. */
#include "config.h"

#include "run/roots.h"

int root_add(struct root_list *o, struct arena *a, const char *path, enum root_kind kind, struct err *e)
{
    for (size_t i = 0; i < o->n; i++)
        if (strcmp(o->v[i].path, path) == 0)
            return OK;
    if (o->n == o->cap) {
        size_t cap = o->cap ? o->cap * 2 : 16;
        struct root *v = arena_array(a, cap, sizeof(*v));

        if (!v)
            return err_nomem(e);
        if (o->n)
            memcpy(v, o->v, o->n * sizeof(*v));
        o->v = v;
        o->cap = cap;
    }
    o->v[o->n].path = arena_str(a, str_of(path)).p;
    o->v[o->n].kind = kind;
    return o->v[o->n++].path ? OK : err_nomem(e);
}

void unread_add(struct unread_folder **list, struct arena *a, const char *path, enum unread_why why,
                const char *text)
{
    struct unread_folder *f = arena_zalloc(a, sizeof(*f));

    while (*list)
        list = &(*list)->next;
    if (!f)
        return;
    f->path = arena_str(a, str_of(path)).p;
    f->text = arena_str(a, str_of(text)).p;
    f->why = why;
    if (f->path && f->text)
        *list = f;
}

size_t unread_count(const struct unread_folder *list, enum unread_why why, const struct unread_folder **first)
{
    size_t n = 0;

    if (first)
        *first = NULL;
    for (const struct unread_folder *f = list; f; f = f->next) {
        if (f->why != why)
            continue;
        if (n++ == 0 && first)
            *first = f;
    }
    return n;
}
