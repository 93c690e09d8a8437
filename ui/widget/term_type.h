/* SPDX-License-Identifier: Apache-2.0 */
/* Types of terminals, by terminfo, without opening one. */
#ifndef NPUSCOPE_UI_WIDGET_TERM_TYPE_H
#define NPUSCOPE_UI_WIDGET_TERM_TYPE_H

/* Colours of a type ("xterm-256color"), 0: none; -1: it is not known, or the screen cannot be drawn on it. */
int term_type_colours(const char *name);

#endif
