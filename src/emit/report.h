/*
 * What a making of vendor files (mindspore/analyse.h, msprof/msprof.h) wrote, could not write, and met in its input. Not thread-safe.
 */
#ifndef NPUSCOPE_EMIT_REPORT_H
#define NPUSCOPE_EMIT_REPORT_H

#include <stdatomic.h>

#include "base/err.h"
#include "run/inventory.h"
#include "store/sink.h"

/* What became of a file. */
enum vendor_outcome {
    VENDOR_WRITTEN,
    VENDOR_KEPT,    /* it exists, and force was not given */
    VENDOR_NO_DATA, /* why says what is missing */
    VENDOR_FAILED,  /* why says what went wrong */
};
struct vendor_result {
    int rank;
    const char *name; /* of the file */
    enum vendor_outcome outcome;
    uint64_t bytes;
    const char *why; /* NULL when written */
};
/* What was met in the input, as a parser notes it. */
struct vendor_note {
    const struct source_file *file; /* NULL: the run */
    uint64_t offset;                /* ERR_NO_OFFSET: unknown */
    uint32_t line;                  /* 0: unknown */
    const char *text;
    uint64_t more; /* further notes about the file that were left out: LIM_NOTES_PER_FILE */
};

/* Owns its texts. The caller frees it; results and notes live until it is added to or freed. Errors: ERR_NOMEM. */
struct vendor_report;
NODISCARD int vendor_report_new(struct vendor_report **out, struct err *e);
void vendor_report_free(struct vendor_report *r);
const struct vendor_result *vendor_report_results(const struct vendor_report *r, size_t *n);
const struct vendor_note *vendor_report_notes(const struct vendor_report *r, size_t *n);

/* ---- for those who make the files ---- */

/* Texts are copied; what does not fit into memory is left out. */
void vendor_report_add(struct vendor_report *r, const struct vendor_result *x);
void vendor_report_note(struct vendor_report *r, const struct vendor_note *x);
/* All of another one, without the notes that are there already. */
void vendor_report_join(struct vendor_report *r, const struct vendor_report *other);

/* A sink that takes nothing but notes, for readers of a unit's files: they go to the report. */
struct vendor_sink {
    struct sink sink;
    struct vendor_report *report;
    const struct unit *unit;
    bool (*cancelled)(void); /* NULL: never */
    const atomic_bool *stop; /* NULL: nobody else ends the work */
};
/* What it is given is borrowed as long as the sink is used. */
void vendor_sink_init(struct vendor_sink *s, struct vendor_report *report, const struct unit *u,
                      bool (*cancelled)(void));

/* After a file: an error that is about that file alone, and is in the report, is forgotten. false: e ends the work. */
bool vendor_goes_on(struct err *e);

#endif
