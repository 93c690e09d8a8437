/* SPDX-License-Identifier: Apache-2.0 */
/* All devices of a folder, while its host is read. */
#include "config.h"

#include "parsers/prof/device/devices.h"

#include <stdlib.h>

#include "parsers/prof/device/device_log.h"
#include "parsers/prof/host/joined.h"
#include "parsers/prof/jobs.h"

struct one {
    struct prof_device_half half;
    struct prof_folder *f;
    bool expanded;
};
struct prof_devices {
    struct prof *p;
    struct one *one;
    struct prof_jobs *beside;
};

static int begin(struct prof *view, void *arg, struct err *e)
{
    struct one *x = arg;

    return prof_device_begin(&x->half, view, x->f, x->expanded, e);
}

int prof_devices_start(struct prof_devices **out, struct prof *p, struct err *e)
{
    struct prof_devices *x = calloc(1, sizeof *x);
    struct prof_job *job = calloc(p->n_devices + 1, sizeof *job);
    bool expanded = false;

    *out = x;
    if (!x || !job || !(x->one = calloc(p->n_devices + 1, sizeof *x->one)))
        err_nomem(e);
    else
        (void)!prof_joined_expanded(p, &expanded, e);
    for (size_t i = 0; !e->code && i < p->n_devices; i++) {
        x->one[i].f = p->device[i];
        x->one[i].expanded = expanded;
        job[i] = (struct prof_job){ begin, &x->one[i] };
    }
    if (!e->code) {
        x->p = p;
        (void)!prof_jobs_start(&x->beside, p, job, p->n_devices, e);
    }
    free(job);
    return e->code;
}

int prof_devices_join(struct prof_devices *x, struct err *e)
{
    return prof_jobs_join(x->beside, e);
}

int prof_device_take(struct prof_device *d, struct prof_devices *x, size_t i, const struct prof_host *h,
                     struct err *e)
{
    int rc = prof_device_finish(d, &x->one[i].half, x->p, h, e);

    prof_device_half_done(&x->one[i].half);
    return rc;
}

void prof_devices_free(struct prof_devices *x)
{
    if (!x)
        return;
    prof_jobs_free(x->beside);
    for (size_t i = 0; x->p && i < x->p->n_devices; i++)
        prof_device_half_done(&x->one[i].half);
    free(x->one);
    free(x);
}
