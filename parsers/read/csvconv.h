/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversions of CSV cells: what a kind's column map names, and what the engine does per cell. Pure
 * functions, exact (no double for times and sizes).
 */
#ifndef NPUSCOPE_PARSERS_READ_CSVCONV_H
#define NPUSCOPE_PARSERS_READ_CSVCONV_H

#include "base/val.h"

/*
 * Conversion of a cell. A null cell (csv_is_null) is NULL whatever the conversion. Text that does not fit is
 * NULL with note BAD_VALUE.
 */
/* clang-format off */
enum csv_conv {
    CV_SKIP,        /* known and not kept */
    CV_EXTRA,       /* known, kept in extra */
    CV_CELL,        /* text as it stands; borrowed until the next row */
    CV_RAW,         /* the same, but only an empty cell is NULL ("-" is text) */
    CV_STR,         /* interned */
    CV_SHAPES,      /* text without the pair of quotes around it */
    CV_CORE,        /* the canonical word for a core (parsers/read/opwords.h) */
    CV_INT,
    CV_ID,          /* integer; 4294967295 means not set */
    CV_DEVICE,      /* device number; "host" is NULL */
    CV_U64,
    CV_REAL,
    CV_NUMBER,      /* integer where it is one, else real */
    CV_PERCENT,     /* 0..100 to a ratio */
    /*
     * Durations to ns; a tick is 10 ns. The engine leaves out what is below zero, with a note, but for CV_MS
     * (differences).
     */
    CV_NS, CV_US, CV_MS, CV_TICK,
    CV_US_REAL, CV_MS_REAL,             /* computed times to real ns */
    CV_TS_NS, CV_TS_US, CV_TS_TICK,     /* instants to ns; 0 means not recorded */
    CV_B, CV_KB, CV_MB,                 /* sizes to bytes, 1024 */
    /*
     * of a writer that divides KB by 1000 in MindSpore's ascend_ms folders
     * (doc/formats/analysed.md#memory_record), else as CV_MB
     */
    CV_MB_1000,
    N_CSV_CONVS
};
/* clang-format on */

/*
 * A conversion as the engine's inner loop needs it. Codes up to OP_EXTRA keep nothing, those up to OP_CORE
 * are texts.
 */
enum csv_op_code {
    OP_SKIP,
    OP_EXTRA,
    OP_CELL,
    OP_RAW,
    OP_STR,
    OP_SHAPES,
    OP_CORE,
    OP_INT,
    OP_ID,
    OP_DEVICE,
    OP_U64,
    OP_REAL,
    OP_NUMBER,
    OP_PERCENT,
    OP_SCALED,
    OP_SCALED_REAL,
    OP_TS
};
struct csv_op {
    enum csv_op_code code;
    uint64_t mul;  /* of OP_SCALED, OP_SCALED_REAL, OP_TS */
    unsigned tens; /* mul is rest times ten to this power */
    uint64_t rest;
};
#define CSV_PAD                                                                                              \
    9 /* bytes that can be read from the start of a cell on, whatever its length: a sign and eight */

struct csv_op csv_op(enum csv_conv conv);
void csv_op_scale(struct csv_op *op, uint64_t mul);
/* Number of a cell (with its pad) that is not null; false when it is none. Not for texts. */
bool csv_apply(const struct csv_op *op, struct str cell, struct val *out);
/* Convert one text, null words to NULL; false when it is not of that kind. Not for texts (CV_CELL ...). */
bool csv_convert(enum csv_conv conv, struct str cell, struct val *out);

#endif
