/* SPDX-License-Identifier: Apache-2.0 */
/* Names of MindSpore's framework events by their numbers (doc/formats/framework.md#event-names). */
#ifndef NPUSCOPE_PARSERS_FRAMEWORK_EVENT_NAMES_H
#define NPUSCOPE_PARSERS_FRAMEWORK_EVENT_NAMES_H

#include "base/str.h"

/* "Default" for a number beyond the table. */
struct str framework_module(unsigned index);
struct str framework_stage(unsigned index);
/* old: the table of 2.6, which lacks one name. */
struct str framework_event(unsigned index, bool old);

#endif
