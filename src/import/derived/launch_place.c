/* SPDX-License-Identifier: Apache-2.0 */
/* Places of launches. Bars of one code path have the same names: each path is looked at once. */
#include "config.h"

#include "import/derived/launch_place.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/grow.h"
#include "parsers/framework/place.h"

#define STEP_MARK "ProfilerStep#"

struct launch_places {
    struct fill *f;
    struct intern *paths; /* names of bars */
    struct launch_place *v;
    size_t n, cap;
    struct buf text;
};

int launch_places_new(struct launch_places **out, struct fill *f, struct err *e)
{
    struct launch_places *p = *out = calloc(1, sizeof *p);

    if (!p)
        return err_nomem(e);
    p->f = f;
    buf_init(&p->text, FRAMEWORK_PLACE_B);
    return intern_new(&p->paths, e);
}

void launch_places_free(struct launch_places *p)
{
    if (!p)
        return;
    intern_free(p->paths);
    free(p->v);
    buf_done(&p->text);
    free(p);
}

/* p->text as a text of the store. */
static uint32_t take_text(struct launch_places *p)
{
    return p->text.n ? sink_intern(fill_sink(p->f), buf_str(&p->text)) : 0;
}

/* The innermost op; a step mark is none. */
static uint32_t op_of(const struct launch_places *p, const uint32_t *name, size_t n)
{
    while (n-- > 0) {
        struct str s = fill_string(p->f, name[n]);
        if (framework_frame_kind(s) == FRAME_NONE && !str_starts(s, STR(STEP_MARK)))
            return name[n];
    }
    return 0;
}

/* Outer modules first; several functions of one cell are one module. */
static uint32_t modules_of(struct launch_places *p, const uint32_t *name, size_t n)
{
    struct str before = STR_NULL;
    size_t first = n, found = 0;

    for (; first > 0 && found < FRAMEWORK_FRAMES; first--) {
        enum framework_frame_kind kind = framework_frame_kind(fill_string(p->f, name[first - 1]));
        found += kind == FRAME_MODULE || kind == FRAME_CELL;
    }
    buf_clear(&p->text);
    for (size_t i = first; i < n; i++) {
        struct str s = fill_string(p->f, name[i]);
        enum framework_frame_kind kind = framework_frame_kind(s);
        if (kind != FRAME_MODULE && kind != FRAME_CELL)
            continue;
        s = framework_module_of(s);
        if (kind == FRAME_CELL && before.p && str_eq(s, before))
            continue;
        if (!framework_place_add(&p->text, '/', s))
            break;
        before = s;
    }
    return take_text(p);
}

/* The innermost function first; a cell is named by its function. */
static uint32_t stack_of(struct launch_places *p, const uint32_t *name, size_t n)
{
    size_t found = 0;

    buf_clear(&p->text);
    while (n-- > 0 && found < FRAMEWORK_FRAMES) {
        struct str s = fill_string(p->f, name[n]);
        enum framework_frame_kind kind = framework_frame_kind(s);
        if (kind != FRAME_FUNCTION && kind != FRAME_CELL)
            continue;
        if (!framework_place_add(&p->text, ';', s))
            break;
        found++;
    }
    return take_text(p);
}

bool launch_places_is_frame(const struct launch_places *p, uint32_t name)
{
    return framework_frame_kind(fill_string(p->f, name)) != FRAME_NONE;
}

uint32_t launch_places_put(struct launch_places *p, const struct launch_path *path, struct err *e)
{
    const char *key = (const char *)path + offsetof(struct launch_path, module);
    const size_t key_b = offsetof(struct launch_path, name) - offsetof(struct launch_path, module);
    uint32_t id = intern_put(p->paths, (struct str){ key, key_b + path->n * sizeof *path->name });
    struct launch_place *v = id == INTERN_NONE ? NULL : grow_array(p->v, p->n, &p->cap, sizeof *v, 256);

    if (!v) {
        err_nomem(e);
        return 0;
    }
    p->v = v;
    if (id == p->n) {
        struct launch_place x = { .name = op_of(p, path->name, path->n) };
        x.module = path->module ? path->module : modules_of(p, path->name, path->n);
        x.stack = path->stack ? path->stack : stack_of(p, path->name, path->n);
        if (!x.module && x.name)
            x.module = sink_intern(fill_sink(p->f), framework_scope_of(fill_string(p->f, x.name)));
        v[p->n++] = x;
    }
    return id + 1;
}

struct launch_place launch_places_get(const struct launch_places *p, uint32_t number)
{
    return number ? p->v[number - 1] : (struct launch_place){ .name = 0 };
}
