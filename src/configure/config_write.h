/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was chosen as text: MS_PROFILER_OPTIONS, profiler_config.json, calls of Python, a command line of
 * msprof. What a form has no switch for is kept where its reader passes over it (a comment; in
 * profiler_config.json the key "npuscope", which the job ignores), so that config_read() gives the same
 * choice again.
 */
#ifndef NPUSCOPE_CONFIGURE_CONFIG_WRITE_H
#define NPUSCOPE_CONFIGURE_CONFIG_WRITE_H

#include "configure/choice.h"

enum config_form { FORM_ENV, FORM_JSON, FORM_PYTHON, FORM_MSPROF, N_FORMS };
enum config_framework { FRAMEWORK_MINDSPORE, FRAMEWORK_TORCH, N_FRAMEWORKS };
#define CONFIG_FORMS      "env|json|python|msprof"
#define CONFIG_FRAMEWORKS "mindspore|torch"
#define CONFIG_VERSIONS   "2.3|2.4|2.5|2.6|2.7"

struct config_target {
    enum config_form form;
    enum config_framework framework;
    unsigned version; /* of MindSpore */
};

/* What the text of a form begins a comment with that keeps a switch: "# not in TITLE: key=value". */
#define CONFIG_KEPT "# not in "
#define CONFIG_OWN  "npuscope" /* the key of JSON that does so */

/* Where the target's switches are written. N_AT: the framework, or its version, has no such form. */
enum switch_at config_at(const struct config_target *t);
/* Key and value can be written in this form. */
bool config_can(const struct config_target *t, enum switch_id id, struct str value);
/* Append the value of a switch as the form writes it; false, nothing added: it cannot. */
bool config_value(const struct config_target *t, enum switch_id id, struct str value, struct buf *out);
/* notes: lines for a comment at the top, left out where a form has none (JSON). ERR_USAGE: no such form. */
NODISCARD int config_write(const struct choice *c, const struct config_target *t, struct str notes,
                           struct buf *out, struct err *e);

#endif
