/* SPDX-License-Identifier: Apache-2.0 */
/* The stamp is in a file of its own, so that a change in a parser recompiles little. */
#include "config.h"

#include "store/stamp.h"

#include "store_stamp.h"

const char *store_stamp(void)
{
    return STORE_STAMP;
}
