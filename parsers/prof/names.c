/* SPDX-License-Identifier: Apache-2.0 */
/* Texts by hash, and by level and type. */
#include "config.h"

#include "parsers/prof/names.h"

#include <stdio.h>

#include "base/grow.h"

/* Open addressing: a key of 64 bits gives a text. */
struct map {
    struct slot {
        uint64_t key;
        uint32_t text; /* + 1; 0: free */
    } * slot;
    size_t n, room; /* room: a power of two, at most half full */
};
struct prof_names {
    const struct prof_names *base; /* of a view: what it begins with; NULL: nothing */
    uint32_t n_base;               /* its texts */
    struct intern *texts;
    struct map hash, type, digits; /* digits: numbers without a name, met before */
};

static size_t place(const struct map *m, uint64_t key)
{
    uint64_t h = (key ^ str_seed()) * 0x9e3779b97f4a7c15u;
    size_t i = (size_t)(h ^ h >> 32) & (m->room - 1);

    while (m->slot[i].text && m->slot[i].key != key)
        i = (i + 1) & (m->room - 1);
    return i;
}

static bool grow(struct map *m)
{
    struct map bigger = { .room = m->room ? 2 * m->room : 256, .n = m->n };

    bigger.slot = calloc(bigger.room, sizeof *bigger.slot);
    if (!bigger.slot)
        return false;
    for (size_t i = 0; i < m->room; i++)
        if (m->slot[i].text)
            bigger.slot[place(&bigger, m->slot[i].key)] = m->slot[i];
    free(m->slot);
    *m = bigger;
    return true;
}

static uint32_t find(const struct map *m, uint64_t key)
{
    return m->room ? m->slot[place(m, key)].text - 1u : PROF_NONE;
}

/* The first text of a key stays. */
static bool put(struct map *m, uint64_t key, uint32_t text)
{
    if (text == PROF_NONE || (2 * (m->n + 1) > m->room && !grow(m)))
        return false;
    struct slot *s = &m->slot[place(m, key)];
    if (!s->text) {
        *s = (struct slot){ .key = key, .text = text + 1 };
        m->n++;
    }
    return true;
}

int prof_names_new(struct prof *p, const struct prof_names *base, struct err *e)
{
    p->names = calloc(1, sizeof *p->names);
    if (!p->names)
        return err_nomem(e);
    p->names->base = base;
    p->names->n_base = base ? intern_count(base->texts) : 0;
    return intern_new(&p->names->texts, e);
}

void prof_names_free(struct prof_names *n)
{
    if (!n)
        return;
    intern_free(n->texts);
    free(n->hash.slot);
    free(n->type.slot);
    free(n->digits.slot);
    free(n);
}

/* ---- reading ---- */

static void note_line(struct prof *p, const struct where *w, const char *what)
{
    prof_note_at(p, NOTE_BAD_ROW, w, "not \"%s:name\"", what);
}

/* "<hash>:<text>"; the text may hold colons. */
static int on_hash(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct prof *p = arg;
    size_t at = str_chr(line, ':');
    uint64_t hash;

    if (!line.n)
        return OK;
    if (at == SIZE_MAX || !str_u64(str_sub(line, 0, at), &hash)) {
        note_line(p, w, "number");
        return OK;
    }
    return put(&p->names->hash, hash, prof_text(p, str_sub(line, at + 1, SIZE_MAX))) ? OK : err_nomem(e);
}

static uint64_t type_key(uint32_t level, uint64_t type)
{
    return (uint64_t)level << 32 ^ type;
}

/* "<level>_<type>:<name>". */
static int on_type(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct prof *p = arg;
    size_t colon = str_chr(line, ':'), under = str_chr(line, '_');
    uint64_t level, type;

    if (!line.n)
        return OK;
    if (colon == SIZE_MAX || under > colon || !str_u64(str_sub(line, 0, under), &level) ||
        level > UINT16_MAX || !str_u64(str_sub(line, under + 1, colon - under - 1), &type)) {
        note_line(p, w, "level_type");
        return OK;
    }
    return put(&p->names->type, type_key((uint32_t)level, type),
               prof_text(p, str_sub(line, colon + 1, SIZE_MAX)))
               ? OK
               : err_nomem(e);
}

int prof_names_read(struct prof *p, struct err *e)
{
    if (prof_read_lines(p, p->host, PROF_HASH_DIC, on_hash, p, e) ||
        prof_read_lines(p, p->host, PROF_TYPE_DIC, on_type, p, e))
        return e->code;
    /* built in (doc/formats/prof.md#dictionaries) */
    if (!put(&p->names->type, type_key(PROF_L_RUNTIME, 27), prof_text(p, STR("DYNAMIC_ENABLE"))) ||
        !put(&p->names->type, type_key(PROF_L_RUNTIME, 28), prof_text(p, STR("DYNAMIC_DISABLE"))))
        return err_nomem(e);
    return OK;
}

/* ---- asking ---- */

/* In one of the maps, here or in what this began with. */
static uint32_t look_up(const struct prof_names *n, const struct map *m, const struct map *base, uint64_t key)
{
    uint32_t found = find(m, key);

    return found == PROF_NONE && n->base ? find(base, key) : found;
}
#define LOOK_UP(n, which, key) look_up(n, &(n)->which, (n)->base ? &(n)->base->which : NULL, key)

uint32_t prof_text(struct prof *p, struct str s)
{
    const struct prof_names *n = p->names;
    uint32_t id = n->base ? intern_find(n->base->texts, s) : INTERN_NONE;

    if (id != INTERN_NONE)
        return id;
    id = intern_put(n->texts, s);
    return id == INTERN_NONE || id >= PROF_NONE - n->n_base ? PROF_NONE : id + n->n_base;
}

struct str prof_str(const struct prof *p, uint32_t text)
{
    const struct prof_names *n = p->names;

    if (text == PROF_NONE)
        return STR("");
    return text < n->n_base ? intern_get(n->base->texts, text) : intern_get(n->texts, text - n->n_base);
}

uint32_t prof_n_texts(const struct prof *p)
{
    return p->names->n_base + intern_count(p->names->texts);
}

static uint32_t digits_of(struct prof *p, uint64_t v)
{
    uint32_t known = LOOK_UP(p->names, digits, v);
    char t[24];

    if (known != PROF_NONE)
        return known;
    int n = snprintf(t, sizeof t, "%llu", (unsigned long long)v);
    uint32_t text = prof_text(p, (struct str){ t, (size_t)n });
    return put(&p->names->digits, v, text) ? text : PROF_NONE;
}

uint32_t prof_hash_text(struct prof *p, uint64_t hash)
{
    uint32_t t = LOOK_UP(p->names, hash, hash);

    return t != PROF_NONE ? t : digits_of(p, hash);
}

bool prof_hash_known(const struct prof *p, uint64_t hash)
{
    return LOOK_UP(p->names, hash, hash) != PROF_NONE;
}

bool prof_is_number(const struct prof *p, uint32_t text)
{
    struct str s = prof_str(p, text);
    uint64_t v;

    return s.n && s.p[0] >= '1' && s.p[0] <= '9' && str_u64(s, &v) && LOOK_UP(p->names, digits, v) == text;
}

bool prof_type_known(const struct prof *p, uint32_t level, uint64_t type)
{
    return LOOK_UP(p->names, type, type_key(level, type)) != PROF_NONE;
}

uint32_t prof_type_text(struct prof *p, uint32_t level, uint64_t type)
{
    uint32_t t = LOOK_UP(p->names, type, type_key(level, type));

    return t != PROF_NONE ? t : digits_of(p, type);
}
