/*
 * What planned memory of a run that was not analysed lacks: memory_usage_N.pb has short names of nodes and no
 * shapes; the ops of the same run have full names and tensors
 * (doc/formats/mindspore1.md#memory_usage_summary).
 */
#ifndef NPUSCOPE_MEM_NAMES_H
#define NPUSCOPE_MEM_NAMES_H

#include "store/fill/fill.h"

/*
 * Give nodes the full name of their op, and tensors that an op gives out shape, format and type of that
 * output. A short name that belongs to several ops says nothing, nor do ops of one name whose outputs differ.
 * After fill_settle(), between sources. Errors: of the store, ERR_NOMEM.
 */
NODISCARD int mem_names_write(struct fill *f, struct err *e);

#endif
