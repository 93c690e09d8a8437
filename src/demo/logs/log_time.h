/* SPDX-License-Identifier: Apache-2.0 */
/* Times as logs write them (doc/formats/logs.md#other-dialects), in no locale. */
#ifndef NPUSCOPE_DEMO_LOGS_LOG_TIME_H
#define NPUSCOPE_DEMO_LOGS_LOG_TIME_H

#include "base/buf.h"

/*
 * Adds ns, Unix time of the host's clock, as the form of this name writes it, zone_min minutes east of UTC.
 * false: no such form.
 */
bool log_time(struct buf *b, struct str form, int64_t ns, int zone_min);

#endif
