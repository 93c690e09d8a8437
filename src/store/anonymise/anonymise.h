/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of a store in which names are replaced by aliases, for sharing. */
#ifndef NPUSCOPE_STORE_ANONYMISE_H
#define NPUSCOPE_STORE_ANONYMISE_H

#include "store/anonymise/aliases.h"
#include "store/store.h"

enum anonymise_part {
    ANONYMISE_WHOLE,
    ANONYMISE_COMPARED, /* the small tables that comparing ranks reads (analysis/peers.h, ending.h) */
};

/*
 * Keep the words of that part of s that are public, such as op types (aliases_keep()): of all stores before
 * the first one is copied, so that a name is treated alike in each. Errors: ERR_NOMEM, those of reading.
 */
NODISCARD int store_public_words(struct store *s, enum anonymise_part part, struct aliases *a, struct err *e);
/*
 * Copy that part of s into a private temporary database (gone with the store; tables that are not copied are
 * empty in it), in which every text went through the table of store/anonymise/columns.h: names are replaced
 * by aliases of a, which gets the new ones; tables of files without a parser, documents and columns nobody
 * knows are left out. *out is owned by the caller. Errors:
 * ERR_NOMEM, ERR_FULL, ERR_IO, ERR_CANCELLED (store_progress() of s), those of aliases_replace().
 */
NODISCARD int store_anonymise(struct store *s, enum anonymise_part part, struct aliases *a,
                              struct store **out, struct err *e);

#endif
