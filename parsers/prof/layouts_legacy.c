/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts of the host's records before CANN's api_event (doc/formats/prof.md#legacy-host-files). */
#include "config.h"

#include "parsers/layouts.h"

#include "parsers/prof/legacy_layout.h"
#include "parsers/read/layout_rows.h"

/* clang-format off */
static const struct layout_field runtime_api[] = { RUNTIME_API_RECORD(FIELD_ROW) };
static const struct layout_field runtime_track[] = { RUNTIME_TRACK_RECORD(FIELD_ROW) };
static const struct layout_field acl_module[] = { ACL_MODULE_RECORD(FIELD_ROW) };

#define MARKED .mark_at = 0, .mark_b = 2, .mark = LEGACY_MARK
#define RUNTIME .source = "doc/formats/prof.md#runtime-records"

const struct layout layouts_host_legacy[] = {
    { .id = "legacy.runtime_api", .title = "call of the runtime", .pattern = "{r,R}untime.{*}api.{*}",
        .record_b = 256, MARKED, LAYOUT_FIELDS(runtime_api), RUNTIME },
    { .id = "legacy.runtime_track", .title = "task of the runtime",
        .pattern = "{r,R}untime.{*}task_track.{*}", .record_b = 64, MARKED, LAYOUT_FIELDS(runtime_track),
        RUNTIME },
    { .id = "legacy.acl", .title = "call of ACL", .pattern = "AclModule.{*}acl_{*}", .record_b = 128, MARKED,
        LAYOUT_FIELDS(acl_module), .source = "doc/formats/prof.md#aclmodule" },
    { .id = NULL },
};
/* clang-format on */
