/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of this host and session that a person who helps from elsewhere asks for. */
#ifndef NPUSCOPE_CLI_HOST_H
#define NPUSCOPE_CLI_HOST_H

#include <stdbool.h>

#include "cli/cli.h"

enum host_area { HOST_SYSTEM, HOST_LIMITS };

/* name and value are borrowed for the call: "memory", "24105644 kB". */
typedef void host_fact_fn(void *arg, enum host_area area, const char *name, const char *value);
/*
 * System, processors, memory, NPU devices, room where the profile (NULL: none) and the cache are, and then
 * the limits of the session. hidden: without the host's name. What cannot be found out is left out.
 */
void host_facts(const char *profile, bool hidden, host_fact_fn *fn, void *arg);

/*
 * What this program was built with and runs with, for --version -v, doctor: schema of stores, compiler,
 * libraries. name and value are borrowed for the call.
 */
void host_program(const struct cli_hooks *hooks, void (*fn)(void *arg, const char *name, const char *value),
                  void *arg);

#endif
