/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tokens of JSON, Python and shell text, with their offsets: liberal, so that a reader can say what is wrong
 * with one. A cursor over borrowed text; no memory of its own, no recursion.
 */
#ifndef NPUSCOPE_CONFIGURE_TOKENS_H
#define NPUSCOPE_CONFIGURE_TOKENS_H

#include "base/buf.h"

enum token_kind {
    TK_END,
    TK_STRING,  /* in double or single quotes, which are part of the token */
    TK_NUMBER,  /* also -1, 1.5e3 */
    TK_NAME,    /* letters, digits, '_', '.' */
    TK_MARK,    /* one character */
    TK_COMMENT, /* from '#' to the end of the line */
    TK_OPEN     /* a string without its end */
};

struct token {
    enum token_kind kind;
    size_t at, n; /* bytes of the text */
};

/* The token at or after *at, which is moved past it. */
struct token token_next(struct str text, size_t *at);
/* The same without comments. */
struct token token_code(struct str text, size_t *at);
/* The text of a token is one mark. */
bool token_is(struct str text, struct token t, char mark);
/*
 * Past the value that begins with t: a bracket and what is in it, or one token. false: they do not
 * close, or lie 65 deep. */
bool token_skip(struct str text, struct token t, size_t *at);
/* Append what a string stands for: escapes of JSON and Python undone. */
void token_string(struct str text, struct token t, struct buf *out);
/* 1-based line and column (in bytes) of an offset. */
void token_place(struct str text, size_t at, size_t *line, size_t *column);

#endif
