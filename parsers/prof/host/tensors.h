/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to parsers/prof: texts of an op's tensors (doc/formats/prof.md#additional-records, #enum-values).
 */
#ifndef NPUSCOPE_PARSERS_PROF_HOST_TENSORS_H
#define NPUSCOPE_PARSERS_PROF_HOST_TENSORS_H

#include "parsers/prof/host/host.h"

#define PROF_TENSORS_MAX 1024 /* of an op; further ones are left out */

/* Name of a data type, and of a format (its low byte); p NULL: the number has none. */
struct str prof_data_type_word(uint32_t type);
struct str prof_format_word(uint32_t format);
/*
 * The texts of tensors of 44 bytes each, as records hold them; at most PROF_TENSORS_MAX. A side without
 * tensors has PROF_NONE for its texts. Errors: ERR_NOMEM.
 */
NODISCARD int prof_tensor_texts(struct prof_tensors *out, struct prof *p, struct str tensors, struct err *e);

#endif
