/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making a struct flight_dump out of keys and values, whatever file they come from: for the pickle reader and
 * the JSON reader of this folder alone. All texts that are given are borrowed for the call.
 */
#ifndef NPUSCOPE_PARSERS_LOGS_FLIGHT_BUILD_H
#define NPUSCOPE_PARSERS_LOGS_FLIGHT_BUILD_H

#include "parsers/logs/flight.h"
#include "parsers/read/u64map.h"

/* A scalar: text has what the number cannot say. */
struct flight_value {
    enum { FV_NONE, FV_BOOL, FV_INT, FV_REAL, FV_TEXT } type;
    int64_t i; /* of FV_INT; 0 and 1 of FV_BOOL */
    double d;
    struct str text;
};

/* The three numbers of a group, kept until the entries have told which one it is. */
struct flight_status {
    int64_t pg_id, enqueued, started, completed;
};

struct flight_build {
    struct parse_ctx *c;
    struct flight_dump *d;
    size_t cap_groups, cap_entries, n_ranks, text_b;
    size_t oldest;                /* where the ring of entries begins */
    struct u64map of_name, of_id; /* name -> group + 1, pg_id -> status + 1 */
    struct flight_status *status;
    size_t n_status, cap_status;
    struct flight_entry now; /* the entry that is being filled */
    struct str now_group, now_desc;
    int64_t now_pg_id;
    bool has_name, now_bad;
    uint64_t incomplete, bad_values, unknown_states, cut_texts, over_groups, over_text;
    char unknown_word[40];
    bool is_dump; /* a key of a dump was met */
};

/* Begin an empty dump. Errors: ERR_NOMEM. */
NODISCARD int flight_build_init(struct flight_build *b, struct parse_ctx *c, struct err *e);
/* Free all but the dump. */
void flight_build_done(struct flight_build *b);
/* Join status and groups, put the entries in order, write the notes. */
void flight_build_end(struct flight_build *b);

/* A text that lives as long as the dump. p NULL: e is set, or the limit was reached (counted). */
struct str flight_keep(struct flight_build *b, struct str s, struct err *e);

/* A text of the top level ("version"). */
NODISCARD int flight_version(struct flight_build *b, const struct flight_value *v, struct err *e);
/* One value of a group's configuration: key "name", "desc", "ranks". */
NODISCARD int flight_config(struct flight_build *b, struct str group, struct str key,
                            const struct flight_value *v, struct err *e);
/* One of the three numbers of a group: id as text. */
NODISCARD int flight_status(struct flight_build *b, struct str id, struct str key,
                            const struct flight_value *v, struct err *e);

/* An entry: begin, values in any order (a later one of the same key wins), end. */
void flight_entry_begin(struct flight_build *b);
NODISCARD int flight_entry_set(struct flight_build *b, struct str key, const struct flight_value *v,
                               struct err *e);
/* Part 0 (name) or 1 (description) of its group. */
NODISCARD int flight_entry_group(struct flight_build *b, size_t part, struct str text, struct err *e);
/* Sizes, types, frames: whole texts. */
NODISCARD int flight_entry_text(struct flight_build *b, struct str key, struct str text, struct err *e);
NODISCARD int flight_entry_end(struct flight_build *b, struct err *e);

/* flight_json.c: the file of b->c as JSON. Errors: ERR_FORMAT (no JSON object), ERR_IO, ERR_NOMEM. */
NODISCARD int flight_read_json(struct flight_build *b, struct err *e);

#endif
