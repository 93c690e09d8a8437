/* SPDX-License-Identifier: Apache-2.0 */
/* Words of ops that several sources spell differently: cores, shapes, names of communication
 * columns. Pure functions on views. */
#ifndef NPUSCOPE_PARSERS_READ_OPWORDS_H
#define NPUSCOPE_PARSERS_READ_OPWORDS_H

#include "base/str.h"

/* Canonical core (doc/store.md#op-tables): AIC, AIV, MIX, AICPU, HCCL ... for the source's word, or the word
 * itself. p NULL for an empty word. */
struct str op_core(struct str word);
/* Tensor shapes without the pair of quotes some exports put around them. */
struct str op_shapes(struct str s);
/* A row of totals among communication ops: "Total Op Info", of msprof "Total HCCL Operators". */
bool op_comm_is_total(struct str name);
/*
 * Name of a communication column of MindSpore 1.x (doc/formats/mindspore1.md#step_trace_raw):
 * stream_<stream>_<i>_<name>. *stream is -1 where the source has no number (stream_ops_...), *name the rest
 * after <i>, or all of it where the form is another.
 */
void op_comm_column(struct str column, int64_t *stream, struct str *name);

#endif
