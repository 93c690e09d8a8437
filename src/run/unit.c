/* SPDX-License-Identifier: Apache-2.0 */
/* A unit that is there: paths of its files, the key of its input. */
#include "config.h"

#include "run/inventory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int unit_path(const struct unit *u, struct source_file *f, struct err *e)
{
    if (!f->path)
        f->path = arena_printf(u->a, "%s/%s", u->root, f->rel);
    return f->path ? OK : err_nomem(e);
}

int unit_paths(const struct unit *u, struct err *e)
{
    for (size_t i = 0; i < u->n_files; i++) {
        struct source_file *f = u->files[i];
        bool is_read = f->regular && !f->kind->names_only && strcmp(f->kind->id, "unknown") != 0;
        if (is_read && unit_path(u, f, e))
            return e->code;
    }
    return OK;
}

const char *unit_path_of(const struct unit *u, const struct source_file *f, char buf[PATH_MAX])
{
    if (f->path)
        return f->path;
    snprintf(buf, PATH_MAX, "%s/%s", u->root, f->rel); /* longer ones have their own */
    return buf;
}

size_t unit_count_files(const struct unit *u)
{
    size_t n = 0;

    for (size_t i = 0; i < u->n_files; i++)
        n += u->files[i]->regular;
    return n;
}

const char *unit_writer(const struct unit *u)
{
    /* option of a kind that no profiler writes begins so (doc/formats/analysed.md#registry) */
    static const char *const tools[] = { "msMonitor", "msMemScope", "msOpProf", "torch.npu.memory" };

    for (size_t i = 0; u->gen == GEN_UNKNOWN && i < u->n_files; i++)
        for (size_t k = 0; u->files[i]->kind->option && k < ARRAY_LEN(tools); k++)
            if (str_starts(str_of(u->files[i]->kind->option), str_of(tools[k])))
                return tools[k];
    return gen_title(u->gen);
}

struct str unit_window_steps(const struct unit *u)
{
    struct str name = str_of(u->window);
    size_t at = str_find(name, STR("_start"), 0);

    return at == SIZE_MAX ? STR_NULL : str_sub(name, at, SIZE_MAX);
}

const char *prefer_word(enum prefer p)
{
    static const char *const words[] = { "text", "db", "raw" };

    return p < N_PREFERS ? words[p] : NULL;
}

const struct unit *job_find_unit(const struct job *j, const char *root)
{
    for (size_t i = 0; i < j->n_units; i++)
        if (strcmp(j->units[i]->root, root) == 0)
            return j->units[i];
    return NULL;
}

/*
 * FNV-1a, twice with different starts: it has to show changes, not to resist attacks (the cache is the user's
 * own).
 */
static uint64_t hash_more(uint64_t h, const void *p, size_t n)
{
    const unsigned char *s = p;

    for (size_t i = 0; i < n; i++)
        h = (h ^ s[i]) * UINT64_C(0x100000001b3);
    return h;
}

char *unit_input_key(const struct unit *u)
{
    uint64_t h[2] = { UINT64_C(0xcbf29ce484222325), UINT64_C(0x6c62272e07bb0142) };
    char *key = malloc(96);

    for (size_t i = 0; key && i < u->n_files; i++) {
        const struct source_file *f = u->files[i];
        uint64_t fact[3] = { f->ino, f->size_b, (uint64_t)f->mtime_ns };

        if (!f->regular)
            continue;
        for (int k = 0; k < 2; k++) {
            h[k] = hash_more(h[k], f->rel, strlen(f->rel) + 1);
            h[k] = hash_more(h[k], fact, sizeof(fact));
        }
    }
    if (key)
        snprintf(key, 96, "%zu files %" PRIu64 " bytes %016" PRIx64 "%016" PRIx64 "%s%s", unit_count_files(u),
                 u->bytes, h[0], h[1], u->prefer ? " " : "", u->prefer ? prefer_word(u->prefer) : "");
    return key;
}
