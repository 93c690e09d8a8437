/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes of a device or of the host: blocks of their own files, "PID-CpuUsage", "PID-Memory"
 * (parsers/prof/sampled/system.h).
 */
#include "config.h"

#include "base/path.h"
#include "parsers/prof/sampled/system.h"
#include "parsers/read/lines.h"

struct reading {
    struct prof *p;
    union {
        prof_process_cpu_fn *cpu;
        prof_process_mem_fn *mem;
    } fn;
    void *arg;
    /* the open block */
    bool open, any;
    struct prof_process_cpu c;
    struct prof_process_mem m;
};

static int bad_line(const struct reading *x, const struct where *w)
{
    prof_note_at(x->p, NOTE_BAD_ROW, w, "a line that is no sample was left out");
    return OK;
}

/* True when a block begins, a line names its process, or no block is open. */
static bool take_head(struct reading *x, struct str line, uint32_t *name)
{
    if (str_starts(line, STR("TimeStamp:"))) {
        x->open = true;
        x->any = false;
        x->c = (struct prof_process_cpu){ .name = PROF_NONE };
        x->m = (struct prof_process_mem){ .name = PROF_NONE };
        return true;
    }
    if (!x->open || !str_starts(line, STR("ProcessName:")))
        return !x->open;
    *name = prof_text(x->p, str_trim(str_sub(line, 12, SIZE_MAX)));
    return true;
}

static bool is_number(struct str s)
{
    return s.n && s.p[0] >= '0' && s.p[0] <= '9';
}

/* ---- processors: /proc/PID/stat, the name, and the first line of /proc/stat ---- */

enum { STAT_UTIME = 11, STAT_TIMES = 4 }; /* after the name in parentheses */

static int take_stat(struct reading *x, struct str line, const struct where *w)
{
    size_t close = str_rchr(line, ')');
    struct str word[STAT_UTIME + STAT_TIMES];
    bool good = close != SIZE_MAX && str_u64(str_sub(line, 0, str_chr(line, ' ')), &x->c.pid) &&
                lines_words(str_sub(line, close + 1, SIZE_MAX), word, ARRAY_LEN(word)) == ARRAY_LEN(word);

    for (size_t i = 0; good && i < STAT_TIMES; i++) {
        uint64_t v;
        good = str_u64(word[STAT_UTIME + i], &v) && !__builtin_add_overflow(x->c.busy, v, &x->c.busy);
    }
    x->any = good;
    return good ? OK : bad_line(x, w);
}

static int take_whole(struct reading *x, struct str line, const struct where *w, struct err *e)
{
    struct str word[16];
    size_t n = lines_words(line, word, ARRAY_LEN(word));

    for (size_t i = 1; i < n; i++) {
        uint64_t v;
        if (!str_u64(word[i], &v) || __builtin_add_overflow(x->c.whole, v, &x->c.whole))
            return bad_line(x, w);
    }
    bool any = x->any;
    x->any = x->open = false;
    return any ? x->fn.cpu(x->arg, &x->c, e) : OK;
}

static int take_cpu(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct reading *x = arg;

    if (take_head(x, line, &x->c.name))
        return OK;
    if (is_number(line))
        return take_stat(x, line, w);
    return str_starts(line, STR("cpu")) ? take_whole(x, line, w, e) : OK;
}

int prof_process_cpu_read(struct prof *p, const struct prof_folder *f, prof_process_cpu_fn *fn, void *arg,
                          struct err *e)
{
    struct reading x = { .p = p, .fn.cpu = fn, .arg = arg };

    return prof_read_lines(p, f, f && f->host ? PROF_HOST_PID_CPU : PROF_PID_CPU, take_cpu, &x, e);
}

/* ---- memory: /proc/PID/statm, whose process is in the file's name ---- */

static uint64_t pid_of(const struct prof *p, uint32_t source)
{
    uint64_t pid = 0;

    for (size_t i = 0; i < p->in.n; i++) {
        struct str base = str_of(path_base(p->in.files[i]->rel));
        if (p->in.files[i]->id == source && str_u64(str_sub(base, 0, str_chr(base, '-')), &pid))
            return pid;
    }
    return 0;
}

static int take_mem(void *arg, struct str line, const struct where *w, struct err *e)
{
    struct reading *x = arg;
    struct str word[3];

    if (take_head(x, line, &x->m.name))
        return OK;
    if (!lines_words(line, word, 1)) {
        bool any = x->any;
        x->any = x->open = false;
        x->m.pid = pid_of(x->p, w->source_id);
        return any ? x->fn.mem(x->arg, &x->m, e) : OK;
    }
    if (!is_number(line))
        return OK;
    x->any = lines_words(line, word, 3) == 3 && str_u64(word[0], &x->m.size) &&
             str_u64(word[1], &x->m.resident) && str_u64(word[2], &x->m.shared);
    return x->any ? OK : bad_line(x, w);
}

int prof_process_mem_read(struct prof *p, const struct prof_folder *f, prof_process_mem_fn *fn, void *arg,
                          struct err *e)
{
    struct reading x = { .p = p, .fn.mem = fn, .arg = arg };

    return prof_read_lines(p, f, f && f->host ? PROF_HOST_PID_MEM : PROF_PID_MEM, take_mem, &x, e);
}
