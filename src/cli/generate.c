/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that only documents show. */
#include "config.h"

#include "cli/generate.h"

#include "model/view/view.h"

const struct filter_form filter_forms[] = {
    { "text",
      "rows whose main column contains the text, whatever the case; dots and stars are just "
      "characters",
      "conv2d", "ops.op" },
    { "a|b", "one of several texts", "conv|matmul", "ops.op" },
    { "^text, text$", "a regular expression on the main column", "^BN|Relu", "ops.type" },
    { "column~pattern",
      "a regular expression (PCRE2, whatever the case; (?-i) changes that) finds something "
      "in the column",
      "op_name~layer[34]/.*conv", "ops.op" },
    { "column!~pattern", "it finds nothing", "type!~^BN", "ops.type" },
    { "column=value", "the same value", "core=AICPU", "ops.type" },
    { "column!=value", "another value", "core!=HCCL", "ops.type" },
    { "column>number", "also >=, < and <=; numbers may have a unit", "total_ns>100us", "ops.type" },
    { "column in a,b,c", "one of a list", "core in AIC,AIV", "ops.type" },
    { "column between a..b", "in a range, ends included", "step between 60..80", "steps.fpbp" },
    { "column in a..b", "the same", "step in 60..80", "steps.fpbp" },
    { "/pattern/", "a regular expression on the whole row, cells parted by tabs", "/Conv2D.*5\\/conv/",
      "ops.op" },
    { "!test", "the rows that do not fit", "!type=Cast", "ops.type" },
};
const size_t n_filter_forms = ARRAY_LEN(filter_forms);

const struct schema_extra schema_extras[] = {
    { "event", "", "", "", "bars and points of the timeline" },
    { "event", "track_id", "INTEGER", "", "track" },
    { "event", "ts_ns", "INTEGER", "ns", "start, relative to the rank's origin" },
    { "event", "dur_ns", "INTEGER", "ns", "duration, 0 for a point" },
    { "event", "depth", "INTEGER", "", "lane of the track" },
    { "event", "name_id", "INTEGER", "", "name" },
    { "event", "source_off", "INTEGER", "bytes", "place of its details in the source" },
    { "flow", "", "", "", "arrows of the timeline" },
    { "flow", "track_id", "INTEGER", "", "pseudo track that holds the arrows of one kind" },
    { "flow", "from_ns", "INTEGER", "ns", "when it starts" },
    { "flow", "kind_id", "INTEGER", "", "category as the trace names it" },
    { "flow", "from_track", "INTEGER", "", "track it starts on" },
    { "flow", "to_track", "INTEGER", "", "track it ends on" },
    { "flow", "to_ns", "INTEGER", "ns", "when it ends" },
    { "flow", "flow_id", "INTEGER", "", "number that its ends share" },
    { "counter_sample", "", "", "", "values of the timeline's counters" },
    { "counter_sample", "track_id", "INTEGER", "", "track of the counter" },
    { "counter_sample", "ts_ns", "INTEGER", "ns", "when" },
    { "counter_sample", "value", "REAL", "", "value" },
    { "string", "", "", "", "every distinct text once" },
    { "string", "id", "INTEGER PRIMARY KEY", "", "number" },
    { "string", "text", "", "", "the text; a BLOB when it is no UTF-8" },
};
const size_t n_schema_extras = ARRAY_LEN(schema_extras);
