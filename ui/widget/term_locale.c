/* SPDX-License-Identifier: Apache-2.0 */
/* Which characters the terminal takes, by the locale. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/lang/locale_utf8.h"
#include "ui/widget/term.h"

unsigned term_locale(bool ascii, bool utf8)
{
    const char *ask = getenv("NPUSCOPE_UTF8"), *wide = getenv("NPUSCOPE_AMBIGUOUS");
    unsigned flags = wide && !strcmp(wide, "2") ? TEXT_WIDE_AMBIGUOUS : 0;
    const bool shows = locale_utf8(!ascii && (utf8 || (ask && !strcmp(ask, "1"))));

    return ascii || !shows ? flags | TEXT_ASCII : flags;
}
