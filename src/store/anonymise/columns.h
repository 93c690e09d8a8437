/* SPDX-License-Identifier: Apache-2.0 */
/* What each text column of a store holds, for copies that are shared (doc/store.md#anonymised-copies). */
#ifndef NPUSCOPE_STORE_ANONYMISE_COLUMNS_H
#define NPUSCOPE_STORE_ANONYMISE_COLUMNS_H

#include "store/anonymise/aliases.h"
#include "store/schema.h"

enum text_kind {
    TX_OP,   /* names of ops, scopes, tensors, functions of the user's program */
    TX_PATH, /* paths, call stacks, command lines */
    TX_HOST,
    TX_USER,
    TX_PUBLIC, /* words that profilers and libraries define; a word there is public wherever it occurs */
    TX_FIXED,  /* words of npuscope and numbers: left as they are */
    TX_PROSE,  /* sentences, labels and values that may hold names */
    TX_KEY,    /* keys and ids: words of profilers, and addresses of hosts */
    TX_KEYED,  /* values whose key says what they are: anonymise_keys */
    TX_DROP,   /* what nobody can say: left out */
    N_TEXT_KINDS
};

struct anonymise_column {
    const char *table, *column;
    enum text_kind kind;
};
extern const struct anonymise_column anonymise_columns[];
extern const size_t n_anonymise_columns;
/* Kind of a text column of the schema; TX_DROP for one that the table does not know. */
enum text_kind anonymise_kind(const char *table, const char *column);

/* Kind of a fact by its key ("prof.info.hostname"), as setting and meta have them. */
enum text_kind anonymise_kind_of_key(struct str key);
/* Kind of the names of events on a track. */
enum text_kind anonymise_kind_of_events(struct str track_kind, struct str process);

#endif
