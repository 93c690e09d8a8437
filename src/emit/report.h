/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Report of making upstream files (mindspore/analyse.h, msprof/msprof.h): what was written, what could not be
 * written, and what was met in the input. Not thread-safe.
 */
#ifndef NPUSCOPE_EMIT_REPORT_H
#define NPUSCOPE_EMIT_REPORT_H

#include <stdatomic.h>

#include "base/err.h"
#include "run/inventory.h"
#include "store/sink.h"

/* Outcome of a file. */
enum emit_outcome {
    EMIT_WRITTEN,
    EMIT_KEPT,    /* it exists, and force was not given */
    EMIT_NO_DATA, /* why says what is missing */
    EMIT_FAILED,  /* why says what went wrong */
};
struct emit_result {
    int rank;
    const char *name; /* of the file */
    enum emit_outcome outcome;
    uint64_t bytes;
    const char *why;    /* NULL when written */
    const char *path;   /* where it was written; NULL: name, in the folder of the results */
    const char *folder; /* of the rank, NULL: not said (emit_report_join_as()) */
};
/* A note of a parser about the input. */
struct emit_note {
    const struct source_file *file; /* NULL: the run */
    uint64_t offset;                /* ERR_NO_OFFSET: unknown */
    uint32_t line;                  /* 0: unknown */
    const char *text;
    uint64_t more; /* further notes about the file that were left out: LIM_NOTES_PER_FILE */
};

/*
 * Owns its texts. The caller frees it; results and notes live until it is added to or freed. Errors:
 * ERR_NOMEM.
 */
struct emit_report;
NODISCARD int emit_report_new(struct emit_report **out, struct err *e);
void emit_report_free(struct emit_report *r);
const struct emit_result *emit_report_results(const struct emit_report *r, size_t *n);
const struct emit_note *emit_report_notes(const struct emit_report *r, size_t *n);

/* ---- for those who make the files ---- */

/* Texts are copied; what does not fit into memory is left out. */
void emit_report_add(struct emit_report *r, const struct emit_result *x);
void emit_report_note(struct emit_report *r, const struct emit_note *x);
/* All of another one, without the notes that are there already. */
void emit_report_join(struct emit_report *r, const struct emit_report *other);

/* The same of the rank of this folder. */
void emit_report_join_as(struct emit_report *r, const struct emit_report *other, const char *folder);

/* A sink that takes nothing but notes, for readers of a unit's files: they go to the report. */
struct emit_sink {
    struct sink sink;
    struct emit_report *report;
    const struct unit *unit;
    bool (*cancelled)(void); /* NULL: never */
    const atomic_bool *stop; /* NULL: nobody else ends the work */
};
/* Its arguments are borrowed as long as the sink is used. */
void emit_sink_init(struct emit_sink *s, struct emit_report *report, const struct unit *u,
                    bool (*cancelled)(void));

/*
 * After a file: an error that is about that file alone, and is in the report, is forgotten. false: e ends the
 * work.
 */
bool emit_goes_on(struct err *e);

#endif
