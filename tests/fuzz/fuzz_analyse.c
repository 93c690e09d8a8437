/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole analysis of raw data on a folder of any files (fuzz_folder.h). The bytes before the first file
 * are '0' and more: mode, rules of which version, line breaks. Files of the output are whole, what is
 * reported is what is there, and nothing else is.
 */
#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/read/json_stream.h"
#include "mindspore/analyse.h"
#include "parsers/registry.h"
#include "tests/fuzz/fuzz_folder.h"

#define RANKS_MAX 2

static struct mindspore_options options_of(const uint8_t *data, size_t size)
{
    const uint8_t head[3] = { size > 0 ? data[0] : '0', size > 1 ? data[1] : '0', size > 2 ? data[2] : '0' };
    struct mindspore_options o = { .mode = (enum mindspore_mode)((head[0] - '0') & 0xffu) };
    size_t n = 0;

    o.mode = (enum mindspore_mode)((unsigned)o.mode % (MINDSPORE_CPU + 1));
    while (mindspore_rules_at(n))
        n++;
    size_t which = (uint8_t)(head[1] - '0') % (n + 1); /* 0: as the data says */
    o.rules = which ? mindspore_rules_at(which - 1) : NULL;
    o.pretty = (uint8_t)(head[2] - '0') & 1;
    return o;
}

/*
 * A document is whole and plain ASCII; the vendor's flops_utilization_step is a line of text, whatever its
 * name says.
 */
static void check_json(const char *path, const char *name)
{
    struct infile *f = NULL;
    struct js *j = NULL;
    struct err e = ERR_INIT;
    enum js_token tok = JS_END;
    struct str text;
    char *all = NULL;
    size_t n = 0;

    if (!str_ends(str_of(name), STR(".json")) || str_starts(str_of(name), STR("flops_utilization_step")))
        return;
    FUZZ_CHECK(infile_open(&f, path, (size_t)1 << 16, &e) == OK && js_new(&j, f, &e) == OK);
    do {
        FUZZ_CHECK(js_next(j, &tok, &text, &e) == OK);
    } while (tok != JS_END && tok != JS_BAD);
    if (tok == JS_BAD)
        fuzz_broken(js_problem(j), name, (int)js_line(j));
    js_free(j);
    infile_close(f);
    FUZZ_CHECK(infile_read_all(path, (size_t)64 << 20, &all, &n, &e) == OK);
    for (size_t i = 0; i < n; i++)
        FUZZ_CHECK((unsigned char)all[i] < 0x80);
    free(all);
}

/* Files in the output folder, also in folders of it. */
static size_t count_files(const char *dir)
{
    char path[4096];
    struct dirent *d;
    struct stat st;
    size_t n = 0;
    DIR *h = opendir(dir);

    FUZZ_CHECK(h);
    while ((d = readdir(h)) != NULL) {
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", dir, d->d_name);
        FUZZ_CHECK(lstat(path, &st) == 0);
        n += S_ISDIR(st.st_mode) ? count_files(path) : 1;
    }
    closedir(h);
    return n;
}

static void check_results(const struct emit_report *r, const char *dir)
{
    size_t n, n_notes, written = 0;
    const struct emit_result *x = emit_report_results(r, &n);
    const struct emit_note *note = emit_report_notes(r, &n_notes);
    char path[4096];
    struct stat st;

    for (size_t i = 0; i < n; i++) {
        FUZZ_CHECK(x[i].name[0] && (x[i].outcome == EMIT_WRITTEN || x[i].why));
        snprintf(path, sizeof path, "%s/%s", dir, x[i].name);
        if (x[i].outcome != EMIT_WRITTEN)
            continue;
        FUZZ_CHECK(stat(path, &st) == 0 && (uint64_t)st.st_size == x[i].bytes);
        check_json(path, x[i].name);
        written++;
    }
    FUZZ_CHECK(count_files(dir) == written);
    for (size_t i = 0; i < n_notes; i++)
        FUZZ_CHECK(note[i].text[0]);
}

static void analyse(const struct unit *u, int rank, struct mindspore_options o)
{
    struct emit_report *r = NULL;
    struct err e = ERR_INIT;

    o.dir = fuzz_folder_out();
    FUZZ_CHECK(emit_report_new(&r, &e) == OK);
    int rc = mindspore_analyse(u, rank, &o, r, &e);
    FUZZ_CHECK(rc == e.code && (rc == OK || (rc == ERR_FORMAT && e.text[0])));
    check_results(r, o.dir);
    emit_report_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct inventory_tables t = registry_tables();
    struct mindspore_options o = options_of(data, size);
    struct job *j = NULL;
    struct err e = ERR_INIT;

    if (job_scan(&j, fuzz_folder(data, size), &t, &e))
        FUZZ_CHECK(e.code == ERR_FORMAT && e.text[0]);
    for (size_t i = 0; j && i < j->n_units; i++)
        for (size_t k = 0; k < j->units[i]->info.n_ranks && k < RANKS_MAX; k++)
            analyse(j->units[i], j->units[i]->info.ranks[k].rank, o);
    job_free(j);
    return 0;
}
