/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a running job. */
#include "config.h"

#include "model/live.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lang/tr.h"
#include "base/path.h"
#include "configure/config_edit.h"
#include "run/dir.h"

#define WINDOWS_MAX 20000
#define ENTRIES_MAX 512 /* of one folder that is looked at for its times */
#define ARENA_B     ((size_t)64 << 20)
#define DEEP        3 /* PROF_x/device_0/data */

const char *live_phase_word(enum live_phase p)
{
    static const char *const words[] = { N_("waiting"),   N_("collecting"), N_("analysing"),
                                         N_("collected"), N_("analysed"),   N_("interrupted") };

    return words[p];
}

/* ---- names ---- */

/* The number after word at the start of s; s moves past it. */
static bool take(struct str *s, struct str word, int64_t *n)
{
    size_t digits = 0;

    if (!str_starts(*s, word))
        return false;
    *s = str_sub(*s, word.n, SIZE_MAX);
    while (digits < s->n && s->p[digits] >= '0' && s->p[digits] <= '9')
        digits++;
    bool is = str_i64(str_sub(*s, 0, digits), n);
    *s = str_sub(*s, digits, SIZE_MAX);
    return is;
}

static bool window_name(const char *name, struct live_window *w)
{
    struct str s = str_of(name);
    int64_t rank;

    if (!take(&s, STR("rank"), &rank) || !take(&s, STR("_start"), &w->start) ||
        !take(&s, STR("_stop"), &w->stop) || s.n || rank > INT32_MAX)
        return false;
    w->rank = (int)rank;
    str_copy(str_of(name), w->name, sizeof w->name);
    return strlen(name) < sizeof w->name;
}

/* ---- one window ---- */

struct signs {
    int64_t newest_ns; /* change of anything in the profile */
    int64_t result_ns; /* of its results */
    bool profile, info, result;
};

static int64_t changed(const struct stat *st)
{
    return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

static void newer(int64_t *newest, int64_t ns)
{
    if (ns > *newest)
        *newest = ns;
}

/* The last change of a folder and of what lies in it, so deep. Bounded by ENTRIES_MAX at each level. */
static int64_t last_change(int at, const char *name, int deep, struct arena *a)
{
    struct dir_list list = { 0 };
    struct err ignored = ERR_INIT;
    struct stat st;
    int64_t newest = 0;
    int fd = dir_open(at, name);

    if (fd < 0)
        return 0;
    if (fstat(fd, &st) == 0)
        newest = changed(&st);
    if (dir_read(&list, fd, ENTRIES_MAX, a, &ignored) == OK)
        for (size_t i = 0; i < list.n; i++) {
            if (list.v[i].type == DIR_DIR && deep > 0)
                newer(&newest, last_change(fd, list.v[i].name, deep - 1, a));
            else if (fstatat(fd, list.v[i].name, &st, AT_SYMLINK_NOFOLLOW) == 0)
                newer(&newest, changed(&st));
        }
    close(fd);
    return newest;
}

static bool is_profile(struct str name)
{
    return str_ends(name, STR("_ascend_ms")) || str_ends(name, STR("_ascend_pt")) ||
           str_eq(name, STR("profiler"));
}

static void look_at_profile(int at, const char *name, struct signs *s, struct arena *a)
{
    struct dir_list list = { 0 };
    struct err ignored = ERR_INIT;
    int fd = dir_open(at, name);

    if (fd < 0)
        return;
    *s = (struct signs){ .profile = true, .newest_ns = s->newest_ns };
    newer(&s->newest_ns, last_change(at, name, DEEP, a));
    if (dir_read(&list, fd, ENTRIES_MAX, a, &ignored) == OK)
        for (size_t i = 0; i < list.n; i++) {
            struct str n = str_of(list.v[i].name);
            s->info |= str_starts(n, STR("profiler_info")) && str_ends(n, STR(".json"));
            if (list.v[i].type == DIR_DIR && str_eq(n, STR("ASCEND_PROFILER_OUTPUT"))) {
                s->result = true;
                s->result_ns = last_change(fd, list.v[i].name, 0, a);
            }
        }
    close(fd);
}

static enum live_phase phase_of(const struct signs *s, bool analyses, int64_t now_ns)
{
    const int64_t second = 1000000000;
    bool grows = now_ns - s->newest_ns < LIVE_STILL_S * second;

    if (!s->profile || !s->info)
        return grows ? LIVE_COLLECTING : LIVE_INTERRUPTED;
    if (!s->result)
        return grows && analyses ? LIVE_ANALYSING : LIVE_COLLECTED;
    return now_ns - s->result_ns < LIVE_RESULT_S * second ? LIVE_ANALYSING : LIVE_ANALYSED;
}

/* Of several profiles in a window the last one counts: names end in their time. */
static void look_at_window(int at, struct live_window *w, bool analyses, int64_t now_ns, struct arena *a)
{
    struct dir_list list = { 0 };
    struct err ignored = ERR_INIT;
    struct signs s = { 0 };
    struct stat st;
    int fd = dir_open(at, w->name);

    if (fd >= 0 && fstat(fd, &st) == 0)
        s.newest_ns = changed(&st);
    if (fd >= 0 && dir_read(&list, fd, ENTRIES_MAX, a, &ignored) == OK)
        for (size_t i = 0; i < list.n; i++)
            if (list.v[i].type == DIR_DIR && is_profile(str_of(list.v[i].name)))
                look_at_profile(fd, list.v[i].name, &s, a);
    if (fd >= 0)
        close(fd);
    w->phase = phase_of(&s, analyses, now_ns);
    w->changed_ns = s.newest_ns;
}

/* ---- the configuration ---- */

/* What a configuration asks for; *analyses: the job analyses its windows. */
static void read_config(struct live *l, bool *analyses)
{
    struct config_target t;
    struct choice c = { { NULL } };
    struct err ignored = ERR_INIT;
    struct buf text;
    int64_t n = 0;

    buf_init(&text, 2 * CONFIG_MAX_B);
    if (config_load(l->config, &text, &ignored) == OK && config_guess(buf_str(&text), 0, &t) &&
        t.form == FORM_JSON && config_read(buf_str(&text), &t, &c, NULL, NULL, &ignored) == OK) {
        bool torch = t.framework == FRAMEWORK_TORCH;
        l->asked = c.value[SW_START_STEP] && str_i64(choice_get(&c, SW_START_STEP), &l->start) &&
                   str_i64(choice_get(&c, torch ? SW_ACTIVE : SW_STOP_STEP), &n) && l->start >= 0;
        l->stop = torch && l->asked ? l->start + n - 1 : n;
        l->asked = l->asked && l->stop >= l->start;
        *analyses = str_eq(choice_get(&c, SW_ANALYSE), STR("true")) ||
                    (!torch && !str_eq(choice_get(&c, SW_ANALYSE_MODE), STR("none")));
    }
    choice_done(&c);
    buf_done(&text);
}

/* In path, or in one of the two folders above it. */
static void find_config(struct live *l, const char *path)
{
    static const char *const places[] = { ".", "..", "../.." };
    char dir[4096];

    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (path_join(dir, sizeof dir, path, places[i]) &&
            path_join(l->config, sizeof l->config, i ? dir : path, "profiler_config.json") &&
            access(l->config, R_OK) == 0) {
            char *real = realpath(l->config, NULL);
            if (real)
                str_copy(str_of(real), l->config, sizeof l->config);
            free(real);
            return;
        }
    l->config[0] = '\0';
}

/* ---- all ---- */

static int by_steps(const void *pa, const void *pb)
{
    const struct live_window *a = pa, *b = pb;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->stop != b->stop)
        return a->stop < b->stop ? -1 : 1;
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

enum live_phase live_phase_of(const struct live *l, int64_t start, int64_t stop)
{
    /* from what has been done least */
    static const enum live_phase order[] = { LIVE_INTERRUPTED, LIVE_COLLECTING, LIVE_ANALYSING,
                                             LIVE_COLLECTED, LIVE_ANALYSED };
    size_t least = ARRAY_LEN(order);

    for (size_t i = 0; i < l->n; i++)
        for (size_t k = 0; l->v[i].start == start && l->v[i].stop == stop && k < least; k++)
            if (order[k] == l->v[i].phase)
                least = k;
    return least < ARRAY_LEN(order) ? order[least] : LIVE_WAITING;
}

int live_look(struct live *out, const char *path, int64_t now_ns, struct err *e)
{
    struct dir_list list = { 0 };
    struct arena *a = NULL, *inside = NULL; /* inside: of one window */
    bool analyses = false;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    *out = (struct live){ 0 };
    if (fd < 0) {
        err_sys(e, errno, "cannot be opened");
        err_where(e, path, ERR_NO_OFFSET, 0);
        goto out;
    }
    if (arena_new(&a, ARENA_B, e) || arena_new(&inside, ARENA_B, e))
        goto out;
    find_config(out, path);
    if (out->config[0])
        read_config(out, &analyses);
    if (dir_read(&list, fd, WINDOWS_MAX, a, e))
        goto out;
    out->cut = list.cut;
    out->v = calloc(list.n + 1, sizeof *out->v);
    if (!out->v) {
        err_nomem(e);
        goto out;
    }
    for (size_t i = 0; i < list.n; i++) {
        if (list.v[i].type != DIR_DIR || !window_name(list.v[i].name, &out->v[out->n]))
            continue;
        look_at_window(fd, &out->v[out->n++], analyses, now_ns, inside);
        arena_reset(inside);
    }
    qsort(out->v, out->n, sizeof *out->v, by_steps);
    out->phase = live_phase_of(out, out->start, out->stop);
out:
    if (fd >= 0)
        close(fd);
    arena_free(inside);
    arena_free(a);
    return e->code;
}

void live_done(struct live *l)
{
    free(l->v);
    *l = (struct live){ 0 };
}

void live_next_text(const struct live *l, struct buf *out)
{
    if (l->asked)
        buf_printf(out, tr("next window %" PRId64 "-%" PRId64 ": %s"), l->start, l->stop,
                   tr(live_phase_word(l->phase)));
    else if (l->config[0])
        buf_puts(out, tr("no window is asked for"));
}
