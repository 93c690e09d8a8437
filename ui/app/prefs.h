/* SPDX-License-Identifier: Apache-2.0 */
/* The reader's settings on the screen (model/settings.h): what only the screen knows of them. */
#ifndef NPUSCOPE_UI_APP_PREFS_H
#define NPUSCOPE_UI_APP_PREFS_H

#include "model/settings.h"

/* A setting_check_fn: themes, panes, keys and actions, roles. */
int prefs_check(const struct setting_asked *s, struct err *e);

#endif
