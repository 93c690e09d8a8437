/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as a strict reader takes it (RFC 8259): what a job's own parser would refuse. */
#ifndef NPUSCOPE_CONFIGURE_JSON_STRICT_H
#define NPUSCOPE_CONFIGURE_JSON_STRICT_H

#include "base/str.h"

#define UTF8_BOM "\xEF\xBB\xBF" /* as editors of Windows put it before a text */
#define JSON_BOM "a byte order mark, which JSON does not have: save the file as UTF-8 without one"

/* NULL: text is one JSON value, at most 64 deep; else what is wrong, and *at where. */
const char *json_strict(struct str text, size_t *at);

#endif
