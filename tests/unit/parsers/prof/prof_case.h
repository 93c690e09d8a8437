/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A PROF folder made in the test (doc/formats/prof.md#metadata, #host-records): its info files, records of
 * its files, and opening it.
 */
#ifndef NPUSCOPE_TESTS_UNIT_PARSERS_PROF_PROF_CASE_H
#define NPUSCOPE_TESTS_UNIT_PARSERS_PROF_PROF_CASE_H

#include <string.h>

#include "import/import.h"
#include "parsers/prof/prof.h"
#include "parsers/prof/prof_layout.h"
#include "store/sink_count.h"
#include "tests/lib/prof_info_files.h"
#include "tests/unit/parsers/mindspore/records/record_case.h"

/* The info files of host and device_0. */
static inline void prof_info_files(const struct tree *t, int chip)
{
    char text[1000];

    snprintf(text, sizeof text, PROF_HOST_JSON, chip);
    tree_file(t, PROF_NAME "/host/info.json", text);
    snprintf(text, sizeof text, PROF_DEVICE_JSON, chip);
    tree_file(t, PROF_NAME "/device_0/info.json.0", text);
    tree_file(t, PROF_NAME "/host/start_info", PROF_START);
    tree_file(t, PROF_NAME "/device_0/start_info.0", PROF_START);
    tree_file(t, PROF_NAME "/host/host_start.log", PROF_HOST_LOG);
    tree_file(t, PROF_NAME "/device_0/host_start.log.0", PROF_HOST_LOG);
    tree_file(t, PROF_NAME "/device_0/dev_start.log.0", PROF_DEVICE_LOG);
    tree_file(t, PROF_NAME "/device_0/sample.json", PROF_SAMPLE);
}

/* Head of a compact (64 bytes) or additional (256) record; the rest is zero. */
static inline void prof_head(unsigned char *p, size_t n, unsigned level, uint32_t type, uint32_t thread,
                             uint64_t time)
{
    memset(p, 0, n);
    put_le(p, PROF_HOST_MARK, 2);
    put_le(p + 2, level, 2);
    put_le(p + 4, type, 4);
    put_le(p + 8, thread, 4);
    put_le(p + 12, n - 24, 4);
    put_le(p + 16, time, 8);
}

/* An api_event record of a call. */
static inline void prof_api(unsigned char *p, unsigned level, uint32_t type, uint32_t thread, uint64_t begin,
                            uint64_t end, uint64_t item)
{
    memset(p, 0, 40);
    put_le(p, PROF_HOST_MARK, 2);
    put_le(p + 2, level, 2);
    put_le(p + 4, type, 4);
    put_le(p + 8, thread, 4);
    put_le(p + 16, begin, 8);
    put_le(p + 24, end, 8);
    put_le(p + 32, item, 8);
}

/* Everything of an opened folder; end it with prof_case_close(). */
struct prof_case {
    struct job *job;
    struct sink_count *notes;
    struct prof *p;
};
static inline int prof_case_open(struct prof_case *c, const struct tree *t, struct err *e)
{
    *c = (struct prof_case){ .p = NULL };
    assert_int_equal(import_scan(&c->job, tree_path(t, PROF_NAME), e), OK);
    assert_int_equal(sink_count_new(&c->notes, e), OK);
    const struct unit *u = c->job->units[0];
    const struct prof_input in = { .files = (const struct source_file *const *)u->files,
                                   .n = u->n_files,
                                   .root = STR(""),
                                   .device = -1,
                                   .run = &u->info,
                                   .notes = sink_count_sink(c->notes) };
    return prof_open(&c->p, &in, e);
}
static inline void prof_case_close(struct prof_case *c)
{
    prof_close(c->p);
    sink_count_free(c->notes);
    job_free(c->job);
}

#endif
