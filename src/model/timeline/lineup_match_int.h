/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of struct lineup_match, for model/timeline/lineup_match.c (names and tracks) and
 * model/timeline/lineup_match_events.c (events).
 */
#ifndef NPUSCOPE_MODEL_TIMELINE_LINEUP_MATCH_INT_H
#define NPUSCOPE_MODEL_TIMELINE_LINEUP_MATCH_INT_H

#include "model/timeline/lineup_match.h"
#include "model/timeline/timeline_int.h"

#define TESTS_MOST  64
#define BITS_MOST   65536 /* bits for the positions of a track's matches */
#define LANE_BITS   8192  /* the same for each of its lanes */
#define LANES_MOST  64
#define BITS_A_CELL 8 /* bits: cells at least so wide are looked up, others are made from the events */

enum what { W_NAME, W_SEARCH, W_ROW, W_TRACK, W_CATEGORY, W_KIND, W_START, W_DURATION, W_DEPTH };

struct test {
    enum what what;
    const struct filter_test *t; /* NULL: the search */
};

/* Positions of matches: bit i stands for [t0 + (i << shift), ...). */
struct places {
    uint64_t *bit;
    size_t n;
    int shift;
};

enum fate { F_NONE, F_ALL, F_SOME };

struct track_match {
    enum fate fate;
    uint64_t by_name, by_number; /* tests that have to be made with its events */
    const uint8_t *names;        /* a byte for each name that passes by_name; NULL: all do */
    bool counted;
    bool failed; /* it could not be counted to its end: its positions are not known */
    uint64_t count;
    struct places all, *lane; /* lane: an array of lanes, NULL: one lane, or too many */
};

/* Tests of names in one store. */
struct part_match {
    size_t n_names;
    uint8_t *hit[TESTS_MOST]; /* by name id, without negation; NULL: not a test of names */
    struct combo {
        uint64_t tests;
        uint8_t *names;
    } * combo; /* results for sets of tests that some tracks need */
    size_t n_combos;
};

struct lineup_match {
    struct lineup *l;
    int64_t zero;
    struct test test[TESTS_MOST];
    size_t n_tests;
    struct re *search;
    struct part_match *part;
    struct track_match *track;
    uint64_t count, of;
    size_t undecided;
    bool failed; /* counting of some track failed */
    struct tl_grid grid;
    size_t at; /* track that is being counted */
    bool walking;
    struct chunk_walk walk;
};

void match_places_free(struct track_match *x, int lanes);

#endif
