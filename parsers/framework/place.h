/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What names of the framework say of where an op was called, and how module and call stack are written
 * (doc/formats/framework.md#framework-ops-as-shown).
 */
#ifndef NPUSCOPE_PARSERS_FRAMEWORK_PLACE_H
#define NPUSCOPE_PARSERS_FRAMEWORK_PLACE_H

#include "base/buf.h"
#include "base/str.h"

#define FRAMEWORK_PLACE_B ((size_t)16 << 10) /* of a text; what is further is left out */
#define FRAMEWORK_FRAMES  64                 /* in a text */

/* Name of the module in that of its frame (nn.Module: Conv2d_0, ...:nn.Cell.Conv2d.construct). */
struct str framework_module_of(struct str frame);
/*
 * The scope in the name of an op of MindSpore: Default/net of Kernel::KernelLaunch::Default/net/Add-op1.
 * p NULL: it has none.
 */
struct str framework_scope_of(struct str op);
/*
 * A frame by its name alone, as in a trace: of a module, of a function of Python or of a built-in one. The
 * name of a cell is that of its function, too.
 */
enum framework_frame_kind { FRAME_NONE, FRAME_MODULE, FRAME_CELL, FRAME_FUNCTION };
enum framework_frame_kind framework_frame_kind(struct str name);
/* Add one more name after a separator; false: there is no room for it. b has the limit FRAMEWORK_PLACE_B. */
bool framework_place_add(struct buf *b, char separator, struct str name);

#endif
