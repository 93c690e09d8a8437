/* SPDX-License-Identifier: Apache-2.0 */
/* A file made in a thread of its own. */
#include "config.h"

#include "emit/beside.h"

int emit_beside_init(struct emit_beside *b, const struct unit *u, bool (*cancelled)(void), struct err *e)
{
    *b = (struct emit_beside){ .e = ERR_INIT };
    if (emit_report_new(&b->report, e))
        return e->code;
    emit_sink_init(&b->notes, b->report, u, cancelled);
    b->notes.stop = &b->stop;
    return OK;
}

static void *run(void *arg)
{
    struct emit_beside *b = arg;

    (void)!b->fn(b->arg, &b->e);
    return NULL;
}

bool emit_beside_start(struct emit_beside *b, emit_beside_fn *fn, void *arg)
{
    b->fn = fn;
    b->arg = arg;
    b->runs = pthread_create(&b->thread, NULL, run, b) == 0;
    return b->runs;
}

void emit_beside_stop(struct emit_beside *b)
{
    atomic_store(&b->stop, true);
}

int emit_beside_join(struct emit_beside *b, struct emit_report *report, struct err *e)
{
    pthread_join(b->thread, NULL);
    b->runs = false;
    emit_report_join(report, b->report);
    if (b->e.code)
        *e = b->e;
    return e->code;
}

void emit_beside_end(struct emit_beside *b)
{
    if (b->runs)
        pthread_join(b->thread, NULL);
    b->runs = false;
    emit_report_free(b->report);
    b->report = NULL;
}
