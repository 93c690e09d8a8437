/* SPDX-License-Identifier: Apache-2.0 */
/* Records of the data queue on the device (doc/formats/mindspore1.md#aicpumi). */
#include "config.h"

#include "parsers/mindspore/records/aicpumi_text.h"

#include "parsers/read/slices.h"

#define FIELDS 4

/* Text between ", ", at most FIELDS pieces; further ones are left out. */
static size_t fields_of(struct str s, struct str *f)
{
    size_t n = 0, at;

    do {
        at = str_find(s, STR(", "), 0);
        f[n++] = str_sub(s, 0, at);
        s = at == SIZE_MAX ? s : str_sub(s, at + 2, SIZE_MAX);
    } while (at != SIZE_MAX && n < FIELDS);
    return n;
}

static struct str behind(struct str s, struct str label)
{
    return str_starts(s, label) ? str_sub(s, label.n, SIZE_MAX) : s;
}

static bool contains(struct str s, struct str word)
{
    return str_find(s, word, 0) != SIZE_MAX;
}

/* Times and queue size come in two orders: the second field shows which. */
static void record_of(struct str line, struct aicpumi_record *r)
{
    struct str f[FIELDS];
    size_t n = fields_of(line, f), size = 0, start = 0;

    r->name = behind(f[0], STR("Node:"));
    r->start_us = r->end_us = r->queue_size = STR_NULL;
    if (n == FIELDS && contains(f[1], STR("Run"))) {
        start = 1;
        size = 3;
    } else if (n == FIELDS && contains(f[1], STR("queue"))) {
        start = 2;
        size = 1;
    }
    if (!start)
        return;
    r->start_us = behind(f[start], STR("Run start:"));
    r->end_us = behind(f[start + 1], STR("Run end:"));
    r->queue_size = behind(f[size], STR("queue size:"));
}

int aicpumi_text_read(struct parse_ctx *c, aicpumi_text_fn *fn, void *arg, struct err *e)
{
    struct aicpumi_record r;
    struct slices s;
    struct str line;
    bool ended;

    if (slices_open(&s, c, e) == OK) {
        s.end = '\0';
        while (slices_line(&s, &line, &r.where, &ended, e)) {
            if (!line.n)
                continue;
            if (!ended) {
                c->lost++;
                sink_note(c->out, NOTE_TORN_RECORD, &r.where, "a record is cut: it has no end");
                continue;
            }
            record_of(line, &r);
            c->rows++;
            if (fn(arg, &r, e))
                break;
        }
    }
    slices_close(&s);
    return e->code;
}
