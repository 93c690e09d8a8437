/* SPDX-License-Identifier: Apache-2.0 */
/* Writing what the form makes: where to, and not over something unasked. */
#ifndef NPUSCOPE_UI_APP_FORM_WRITE_H
#define NPUSCOPE_UI_APP_FORM_WRITE_H

#include "configure/config_write.h"

struct app;
struct form_writing;

/*
 * Ask for a file name and write the text there. Asks again before it writes below the profile, or over a
 * file; the values of a profiler_config.json that is there are changed in it, and all else in it stays.
 * The text and the choice are copied. What comes back is to be kept while questions may be answered; NULL:
 * no memory.
 */
struct form_writing *form_write(struct app *a, const struct choice *c, const struct config_target *t,
                                struct str text);
void form_writing_free(struct form_writing *w);

#endif
