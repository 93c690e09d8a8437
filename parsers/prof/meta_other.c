/* SPDX-License-Identifier: Apache-2.0 */
/* Info files of the run's other PROF folders. */
#include "config.h"

#include "parsers/prof/meta_other.h"

#include "base/bounded.h"
#include "base/path.h"
#include "run/inventory.h"
#include "run/prof_folder.h"

#define NS_PER_S INT64_C(1000000000)

/* The time of day when the machine's clock was 0 moves by its corrections only, between two boots by more. */
#define SAME_BOOT_NS (60 * NS_PER_S)

/* Two crystals, each within 50 ppm, differ by no more than this part of the time between. */
#define DRIFT 10000

/* Below another root: the folder with f's name, and which info file of it. */
static bool is_like(const struct prof *p, const struct prof_folder *f, const struct source_file *file,
                    struct str *root)
{
    struct str rel = str_of(file->rel);

    if (!file->regular || file->superseded || str_starts(rel, p->in.root) || !prof_folder_of(rel, root))
        return false;
    struct str part = str_sub(rel, root->n, SIZE_MAX);
    size_t slash = str_chr(part, '/');
    int is = slash == SIZE_MAX ? PROF_PART_NONE : prof_part_of(str_sub(part, 0, slash));
    return is == (f->host ? PROF_PART_HOST : f->device);
}

/* Read the one below root; what is wrong there is said where that folder is read. */
static bool read_other(struct prof *p, const struct prof_folder *f, struct str root, struct prof_folder *out)
{
    const struct source_file *info[N_INFO_FILES] = { NULL };
    struct sink *notes = p->in.notes;
    struct err e = ERR_INIT;
    struct str r;

    for (size_t i = 0; i < p->in.n; i++) {
        enum prof_info_file is = prof_info_file_of(path_base(p->in.files[i]->rel));
        if (is != N_INFO_FILES && !info[is] && is_like(p, f, p->in.files[i], &r) && str_eq(r, root))
            info[is] = p->in.files[i];
    }
    *out = (struct prof_folder){ .host = f->host, .device = f->device };
    p->in.notes = &p->again.sink;
    int rc = prof_meta_read(p, out, info, &e);
    p->in.notes = notes;
    err_clear(&e);
    return rc == OK;
}

static int64_t apart(int64_t a, int64_t b)
{
    int64_t d = bounded_sub(a, b);

    return d == INT64_MIN ? INT64_MAX : d < 0 ? -d : d;
}

/* When the machine's clock was 0, in Unix time. */
static int64_t boot_ns(const struct prof_meta *m)
{
    return bounded_sub((int64_t)((uint64_t)m->begin_us * 1000), m->start_mono_ns);
}

static bool is_usable(const struct prof_meta *own, const struct prof_meta *o, enum prof_info_file which)
{
    if (o->lacks & 1u << which)
        return false;
    if (which != INFO_FILE_HOST_CLOCK && which != INFO_FILE_DEVICE_CLOCK)
        return true;
    return own->has_start && o->has_start && o->has_host_clock &&
           apart(boot_ns(own), boot_ns(o)) < SAME_BOOT_NS;
}

bool prof_meta_other(struct prof *p, const struct prof_folder *f, enum prof_info_file which,
                     struct prof_meta *out)
{
    int64_t nearest = INT64_MAX;
    struct str root, last = STR_NULL;
    bool found = false;

    for (size_t i = 0; i < p->in.n; i++) {
        struct prof_folder o;
        if (prof_info_file_of(path_base(p->in.files[i]->rel)) != which ||
            !is_like(p, f, p->in.files[i], &root) || (last.p && str_eq(last, root)) ||
            !read_other(p, f, root, &o))
            continue;
        last = root;
        int64_t far = apart(f->meta.begin_us, o.meta.begin_us);
        if (is_usable(&f->meta, &o.meta, which) && (!found || far < nearest)) {
            *out = o.meta;
            nearest = far;
            found = true;
        }
    }
    return found;
}

/* ---- clocks ---- */

/* Counter that is ns after another one. */
static uint64_t counter_at(uint64_t counter, int64_t ns, uint64_t hz)
{
    return counter + (uint64_t)(int64_t)((__int128)ns * (hz ? (__int128)hz : NS_PER_S) / NS_PER_S);
}

/* The instant of the machine's clock at which the device's counter was read, or at which it is wanted. */
static int64_t moment_of(const struct prof_meta *m, const struct prof_meta *o)
{
    if (!(m->lacks & 1u << INFO_FILE_HOST_CLOCK))
        return prof_clock_h(m);
    if (!m->has_device_clock)
        return m->start_mono_ns;
    __int128 ticks = (__int128)m->device_counter - o->device_counter;
    return bounded_add(prof_clock_h(o),
                       (int64_t)(ticks * NS_PER_S / (m->counter_hz ? (__int128)m->counter_hz : NS_PER_S)));
}

static void place_device(struct prof_meta *m, const struct prof_meta *o)
{
    int64_t at = moment_of(m, o), since = bounded_sub(at, prof_clock_h(o));

    if (!m->has_device_clock) {
        m->device_counter = counter_at(o->device_counter, since, m->counter_hz);
        m->device_mono_ns = bounded_add(o->device_mono_ns, since);
    }
    if (m->lacks & 1u << INFO_FILE_HOST_CLOCK) {
        m->host_mono_ns = at;
        m->host_counter = counter_at(o->host_counter, since, m->host_hz);
        m->host_counter_diff = 0;
    }
    m->by_day = false;
    m->near_ns = apart(since, 0) / DRIFT;
}

bool prof_meta_other_clock(struct prof *p, struct prof_folder *f)
{
    struct prof_meta o, *m = &f->meta;

    if (f->host) {
        if (!prof_meta_other(p, f, INFO_FILE_HOST_CLOCK, &o))
            return false;
        m->has_host_clock = true;
        m->host_mono_ns = o.host_mono_ns;
        m->host_counter = o.host_counter;
        m->host_counter_diff = o.host_counter_diff;
        return true;
    }
    if (!prof_meta_other(p, f, INFO_FILE_DEVICE_CLOCK, &o))
        return false;
    place_device(m, &o);
    return true;
}
