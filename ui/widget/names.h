/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of one list on the screen that would look the same where they are cut, told apart: of such a name the
 * parts stay in which it differs from the others, and those go that agree (doc/screens.md#anatomy).
 */
#ifndef NPUSCOPE_UI_WIDGET_NAMES_H
#define NPUSCOPE_UI_WIDGET_NAMES_H

#include "base/text.h"

struct name_list {
    const struct str *name;
    size_t n; /* of more than NAMES_MOST the first ones are told apart */
    size_t width;
    unsigned flags;
    bool once; /* a last part that is there twice is there once */
    /* How a name is drawn as long as no other one looks the same. */
    void (*usual)(void *arg, struct str name, struct buf *out);
    void *arg;
};
#define NAMES_MOST 128

/* How a name looks: hashes of it as shown and whole, and of what is left without the number of an op. */
struct name_look {
    uint64_t shown, whole;
    uint64_t place_shown, place; /* place: its scope */
};
struct name_look name_look(struct str shown, struct str whole);
/* Two names look the same, or two ops of different scopes are told apart by nothing but their numbers. */
static inline bool name_looks_same(const struct name_look *a, const struct name_look *b)
{
    return a->shown == b->shown && a->whole != b->whole;
}
static inline bool name_place_same(const struct name_look *a, const struct name_look *b)
{
    return a->place_shown == b->place_shown && a->place != b->place;
}

/* "~/MatMul-op5/MatMul-op5" without its last part. */
struct str name_once(struct str s);

/* NULL: the usual form will do for all of them (or there is no memory for another one). */
struct names;
struct names *names_apart(const struct name_list *l);
void names_free(struct names *k);
/* What is drawn of this name instead; p is NULL: the usual form. k may be NULL. */
struct str names_text(const struct names *k, struct str name);

#endif
