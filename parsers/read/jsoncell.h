/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walking small JSON texts that lie in a CSV cell: no tree, no allocation, no recursion. Damage
 * ends the walk. Values are raw text of the input: strings without their quotes and with their
 * escapes, everything else as it stands.
 */
#ifndef NPUSCOPE_PARSERS_READ_JSONCELL_H
#define NPUSCOPE_PARSERS_READ_JSONCELL_H

#include <stdbool.h>

#include "base/str.h"

/* Next member of an object; *pos starts at 0. false at the end, at damage, or when text is no
 * object. */
bool jc_member(struct str object, size_t *pos, struct str *key, struct str *val, bool *is_string);
/* Next item of an array, the same way. */
bool jc_item(struct str array, size_t *pos, struct str *val, bool *is_string);
/* Value of a key. */
bool jc_find(struct str object, struct str key, struct str *val);

#endif
