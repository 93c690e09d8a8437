/*
 * Files of one topic, of which one set feeds the store and another, of lower priority, stays unread: small
 * ones are read for what they say (import/agree/agree.h).
 */
#ifndef NPUSCOPE_IMPORT_AGREE_AGREE_FILES_H
#define NPUSCOPE_IMPORT_AGREE_AGREE_FILES_H

#include "import/import_int.h"
#include "import/plan.h"

#define AGREE_FILES_B ((uint64_t)1 << 20) /* a larger set stays unread */

/*
 * Compare the set, which feeds nothing, with what whole files of its topic put into the store. Nothing is
 * said where it is damaged, too large or of no kind that is compared. Between files. Errors: of the store,
 * ERR_NOMEM, ERR_CANCELLED.
 */
NODISCARD int agree_files(struct importer *im, const struct plan_set *second, struct err *e);

#endif
