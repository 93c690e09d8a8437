/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of Python and garbage collections of torch_npu (doc/formats/framework.md#python-calls). */
#ifndef NPUSCOPE_OFFLINE_TORCH_PYTHON_H
#define NPUSCOPE_OFFLINE_TORCH_PYTHON_H

#include "offline/run.h"
#include "parsers/framework/python.h"

struct torch_python {
    struct framework f; /* the ranges of calls alone */
    struct framework_python p;
};
/*
 * Read them with the clock of the run's framework; p.frame holds the calls in the order of upstream's files.
 * torch_python_done() is allowed after a failure. Errors: ERR_NOMEM, ERR_LIMIT, ERR_CANCELLED.
 */
NODISCARD int torch_python_read(struct offline_run *r, struct torch_python *x, struct err *e);
void torch_python_done(struct torch_python *x);

#endif
