/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for every file that is written. */
#include "config.h"

#include "tests/fuzz/fuzz_written.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/read/infile.h"
#include "base/read/json_stream.h"
#include "tests/fuzz/fuzz.h"

#define FILE_MAX_B ((size_t)64 << 20)
#define LISTS      "minddata_pipeline_summary_" /* as upstream: a name and its values, of any number */

static void check_json(const char *path)
{
    struct infile *f = NULL;
    struct js *j = NULL;
    struct err e = ERR_INIT;
    enum js_token tok = JS_END;
    struct str text;

    FUZZ_CHECK(infile_open(&f, path, (size_t)1 << 16, &e) == OK && js_new(&j, f, &e) == OK);
    do {
        FUZZ_CHECK(js_next(j, &tok, &text, &e) == OK);
    } while (tok != JS_END && tok != JS_BAD);
    if (tok == JS_BAD)
        fuzz_broken(js_problem(j), path, (int)js_line(j));
    js_free(j);
    infile_close(f);
}

/* Cells of a row that begins at p; *next: behind it. Quotes are doubled within quotes. */
static size_t cells_of(const char *p, const char *end, const char **next)
{
    bool quoted = false;
    size_t n = 1;

    for (; p < end && (quoted || *p != '\n'); p++) {
        quoted ^= *p == '"';
        n += !quoted && *p == ',';
    }
    FUZZ_CHECK(!quoted);
    *next = p < end ? p + 1 : end;
    return n;
}

static void check_csv(const char *path)
{
    struct err e = ERR_INIT;
    char *all = NULL;
    size_t n = 0;

    FUZZ_CHECK(infile_read_all(path, FILE_MAX_B, &all, &n, &e) == OK && n > 0);
    const char *p = all, *end = all + n;
    size_t cells = cells_of(p, end, &p);
    for (int line = 2; p < end; line++)
        if (cells_of(p, end, &p) != cells)
            fuzz_broken("as many cells as in the first row", path, line);
    free(all);
}

size_t fuzz_written(const char *dir)
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
        n += !S_ISDIR(st.st_mode);
        if (S_ISDIR(st.st_mode))
            n += fuzz_written(path);
        else if (str_ends(str_of(path), STR(".json")))
            check_json(path);
        else if (str_ends(str_of(path), STR(".csv")) && !str_starts(str_of(d->d_name), STR(LISTS)))
            check_csv(path);
    }
    closedir(h);
    return n;
}
