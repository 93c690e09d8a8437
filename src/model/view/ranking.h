/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The natural order (str_cmp_natural) of the texts of a column, or of the same column of several ranks: one
 * number (rank) per text, equal for equal texts. It is made in slices, because 10^6 names take a second;
 * texts are kept compressed.
 *
 * A ranking borrows its lists.
 */
#ifndef NPUSCOPE_MODEL_VIEW_RANKING_H
#define NPUSCOPE_MODEL_VIEW_RANKING_H

#include <stdbool.h>

#include "model/view/texts.h"

struct ranking;

NODISCARD int ranking_new(struct ranking **out, const struct texts *const *lists, size_t n, struct err *e);
void ranking_free(struct ranking *r);
/*
 * Go on until about until_ns (model/view/slice.h). *done: ranking_take() gives the result. Errors: ERR_NOMEM.
 */
NODISCARD int ranking_step(struct ranking *r, int64_t until_ns, bool *done, struct err *e);
/* Ranks of list i by code (text k has code k + 1; [0] is unused); the caller frees them. */
uint32_t *ranking_take(struct ranking *r, size_t i);

/*
 * The first (or last, when desc) max texts of one list among those with used[code] set. codes gets their
 * codes in order, *n their number. One pass, for the first page of a table.
 */
NODISCARD int ranking_top(const struct texts *t, const uint8_t *used, bool desc, uint32_t *codes, size_t max,
                          size_t *n, struct err *e);

#endif
