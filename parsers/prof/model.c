/* SPDX-License-Identifier: Apache-2.0 */
/* The model of a PROF folder. */
#include "config.h"

#include "parsers/prof/model.h"

#include <stdlib.h>

#include "parsers/prof/device/clock_mend.h"
#include "parsers/prof/device/devices.h"

static int read_device(struct prof_model *m, struct prof_devices *devices, struct err *e)
{
    size_t i = m->n_dev++; /* what is begun is released with the rest */

    if (prof_device_take(&m->dev[i], devices, i, &m->host, e))
        return e->code;
    prof_clock_mend(m->p, &m->host, &m->dev[i]);
    return prof_device_blocks(&m->dev[i], &m->host, m->p->chip->v6, e);
}

static int read_folders(struct prof_model *m, struct prof_devices *devices,
                        const struct prof_model_user *user, void *arg, struct err *e)
{
    if (prof_host_read(&m->host, m->p, e) || prof_devices_join(devices, e))
        return e->code;
    m->dev = calloc(m->p->n_devices + 1, sizeof *m->dev);
    m->comm = calloc(m->p->n_devices + 1, sizeof *m->comm);
    if (!m->dev || !m->comm)
        return err_nomem(e);
    while (m->n_dev < m->p->n_devices)
        if (read_device(m, devices, e) || user->device(arg, m->n_dev - 1, e))
            return e->code;
    if (user->devices && user->devices(arg, e))
        return e->code;
    for (size_t i = 0; i < m->n_dev; i++) {
        const struct prof_how how = user->how(arg, i);

        if (prof_comm_make(&m->comm[i], m->p, &m->dev[i], &m->host, &how, e))
            return e->code;
    }
    return OK;
}

int prof_model_read(struct prof_model *m, const struct prof_model_user *user, void *arg, struct err *e)
{
    struct prof_devices *devices = NULL;

    if (prof_devices_start(&devices, m->p, e) == OK)
        (void)!read_folders(m, devices, user, arg, e);
    prof_devices_free(devices);
    return e->code;
}

void prof_model_done(struct prof_model *m)
{
    for (size_t i = 0; i < m->n_dev; i++) {
        prof_comm_done(&m->comm[i]);
        prof_device_done(&m->dev[i]);
    }
    free(m->comm);
    free(m->dev);
    prof_host_done(&m->host);
}
