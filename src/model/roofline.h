/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The roofline of a rank: each op by its intensity (operations for each byte of its inputs and outputs) and
 * the rate it reaches, below two limits. Bytes are those of the shapes, each input and output moved once.
 * Limits: the peak that the profile's use of the chip is a share of; where it has none, and always for
 * memory, the most that an op of the run reached. Owns its rows; not thread-safe.
 */
#ifndef NPUSCOPE_MODEL_ROOFLINE_H
#define NPUSCOPE_MODEL_ROOFLINE_H

#include "model/view/view.h"
#include "run/opclass.h"

#define ROOF_OPS_MAX 200000 /* further ones of a run are not read */

struct roof_op {
    char name[256];                  /* the end of its name; raw bytes */
    enum op_class cls;               /* colour */
    double intensity;                /* operations a byte */
    double flops_per_s;              /* reached */
    double log_intensity, log_flops; /* log10 of the two: where it is drawn */
    double avg_ns;                   /* mean of an execution */
    double share;                    /* of what the roof allows at this intensity, 0..1 */
    double lost_ns;                  /* of an execution: what reaching the roof would save */
    bool by_memory;                  /* memory is the limit at this intensity */
};
struct roofline {
    struct roof_op *op; /* the one that loses most time first */
    size_t n;
    size_t unknown;       /* ops with FLOPs whose shapes, types or times are not known */
    size_t beyond;        /* ops after the first ROOF_OPS_MAX */
    double peak;          /* operations a second; NAN: no ops */
    bool peak_is_reached; /* the most that an op reached, as the profile has no peak */
    double bytes_per_s;   /* the most that an op moved */
};

/* Errors: ERR_NOMEM, ERR_IO, ERR_CANCELLED; out is empty then. n 0: neither counters nor shapes allow it. */
NODISCARD int roofline_make(struct roofline *out, const struct view_part *part,
                            const struct view_scope *scope, struct err *e);
void roofline_done(struct roofline *r);
/* Bytes of tensors, "32,3,224,224;64,3" with "FLOAT16;FLOAT"; 0: not known. */
double roofline_bytes(struct str shapes, struct str types);

#endif
