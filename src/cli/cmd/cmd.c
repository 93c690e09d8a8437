/* SPDX-License-Identifier: Apache-2.0 */
/* Which function runs which command. */
#include "config.h"

#include "cli/cmd/cmd.h"

int cmd_run(struct cli *c, struct err *e)
{
    static int (*const run[])(struct cli *, struct err *) = {
        [RUN_ANALYSE] = cmd_analyse,   [RUN_BROWSE] = cmd_browse, [RUN_BUNDLE] = cmd_bundle,
        [RUN_CACHE] = cmd_cache,       [RUN_CONFIG] = cmd_config, [RUN_CONFIGURE] = cmd_configure,
        [RUN_DEMO] = cmd_demo,         [RUN_DOCTOR] = cmd_doctor, [RUN_EXPORT] = cmd_export,
        [RUN_FILES] = cmd_files,       [RUN_HELP] = cmd_help,     [RUN_IMPORT] = cmd_import,
        [RUN_LOGS] = cmd_logs,         [RUN_OP] = cmd_op,         [RUN_PRETTY] = cmd_pretty,
        [RUN_QUERY] = cmd_query,       [RUN_REPORT] = cmd_report, [RUN_SCHEMA] = cmd_schema,
        [RUN_TIMELINE] = cmd_timeline, [RUN_TRIAGE] = cmd_triage, [RUN_VIEW] = cmd_view,
        [RUN_WINDOWS] = cmd_windows,
    };

    return run[c->opts.cmd->run](c, e);
}
