/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of a terminal by TERM and other variables of its environment: decided here where it cannot be
 * asked (doc/screens.md#terminals). asked: 1 on, 0 off by the reader, -1 as the environment suggests.
 */
#ifndef NPUSCOPE_UI_WIDGET_TERM_KNOWN_H
#define NPUSCOPE_UI_WIDGET_TERM_KNOWN_H

#include <stdbool.h>

const char *term_name(void); /* $TERM, "" without one */
/* Under a multiplexer the mouse stays with it unless asked for (doc/screens.md#mouse). */
bool term_known_mouse(int asked);
/* It takes OSC 52. */
bool term_known_clipboard(void);
/* It shows OSC 8. capability: its entry in terminfo says so (Hls, as tmux has it when it passes them on). */
bool term_known_links(int asked, bool capability);

#endif
