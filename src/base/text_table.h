/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Character properties that base/text needs, as sorted tables of our own: the locale's are not
 * asked. Pure functions, thread-safe. Source: Unicode 14.0, EastAsianWidth.txt and the general
 * categories of UnicodeData.txt.
 */
#ifndef NPUSCOPE_TEXT_TABLE_H
#define NPUSCOPE_TEXT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Nothing to see or harmful: C0, DEL, C1, format characters (Cf: bidi, zero width, tags), line and
 * paragraph separators, all of Default_Ignorable_Code_Point (variation selectors, fillers),
 * surrogates, noncharacters, planes without characters.
 */
bool text_table_hidden(uint32_t cp);
/* Mn, Me and the Hangul jamo that join the syllable before: no cell of their own. */
bool text_table_mark(uint32_t cp);
/* East Asian Wide and Fullwidth, which includes emoji. */
bool text_table_wide(uint32_t cp);
/* East Asian Ambiguous. */
bool text_table_ambiguous(uint32_t cp);

#endif
