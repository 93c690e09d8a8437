/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The language of people: English texts (msgids) to those of a catalogue that is part of the program
 * (po/LANGUAGE.po, packed into it when it is built, unpacked when it is chosen), because one static file has
 * no files beside it.
 *
 * The language is chosen once at the start and is the program's own state; without a choice everything is
 * English. Results live as long as the program. What --format writes is never translated, nor are names of
 * the data (doc/architecture.md#languages).
 */
#ifndef NPUSCOPE_TR_H
#define NPUSCOPE_TR_H

#include <stdbool.h>
#include <stddef.h>

/* Marks a msgid where it may not be translated yet: in tables, which are translated when they are drawn. */
#define N_(s) (s)

/* Marks the format of a sentence that base/lang/said.h translates when it is shown. */
#define SAID_(s) (s)

#define TR_FORMAT(n) __attribute__((format_arg(n)))

/* Values of the setting `language`; the first means: as the locale's variables say. */
#define TR_LANGUAGES "auto|en|zh_CN"

/*
 * Choose for the whole program. wish: one of TR_LANGUAGES, NULL for auto. utf8: what is written to shows it;
 * all is English when it does not.
 */
void tr_choose(const char *wish, bool utf8);
/*
 * Choose the language of messages alone, as for auto: what stands on standard error, and sentences that were
 * made in English (base/lang/said.h). tr_choose() chooses it, too.
 */
void tr_choose_messages(bool utf8);
/* The language that LC_ALL, LC_MESSAGES, LANG and LANGUAGE ask for; "en" when it is none of ours. */
const char *tr_of_environment(void);
/* The one in force. */
const char *tr_language(void);
bool tr_is_english(void);

/* The text for a msgid; msgid itself where there is none. */
const char *tr(const char *msgid) TR_FORMAT(1);
/* The same for words that mean something else elsewhere: titles, labels of keys. */
const char *tr_pane(const char *title);
const char *tr_view(const char *title);
const char *tr_column(const char *title);
const char *tr_key(const char *label);
/* What is counted, after a number: "24 types". */
const char *tr_unit(const char *plural);

/* A catalogue: sorted by msgid, then by context ("" without one), as strcmp() sorts. */
struct tr_entry {
    const char *msgid, *context, *text;
};
/* The catalogue of messages, *n entries; NULL: they are English. */
const struct tr_entry *tr_messages(size_t *n);
/* tr() in the language of messages. */
const char *tr_message(const char *msgid) TR_FORMAT(1);
/* A catalogue as it is built in: compressed (gzip), and how many bytes it unpacks to (po/table.awk). */
struct tr_packed {
    const unsigned char *p;
    size_t n, unpacked;
};
extern const struct tr_packed tr_zh_CN;

#endif
