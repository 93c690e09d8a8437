/* SPDX-License-Identifier: Apache-2.0 */
/* Which characters the terminal takes, by the locale. */
#include "config.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "ui/widget/term.h"

static bool locale_is_utf8(void)
{
    return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

unsigned term_locale(bool ascii, bool utf8)
{
    static const char *const names[] = { "C.UTF-8", "C.utf8", "en_US.UTF-8" };
    const char *ask = getenv("NPUSCOPE_UTF8"), *wide = getenv("NPUSCOPE_AMBIGUOUS");
    unsigned flags = wide && !strcmp(wide, "2") ? TEXT_WIDE_AMBIGUOUS : 0;
    setlocale(LC_CTYPE, "");
    if (ascii)
        return flags | TEXT_ASCII;
    if (!locale_is_utf8() && (utf8 || (ask && !strcmp(ask, "1"))))
        for (size_t i = 0; i < ARRAY_LEN(names); i++)
            if (setlocale(LC_CTYPE, names[i]) && locale_is_utf8())
                break;
    return locale_is_utf8() ? flags : flags | TEXT_ASCII;
}
