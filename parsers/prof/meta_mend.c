/* SPDX-License-Identifier: Apache-2.0 */
/* Info files that are missing: what another folder of the run has is used. */
#include "config.h"

#include "parsers/prof/meta_mend.h"

#include "parsers/prof/meta.h"
#include "parsers/prof/meta_other.h"

/* The host, or the first device that has it; NULL: no folder has. */
static const struct prof_folder *lender(const struct prof *p, const struct prof_folder *f,
                                        enum prof_info_file which, bool host_too)
{
    for (size_t i = 0; i <= p->n_devices; i++) {
        const struct prof_folder *o = i ? p->device[i - 1] : p->host;
        bool wanted =
            o && (o->host ? prof_info_kinds[which].host && host_too : prof_info_kinds[which].device);
        if (wanted && o != f && !(o->meta.lacks & 1u << which))
            return o;
    }
    return NULL;
}

static const char from_other[] = "that of another PROF folder of the run is used";

/*
 * Devices of a run are alike. A device's info cannot be derived from the host's; the host's can be from a
 * device's, but for its chip and counter.
 */
static const char *lend_info(struct prof *p, struct prof_folder *f)
{
    const struct prof_folder *o = lender(p, f, INFO_FILE_INFO, false);
    struct prof_meta other;
    const struct prof_meta own = f->meta, *m = o ? &o->meta : &other;

    if (!o && !prof_meta_other(p, f, INFO_FILE_INFO, &other))
        return NULL;
    f->meta.platform = m->platform;
    f->meta.version = m->version;
    f->meta.driver = m->driver;
    f->meta.pid = m->pid;
    f->meta.pid_name = m->pid_name;
    f->meta.host_name = m->host_name;
    f->meta.host_hz = m->host_hz;
    f->meta.rank = own.rank;
    if (f->host)
        return o ? "that of a device is used" : from_other;
    f->meta.counter_hz = m->counter_hz;
    f->meta.aic_hz = m->aic_hz;
    f->meta.aiv_hz = m->aiv_hz;
    f->meta.aic_cores = m->aic_cores;
    f->meta.aiv_cores = m->aiv_cores;
    return o ? "that of another device is used" : from_other;
}

/* All folders of a run have the same one. */
static const char *lend_start(struct prof *p, struct prof_folder *f)
{
    const struct prof_folder *o = lender(p, f, INFO_FILE_START, true);

    if (!o)
        return NULL;
    f->meta.has_start = true;
    f->meta.begin_us = o->meta.begin_us;
    f->meta.start_mono_ns = o->meta.start_mono_ns;
    return o->host ? "that of the host is used" : "that of a device is used";
}

#define HOUR_NS (INT64_C(3600) * 1000000000)

/* The host's counter when the device read its own, by the time of day that both recorded. */
static bool place_by_day(const struct prof_meta *h, struct prof_meta *m)
{
    int64_t apart = 0;

    if (!h->host_real_ns || !m->device_real_ns ||
        __builtin_sub_overflow(m->device_real_ns, h->host_real_ns, &apart) || apart > HOUR_NS ||
        apart < -HOUR_NS || __builtin_add_overflow(h->host_mono_ns, apart, &m->host_mono_ns))
        return false;
    m->by_day = true;
    m->host_counter = h->host_counter + (uint64_t)(int64_t)((double)apart * (double)h->host_hz / 1e9);
    return true;
}

/*
 * Any pair of the host's counter and clock will do for the host; that of a device was taken together with the
 * device's counter.
 */
static const char *lend_host_clock(struct prof *p, struct prof_folder *f)
{
    const struct prof_folder *o = lender(p, f, INFO_FILE_HOST_CLOCK, true);
    struct prof_meta *m = &f->meta;

    if (f->host && o) {
        m->has_host_clock = true;
        m->host_mono_ns = o->meta.host_mono_ns;
        m->host_counter = o->meta.host_counter;
        m->host_counter_diff = o->meta.host_counter_diff;
        return "that of a device is used";
    }
    if (prof_meta_other_clock(p, f))
        return from_other;
    if (o && o->host && m->has_device_clock && place_by_day(&o->meta, m))
        return "its tasks are placed by the times of day of host and device, and may be off by "
               "milliseconds";
    if (!m->has_start || f->host)
        return NULL;
    m->host_mono_ns = m->start_mono_ns;
    return "its times count from the start of the collection";
}

/* Where host_start.log is missing, too, it has looked. */
static const char *lend_device_clock(struct prof *p, struct prof_folder *f)
{
    if (f->meta.near_ns != PROF_NO_BOUND)
        return from_other;
    return !(f->meta.lacks & 1u << INFO_FILE_HOST_CLOCK) && prof_meta_other_clock(p, f) ? from_other : NULL;
}

static const char *(*const lend[N_INFO_FILES])(struct prof *, struct prof_folder *) = {
    [INFO_FILE_INFO] = lend_info,
    [INFO_FILE_START] = lend_start,
    [INFO_FILE_HOST_CLOCK] = lend_host_clock,
    [INFO_FILE_DEVICE_CLOCK] = lend_device_clock,
};

/* The host's counter has its clock from any folder; a device's is its own. */
static void find_doubts(struct prof_meta *m, bool host)
{
    m->time_err_ns = m->near_ns;
    if (!m->has_host_clock || (!host && !m->has_device_clock))
        m->doubt |= PROF_DOUBT_TIME;
    if (!host && !m->counter_hz && m->lacks & 1u << INFO_FILE_INFO)
        m->doubt |= PROF_DOUBT_TIME | PROF_DOUBT_DURATION | PROF_DOUBT_FIGURES;
    if (m->doubt & PROF_DOUBT_DURATION)
        m->time_err_ns = PROF_NO_BOUND;
}

void prof_meta_mend(struct prof *p, struct prof_folder *f)
{
    for (size_t i = 0; i < N_INFO_FILES; i++) {
        if (!(f->meta.lacks & 1u << i))
            continue;
        const char *instead = lend[i] ? lend[i](p, f) : NULL;
        prof_note(p, f, N_PROF_TAGS, NOTE_NO_CLOCK, "%s%s: %s", prof_info_kinds[i].name,
                  f->meta.unusable & 1u << i ? " cannot be used" : " is missing",
                  instead ? instead : prof_info_kinds[i].without);
    }
    find_doubts(&f->meta, f->host);
}
