/* Exact figures of a window: occupied time, sums, names, gaps; details of an event from its source
 * file. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json_stream.h"
#include "base/path.h"
#include "model/timeline_int.h"

#define DETAIL_B ((size_t)64 << 10)

/* One event clipped to a window; false: it does not touch it. */
static bool clip(const struct chunk_event *ev, int64_t from, int64_t to, int64_t *a, int64_t *b)
{
    int64_t end = event_end(ev);

    if (ev->ts >= to || (end <= from && ev->ts < from))
        return false;
    *a = ev->ts > from ? ev->ts : from;
    *b = end < to ? end : to;
    return true;
}

static void area_event(struct tl_area *out, const struct chunk_event *ev, int64_t a, int64_t b,
                       int64_t *covered, bool *any)
{
    int64_t dur = b > a ? b - a : 0;

    out->events++;
    out->dur_sum_ns += dur;
    if (dur > out->longest_ns) {
        out->longest_ns = dur;
        out->longest_name = ev->name;
    }
    if (a > *covered) {
        if (a - *covered > out->longest_gap_ns) {
            out->longest_gap_ns = a - *covered;
            out->longest_gap_at = *covered;
        }
        out->busy_ns += dur;
        *covered = b > a ? b : a;
    } else if (b > *covered) {
        out->busy_ns += b - *covered;
        *covered = b;
    }
    *any = true;
}

int timeline_area(struct timeline *t, size_t track, int64_t from, int64_t to, struct tl_area *out,
                  struct err *e)
{
    struct chunk_walk w;
    int64_t covered = from, a, b;
    bool any = false;
    int rc = -1;

    *out = (struct tl_area){ .longest_gap_at = from };
    if (walk_open(&w, t, track, from, to, false, e) == OK)
        while ((rc = walk_next(&w, e)) == 1)
            for (size_t i = 0; i < w.n; i++)
                if (clip(&w.ev[i], from, to, &a, &b))
                    area_event(out, &w.ev[i], a, b, &covered, &any);
    walk_close(&w);
    if (to - covered > out->longest_gap_ns) {
        out->longest_gap_ns = to - covered;
        out->longest_gap_at = covered;
    }
    return rc < 0 ? (int)e->code : OK;
}

/* ---- per name ---- */

struct name_sums {
    struct tl_name *p;
    size_t n, cap;
    uint32_t *hash; /* index + 1 */
    size_t hash_n;
};

static struct tl_name *sums_get(struct name_sums *s, uint32_t name)
{
    if (s->n * 2 >= s->hash_n) {
        size_t n = s->hash_n ? s->hash_n * 2 : 256;
        uint32_t *h = calloc(n, sizeof *h);
        if (!h)
            return NULL;
        for (size_t i = 0; i < s->n; i++) {
            size_t at = (size_t)s->p[i].name_id * 2654435761u & (n - 1);
            while (h[at])
                at = (at + 1) & (n - 1);
            h[at] = (uint32_t)i + 1;
        }
        free(s->hash);
        s->hash = h;
        s->hash_n = n;
    }
    size_t at = (size_t)name * 2654435761u & (s->hash_n - 1);
    for (; s->hash[at]; at = (at + 1) & (s->hash_n - 1))
        if (s->p[s->hash[at] - 1].name_id == name)
            return &s->p[s->hash[at] - 1];
    if (s->n == s->cap) {
        size_t cap = s->cap ? s->cap * 2 : 128;
        struct tl_name *p = realloc(s->p, cap * sizeof *p);
        if (!p)
            return NULL;
        s->p = p;
        s->cap = cap;
    }
    s->p[s->n] = (struct tl_name){ .name_id = name };
    s->hash[at] = (uint32_t)++s->n;
    return &s->p[s->n - 1];
}

static int name_cmp(const void *a, const void *b)
{
    const struct tl_name *x = a, *y = b;

    if (x->busy_ns != y->busy_ns)
        return x->busy_ns > y->busy_ns ? -1 : 1;
    return x->name_id < y->name_id ? -1 : 1;
}

int timeline_names(struct timeline *t, size_t track, int64_t from, int64_t to, struct tl_name *out,
                   size_t max, size_t *n, struct err *e)
{
    struct name_sums s = { .n = 0 };
    struct chunk_walk w;
    int64_t a, b;
    int rc = -1;

    *n = 0;
    if (walk_open(&w, t, track, from, to, false, e) == OK) {
        while ((rc = walk_next(&w, e)) == 1 && !e->code) {
            for (size_t i = 0; i < w.n; i++) {
                if (!clip(&w.ev[i], from, to, &a, &b))
                    continue;
                struct tl_name *x = sums_get(&s, w.ev[i].name);
                if (!x) {
                    err_nomem(e);
                    break;
                }
                x->events++;
                x->busy_ns += b > a ? b - a : 0;
                if (b - a > x->longest_ns)
                    x->longest_ns = b - a;
            }
        }
    }
    walk_close(&w);
    if (s.n)
        qsort(s.p, s.n, sizeof *s.p, name_cmp);
    *n = s.n < max ? s.n : max;
    if (*n)
        memcpy(out, s.p, *n * sizeof *out);
    free(s.p);
    free(s.hash);
    return rc < 0 ? (int)e->code : (int)e->code;
}

/* ---- gaps ---- */

/* Keep the longest gaps, longest first. */
static void keep_gap(struct tl_gap *out, size_t max, size_t *n, struct tl_gap g)
{
    size_t at = *n;

    if (g.len_ns <= 0 || (at == max && (!max || out[max - 1].len_ns >= g.len_ns)))
        return;
    if (at == max)
        at--;
    else
        (*n)++;
    for (; at && out[at - 1].len_ns < g.len_ns; at--)
        out[at] = out[at - 1];
    out[at] = g;
}

int timeline_gaps(struct timeline *t, size_t track, int64_t from, int64_t to, struct tl_gap *out,
                  size_t max, size_t *n, struct err *e)
{
    struct chunk_walk w;
    int64_t covered = from, a, b, last_name = 0;
    int rc = -1;

    *n = 0;
    if (walk_open(&w, t, track, from, to, false, e) == OK) {
        while ((rc = walk_next(&w, e)) == 1) {
            for (size_t i = 0; i < w.n; i++) {
                if (!clip(&w.ev[i], from, to, &a, &b))
                    continue;
                keep_gap(out, max, n,
                         (struct tl_gap){ covered, a - covered, last_name, w.ev[i].name });
                if (b >= covered) {
                    covered = b;
                    last_name = w.ev[i].name;
                }
            }
        }
    }
    walk_close(&w);
    keep_gap(out, max, n, (struct tl_gap){ covered, to - covered, last_name, 0 });
    return rc < 0 ? (int)e->code : OK;
}

/* ---- details ---- */

/* Text of the event's object at the start of p: up to the brace that closes it; n 0 when it does
 * not end. */
static size_t object_length(const char *p, size_t n)
{
    int depth = 0;
    bool in_string = false;

    for (size_t i = 0; i < n; i++) {
        if (in_string) {
            if (p[i] == '\\')
                i++;
            else if (p[i] == '"')
                in_string = false;
        } else if (p[i] == '"') {
            in_string = true;
        } else if (p[i] == '{' || p[i] == '[') {
            depth++;
        } else if ((p[i] == '}' || p[i] == ']') && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

static void add_member(struct buf *out, struct str key, struct str val, bool is_string)
{
    buf_add(out, key);
    buf_puts(out, ": ");
    char *plain = buf_room(out, val.n + 1);
    if (plain && is_string)
        out->n += js_unescape(val, plain).n;
    else
        buf_add(out, val);
    buf_addc(out, '\n');
}

static void add_object(struct buf *out, struct str object)
{
    struct str key, val;
    bool is_string;
    size_t pos = 0;

    while (js_member(object, &pos, &key, &val, &is_string)) {
        if (str_eq(key, STR("args")))
            continue;
        if (str_eq(key, STR("cat")) || str_eq(key, STR("id")))
            add_member(out, key, val, is_string);
    }
    if (!js_find(object, STR("args"), &val, &is_string) || is_string)
        return;
    struct str args = val;
    pos = 0;
    while (js_member(args, &pos, &key, &val, &is_string))
        add_member(out, key, val, is_string);
}

static void read_object(const char *path, uint64_t off, struct buf *out)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    char *p = malloc(DETAIL_B);
    ssize_t n = fd >= 0 && p ? pread(fd, p, DETAIL_B, (off_t)off) : -1;

    if (n < 0) {
        buf_printf(out, "details are in the source file, which cannot be read: %s\n",
                   strerror(errno));
    } else {
        size_t len = n > 0 && p[0] == '{' ? object_length(p, (size_t)n) : 0;
        if (len)
            add_object(out, (struct str){ p, len });
        else
            buf_puts(out, "the source file changed since it was read\n");
    }
    free(p);
    if (fd >= 0)
        close(fd);
}

/* The slice an event lies in stands above these bits of its place; TRACE_SLICE_SHIFT of
 * parsers/parsers.h. */
#define SLICE_SHIFT 48

/* name with the number behind "_slice_" replaced: slices are read as one file, whose path is the
 * first one's. */
static void slice_name(const char *name, unsigned slice, char *out, size_t n)
{
    struct str s = str_of(name), mark = STR("_slice_");
    size_t at = str_find(s, mark, 0);

    if (at == SIZE_MAX) {
        str_copy(s, out, n);
        return;
    }
    struct str rest = str_sub(s, at + mark.n, SIZE_MAX);
    size_t digits = 0;
    while (digits < rest.n && rest.p[digits] >= '0' && rest.p[digits] <= '9')
        digits++;
    rest = str_sub(rest, digits, SIZE_MAX);
    snprintf(out, n, "%.*s%u%.*s", (int)(at + mark.n), name, slice, (int)rest.n, rest.p);
}

int timeline_detail(struct timeline *t, const struct tl_event *ev, const char *unit_root,
                    struct buf *out, struct err *e)
{
    const struct tl_track *tr = &t->tracks[ev->track];
    struct query *q = NULL;
    char path[4096];

    if (store_query(
            t->parts[tr->part].store, &q,
            "SELECT f.path FROM track t JOIN source f ON f.id = t.source_id WHERE t.id = :track",
            e))
        return (int)e->code;
    query_bind_int(q, ":track", tr->id);
    if (query_step(q, e) == 1) {
        struct str rel = query_str(q, 0);
        char first[2048], name[2048];
        uint64_t off = ev->off & (((uint64_t)1 << SLICE_SHIFT) - 1);
        str_copy(rel, first, sizeof first);
        slice_name(first, (unsigned)(ev->off >> SLICE_SHIFT), name, sizeof name);
        if (str_ends(rel, STR(".gz")))
            buf_printf(out, "details are in %s, which is packed\n", name);
        else if (!str_ends(rel, STR(".json")) && !str_ends(rel, STR(".trace")))
            buf_printf(out, "%s line %" PRIu64 "\n", name, off);
        else if (path_join(path, sizeof path, unit_root, name))
            read_object(path, off, out);
    }
    query_free(q);
    return (int)e->code;
}
