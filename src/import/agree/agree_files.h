/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a set of files feeds the store, another set of the same topic and of lower priority stays unread. If
 * it is small it is read all the same and compared with the first (import/agree/agree.h).
 */
#ifndef NPUSCOPE_IMPORT_AGREE_AGREE_FILES_H
#define NPUSCOPE_IMPORT_AGREE_AGREE_FILES_H

#include "import/import_int.h"
#include "import/plan.h"

#define AGREE_FILES_B ((uint64_t)1 << 20) /* a larger set stays unread */

/*
 * Compare the set, which feeds nothing, with what whole files of its topic put into the store. Does nothing
 * when the set is damaged, too large or of no kind that is compared. Call it between files. Errors: of the
 * store, ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int agree_files(struct importer *im, const struct plan_set *second, struct err *e);

#endif
