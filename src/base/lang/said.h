/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sentences that were made in English: errors, messages, notes of a store. They are kept and passed on as
 * text, so their format is looked for in the catalogue (context "said", doc/architecture.md#languages) when
 * they are shown, and filled with the values that stand in the text.
 */
#ifndef NPUSCOPE_SAID_H
#define NPUSCOPE_SAID_H

#include "base/err.h"

/*
 * The sentence in the language of messages (base/lang/tr.h); text itself where no format of the catalogue can
 * have made it. A value of several words may be a text or a sentence of the program itself. buf holds the
 * result when it is another than text.
 */
const char *tr_said(const char *text, char *buf, size_t n);
/* The same in the language of tr(): what --format writes is English whatever the messages are. */
const char *tr_sentence(const char *text, char *buf, size_t n);
/* err_message() in the language of messages. */
const char *tr_said_error(const struct err *e, char *buf, size_t n);
/* Parts of sentences that stand in no format of their own; NULL ends them. For po/msgids.c. */
extern const char *const said_parts[];

#endif
