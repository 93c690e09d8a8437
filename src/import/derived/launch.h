/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From launch to run: how long after the host call that launched it an execution began on its device
 * (doc/store.md#launches).
 */
#ifndef NPUSCOPE_LAUNCH_H
#define NPUSCOPE_LAUNCH_H

#include "import/import.h"
#include "store/fill/fill.h"

/*
 * Make table op_launch anew from the executions and the arrows of the timeline. unread: panes (bits) whose
 * files were left for later; the table stays empty while it needs them. Call it after fill_settle(), between
 * sources. Errors: of the store, ERR_NOMEM, ERR_LIMIT.
 */
NODISCARD int launch_write(struct fill *f, unsigned unread, struct err *e);

#endif
