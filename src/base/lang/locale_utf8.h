/* SPDX-License-Identifier: Apache-2.0 */
/* Whether text is UTF-8, by the locale; once at the start, because it sets LC_CTYPE for the whole program. */
#ifndef NPUSCOPE_LOCALE_UTF8_H
#define NPUSCOPE_LOCALE_UTF8_H

#include <stdbool.h>

/*
 * Set LC_CTYPE (only that; numbers keep their point) and say whether its characters are UTF-8. Where the
 * locale of the environment is not installed but its name ends in UTF-8, or wish is true, a UTF-8 locale that
 * every host has is taken in its place: a server without zh_CN shows Chinese all the same.
 */
bool locale_utf8(bool wish);

#endif
