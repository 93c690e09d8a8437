/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Speed of the tokenizers alone, for pack/check_scan.sh: how fast a trace (js_event) or a table (csv_row) is
 * read, without parser and store.
 *
 * usage: scan json|csv|read FILE [ROUNDS]
 *
 * Prints the kind, rows, bytes and the least time of ROUNDS (3) by byte, in ns of processor time. "read" only
 * takes the bytes from the file: what the other two have in common.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/read/csv.h"
#include "base/read/json_stream.h"

static int scan_json(struct infile *f, uint64_t *rows, struct err *e)
{
    struct js *j = NULL;
    struct js_event ev;
    enum js_event_status st = JS_EV_EVENT;
    int rc = js_new(&j, f, e);

    while (rc == OK && st != JS_EV_END) {
        rc = js_event(j, &st, &ev, e);
        *rows += rc == OK && st == JS_EV_EVENT;
    }
    js_free(j);
    return rc;
}

static int scan_csv(struct infile *f, uint64_t *rows, struct err *e)
{
    struct csv *c = NULL;
    const struct str *cells;
    size_t n;
    enum csv_status st = CSV_ROW;
    int rc = csv_new(&c, f, ',', e);

    while (rc == OK && st != CSV_END) {
        rc = csv_row(c, &st, &cells, &n, e);
        *rows += rc == OK && st == CSV_ROW;
    }
    csv_free(c);
    return rc;
}

static int scan_read(struct infile *f, uint64_t *rows, struct err *e)
{
    size_t n = 1;
    int rc = OK;

    (void)rows;
    while (rc == OK && n > 0) {
        rc = infile_more(f, &n, e);
        infile_data(f, &n);
        infile_take(f, n);
    }
    return rc;
}

static double cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int one_round(const char *kind, const char *path, uint64_t *rows, uint64_t *bytes, struct err *e)
{
    struct infile *f = NULL;
    int rc = infile_open(&f, path, 0, e);

    *rows = 0;
    if (rc == OK)
        rc = strcmp(kind, "json") == 0  ? scan_json(f, rows, e)
             : strcmp(kind, "csv") == 0 ? scan_csv(f, rows, e)
                                        : scan_read(f, rows, e);
    if (rc == OK)
        *bytes = infile_offset(f);
    infile_close(f);
    return rc;
}

int main(int argc, char **argv)
{
    uint64_t rows = 0, bytes = 0;
    double least = 0;
    struct err e = { 0 };

    if (argc < 3) {
        fprintf(stderr, "usage: scan json|csv|read FILE [ROUNDS]\n");
        return 2;
    }
    long rounds = argc > 3 ? strtol(argv[3], NULL, 10) : 3;
    for (long i = 0; i < rounds; i++) {
        double began = cpu_ns();
        if (one_round(argv[1], argv[2], &rows, &bytes, &e)) {
            fprintf(stderr, "scan: %s: %s\n", argv[2], e.text);
            return 1;
        }
        double took = cpu_ns() - began;
        if (i == 0 || took < least)
            least = took;
    }
    printf("%s %llu rows %llu bytes %.3f ns/byte\n", argv[1], (unsigned long long)rows,
           (unsigned long long)bytes, least / (double)bytes);
    return 0;
}
