/* SPDX-License-Identifier: Apache-2.0 */
/* Which characters the host's locale has. */
#include "config.h"

#include "base/lang/locale_utf8.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static bool is_utf8(void)
{
    return !strcmp(nl_langinfo(CODESET), "UTF-8");
}

/* The name of the locale for characters, as the environment gives it. */
static bool named_utf8(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const struct str value = str_of(getenv(names[i]));
        if (value.n)
            return str_find_nocase(value, STR(".UTF-8")) != SIZE_MAX ||
                   str_find_nocase(value, STR(".UTF8")) != SIZE_MAX;
    }
    return false;
}

bool locale_utf8(bool wish)
{
    static const char *const names[] = { "C.UTF-8", "C.utf8", "en_US.UTF-8" };
    const bool there = setlocale(LC_CTYPE, "") != NULL;

    if (!is_utf8() && (wish || (!there && named_utf8())))
        for (size_t i = 0; i < ARRAY_LEN(names); i++)
            if (setlocale(LC_CTYPE, names[i]) && is_utf8())
                break;
    return is_utf8();
}
