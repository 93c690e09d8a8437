/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks of traces that do not count from 1970. */
#include "config.h"

#include "parsers/trace/trace_clock.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/path.h"
#include "base/read/json_stream.h"
#include "parsers/read/lines.h"

#define START_INFO_B ((size_t)64 << 10)

/* collectionTimeBegin is in us (16 digits), in newer files in ns. */
static bool to_offset(struct str begin, struct str mono, int64_t *add_ns)
{
    int64_t b, m;

    if (!str_i64(str_trim(begin), &b) || !str_i64(str_trim(mono), &m) || b <= 0 || m <= 0)
        return false;
    if (b < INT64_C(100000000000000000) && __builtin_mul_overflow(b, 1000, &b))
        return false;
    return !__builtin_sub_overflow(b, m, add_ns);
}

static bool offset_of_file(const char *path, int64_t *add_ns)
{
    struct err e = ERR_INIT;
    char *text = NULL;
    size_t n = 0;
    struct str begin, mono;
    bool is_string;

    if (infile_read_all(path, START_INFO_B, &text, &n, &e))
        return false;
    struct str s = { text, n };
    bool ok = js_find(s, STR("collectionTimeBegin"), &begin, &is_string) &&
              js_find(s, STR("clockMonotonicRaw"), &mono, &is_string) && to_offset(begin, mono, add_ns);
    free(text);
    return ok;
}

/* Number of the device: the inventory's, else of a folder device_<n>, else 0. */
static int device_of(const struct parse_ctx *c, const char *folder)
{
    struct str s = str_of(path_base(folder));
    int64_t v;

    if (c->f->device >= 0)
        return c->f->device;
    return str_starts(s, STR("device_")) && str_i64(str_sub(s, 7, SIZE_MAX), &v) && v < 100000 ? (int)v : 0;
}

/*
 * .../device_0/timeline/msprof_0_2_1.json -> .../device_0/start_info.0; of mindstudio_profiler_output:
 * ../host/start_info.
 */
static bool offset_of_neighbour(const struct parse_ctx *c, int64_t *add_ns)
{
    char dir[PATH_MAX], up[PATH_MAX], name[64], path[PATH_MAX];

    if (!path_dir(dir, sizeof dir, c->f->path) || !path_dir(up, sizeof up, dir))
        return false;
    snprintf(name, sizeof name, "start_info.%d", device_of(c, up));
    const char *const names[] = { name, "start_info", "host/start_info" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (path_join(path, sizeof path, up, names[i]) && offset_of_file(path, add_ns))
            return true;
    return false;
}

bool trace_clock_boot_offset(const struct parse_ctx *c, int64_t *add_ns)
{
    if (offset_of_neighbour(c, add_ns))
        return true;
    return to_offset(parse_run_setting(c, "collectionTimeBegin"), parse_run_setting(c, "clockMonotonicRaw"),
                     add_ns);
}

/* ---- MindSpore 1.x ---- */

/* Number between the last '_' and the ending of a base name: ascend_timeline_display_3.json -> 3. */
static struct str number_in_name(const char *path)
{
    struct str s = str_of(path_base(path));
    size_t dot = str_rchr(s, '.'), low;

    s = dot == SIZE_MAX ? s : str_sub(s, 0, dot);
    low = str_rchr(s, '_');
    return low == SIZE_MAX ? STR_NULL : str_sub(s, low + 1, SIZE_MAX);
}

/* A file of the same folder whose line holds a start in ns; the smallest is kept. */
struct start_file {
    const char *before, *after; /* name: before, the number of the timeline file, after */
    const char *column;         /* name of the column in the header, blanks around it ignored */
    size_t fallback;            /* its position where the header has another name */
    bool us;                    /* text in us; else ms (us when it is too large for that) */
};

static const struct start_file start_files[] = {
    { "output_timeline_data_", ".txt", "start_time(ms)", 2, false },
    { "aicpu_intermediate_", ".csv", "run_start", 5, true },
};

static size_t column_of(struct str header, const struct start_file *f)
{
    struct str cell[16];
    size_t n = lines_split(header, ',', cell, ARRAY_LEN(cell));

    for (size_t i = 0; i < n; i++)
        if (str_eq(cell[i], str_of(f->column)))
            return i;
    return f->fallback;
}

static void smallest_start(const char *path, const struct start_file *f, struct parse_ctx *c, int64_t *min)
{
    struct err e = ERR_INIT;
    struct lines l;
    struct str line, cell[16];
    size_t column = f->fallback;

    if (lines_open_other(&l, c, path, &e))
        return;
    while (lines_next(&l, &line, &e)) {
        int64_t ns;
        if (l.n == 1) {
            column = column_of(line, f);
            continue;
        }
        if (lines_split(line, ',', cell, ARRAY_LEN(cell)) <= column || str_starts(cell[0], STR("assign")))
            continue;
        if ((f->us ? str_scaled(cell[column], 1000, &ns, NULL) : text_ms_or_us(cell[column], &ns)) &&
            ns < *min)
            *min = ns;
    }
    lines_close(&l);
}

bool trace_clock_timeline_base(const struct parse_ctx *c, int64_t *add_ns)
{
    char dir[PATH_MAX], name[128], path[PATH_MAX];
    struct str number = number_in_name(c->f->path);
    struct parse_ctx other = *c;
    int64_t min = INT64_MAX;

    if (number.n == 0 || number.n > 20 || !path_dir(dir, sizeof dir, c->f->path))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(start_files); i++) {
        const struct start_file *f = &start_files[i];
        snprintf(name, sizeof name, "%s%.*s%s", f->before, (int)number.n, number.p, f->after);
        if (path_join(path, sizeof path, dir, name))
            smallest_start(path, f, &other, &min);
    }
    if (min == INT64_MAX)
        return false;
    *add_ns = min;
    return true;
}
