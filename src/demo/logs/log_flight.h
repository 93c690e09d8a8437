/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the logs of demo: dumps of torch_npu's flight recorder and its status files. */
#ifndef NPUSCOPE_DEMO_LOGS_LOG_FLIGHT_H
#define NPUSCOPE_DEMO_LOGS_LOG_FLIGHT_H

#include "demo/logs/log_say.h"

/* What a rank dumps: folder (below that of the book), whether its collectives, the Python stack, when. */
struct log_dump {
    const char *dir;
    bool dumps; /* else only its status */
    const char *stack;
    int64_t ns;
};

/*
 * Writes them (doc/formats/logs.md#flight-recorder). Errors: ERR_IO, ERR_FULL, ERR_NOMEM.
 */
NODISCARD int log_flight_write(struct logs *l, int rank, const struct log_dump *d, struct err *e);

#endif
