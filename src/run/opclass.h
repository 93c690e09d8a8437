/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Class of an event or op (doc/screens.md#roles): what colour and fill its bars get. A pure function
 * of track kind, op type and name.
 */
#ifndef NPUSCOPE_OPCLASS_H
#define NPUSCOPE_OPCLASS_H

#include <stdbool.h>

#include "base/str.h"

enum op_class {
    OC_NONE,
    OC_CUBE,
    OC_VECTOR,
    OC_MIX,
    OC_COMM,
    OC_COPY,
    OC_AICPU,
    OC_HOST,
    OC_IDLE,
    N_OP_CLASSES
};

const char *op_class_word(enum op_class c); /* "cube", "vector" ... */
/* core: as in op.core (AIC, AIV, MIX_AIC, AI_CORE ...), p NULL unknown. type: op type or event
 * name. */
enum op_class op_class_of(struct str core, struct str type);
/* Class of everything on a track by its kind and layer; OC_NONE: it depends on the event. */
enum op_class op_class_of_track(struct str track_kind, struct str process);
/* For an event of the timeline: kind and layer of its track, its name. */
enum op_class op_class_of_event(struct str track_kind, struct str process, struct str name);

#endif
