/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which CPython goes through a set of integers (Objects/setobject.c of 3.7 to 3.12): threads of
 * a trace are written in it. Pure.
 */
#ifndef NPUSCOPE_OFFLINE_PYSET_H
#define NPUSCOPE_OFFLINE_PYSET_H

#include <stdint.h>

#include "base/err.h"

/* n distinct numbers in the order in which they were added come into that order. ERR_NOMEM. */
NODISCARD int pyset_order(uint64_t *v, size_t n, struct err *e);

#endif
