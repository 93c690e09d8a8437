/* SPDX-License-Identifier: Apache-2.0 */
/* Values of rows made from logs, where -1 and the empty text mean unknown. */
#ifndef NPUSCOPE_ANALYSIS_LOG_VALS_H
#define NPUSCOPE_ANALYSIS_LOG_VALS_H

#include "base/val.h"

static inline struct val log_number(int64_t v)
{
    return v >= 0 ? val_int(v) : val_null();
}
static inline struct val log_text(struct str s)
{
    return s.n ? val_text(s) : val_null();
}

#endif
