/* SPDX-License-Identifier: Apache-2.0 */
/* Opcodes of pickles. */
#include "config.h"

#include "demo/logs/log_pickle.h"

#include <stdlib.h>

static void put(struct log_pickle *p, unsigned char op)
{
    buf_addc(p->b, (char)op);
}

/* n bytes, little endian. */
static void put_le(struct log_pickle *p, uint64_t v, int n)
{
    for (int i = 0; i < n; i++)
        put(p, (unsigned char)(v >> (8 * i)));
}

int log_pickle_init(struct log_pickle *p, struct buf *b, struct err *e)
{
    *p = (struct log_pickle){ .b = b };
    if (intern_new(&p->text, e))
        return e->code;
    put(p, 0x80);
    put(p, 2);
    return OK;
}

void log_pickle_done(struct log_pickle *p)
{
    intern_free(p->text);
    free(p->number);
    *p = (struct log_pickle){ .b = NULL };
}

void log_pickle_none(struct log_pickle *p)
{
    put(p, 'N');
}

void log_pickle_bool(struct log_pickle *p, bool v)
{
    put(p, v ? 0x88 : 0x89);
}

void log_pickle_int(struct log_pickle *p, int64_t v)
{
    if (v >= 0 && v <= UINT8_MAX) {
        put(p, 'K');
        put_le(p, (uint64_t)v, 1);
    } else if (v >= 0 && v <= UINT16_MAX) {
        put(p, 'M');
        put_le(p, (uint64_t)v, 2);
    } else if (v >= INT32_MIN && v <= INT32_MAX) {
        put(p, 'J');
        put_le(p, (uint64_t)v, 4);
    } else {
        put(p, 0x8a);
        put(p, 8);
        put_le(p, (uint64_t)v, 8);
    }
}

void log_pickle_real(struct log_pickle *p, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    put(p, 'G');
    put_le(p, __builtin_bswap64(bits), 8); /* the most significant byte comes first */
}

uint32_t log_pickle_keep(struct log_pickle *p)
{
    put(p, p->next <= UINT8_MAX ? 'q' : 'r');
    put_le(p, p->next, p->next <= UINT8_MAX ? 1 : 4);
    return p->next++;
}

void log_pickle_again(struct log_pickle *p, uint32_t number)
{
    put(p, number <= UINT8_MAX ? 'h' : 'j');
    put_le(p, number, number <= UINT8_MAX ? 1 : 4);
}

void log_pickle_text(struct log_pickle *p, const char *v)
{
    const struct str s = str_of(v);
    uint32_t before = intern_count(p->text), id = intern_put(p->text, s);
    if (id < before) {
        log_pickle_again(p, p->number[id]);
        return;
    }
    if (id != INTERN_NONE && id >= p->cap) {
        uint32_t cap = p->cap ? p->cap * 2 : 64, *q = realloc(p->number, cap * sizeof *q);
        p->number = q ? q : p->number;
        p->cap = q ? cap : p->cap;
    }
    if (id == INTERN_NONE || id >= p->cap) {
        p->b->failed = true;
        return;
    }
    put(p, 'X');
    put_le(p, s.n, 4);
    buf_add(p->b, s);
    p->number[id] = log_pickle_keep(p);
}

void log_pickle_dict(struct log_pickle *p)
{
    put(p, '}');
    put(p, '(');
}

void log_pickle_dict_end(struct log_pickle *p)
{
    put(p, 'u');
}

void log_pickle_list(struct log_pickle *p)
{
    put(p, ']');
    put(p, '(');
}

void log_pickle_list_end(struct log_pickle *p)
{
    put(p, 'e');
}

void log_pickle_pair(struct log_pickle *p)
{
    put(p, 0x86);
}

void log_pickle_stop(struct log_pickle *p)
{
    put(p, '.');
}
