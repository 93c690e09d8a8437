/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sentences filled at run time with values that were kept as text, so that the sentence can be in another
 * language than where they come from.
 */
#ifndef NPUSCOPE_FILL_H
#define NPUSCOPE_FILL_H

#include "base/buf.h"

#define FILL_NEXT '\x1f' /* between values */

/*
 * Append form: "%s" is the next of the values, "%2$s" the second, "%%" a percent sign; a value that is not
 * there is nothing. translated: a value of several words goes through tr_sentence(), because
 * it may be a sentence itself.
 */
void fill_text(struct buf *out, const char *form, struct str values, bool translated);

/* Append the label in the language, with blanks up to this many cells: wide signs are two. */
void fill_label(struct buf *out, const char *label, size_t cells);

#endif
