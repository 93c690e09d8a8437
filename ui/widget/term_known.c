/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a terminal by its environment, where nothing else says it. */
#include "config.h"

#include "ui/widget/term_known.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

const char *term_name(void)
{
    const char *t = getenv("TERM");
    return t && *t ? t : "";
}

static bool starts_with(const char *s, const char *with)
{
    return !strncmp(s, with, strlen(with));
}

static bool in_multiplexer(void)
{
    return starts_with(term_name(), "screen") || starts_with(term_name(), "tmux");
}

bool term_known_mouse(int asked)
{
    const char *env = getenv("NPUSCOPE_MOUSE");
    if (asked >= 0)
        return asked > 0;
    if (env && *env)
        return strcmp(env, "0") != 0 && strcmp(env, "off") != 0;
    return !in_multiplexer();
}

static bool is_one_of(const char *s, const char *const *names)
{
    for (; s && *names; names++)
        if (starts_with(s, *names))
            return true;
    return false;
}

bool term_known_clipboard(void)
{
    static const char *const names[] = { "xterm",   "tmux",    "alacritty", "foot",    "kitty",
                                         "wezterm", "rxvt",    "st-",       "contour", "ghostty",
                                         "iTerm",   "konsole", NULL };
    return is_one_of(term_name(), names);
}

static bool is_at_least(const char *version, uint64_t least)
{
    uint64_t v;
    return version && str_u64(str_of(version), &v) && v >= least;
}

/* Programs from the versions on in which they show links: their names are newer than that. */
static bool is_linking_program(void)
{
    static const char *const names[] = {
        "iTerm.app", "WezTerm", "vscode", "ghostty", "kitty", "Hyper", NULL
    };
    static const char *const terms[] = { "xterm-kitty",   "foot",    "wezterm", "alacritty",
                                         "xterm-ghostty", "contour", "iTerm2",  NULL };
    return is_one_of(getenv("TERM_PROGRAM"), names) || is_one_of(term_name(), terms);
}

bool term_known_links(int asked, bool capability)
{
    if (asked >= 0)
        return asked > 0;
    if (capability)
        return true;
    if (in_multiplexer() || getenv("TMUX") || getenv("STY")) /* the variables are of the terminal around it */
        return false;
    return is_linking_program() || getenv("KITTY_WINDOW_ID") || getenv("WT_SESSION") ||
           is_at_least(getenv("VTE_VERSION"), 5000) || is_at_least(getenv("KONSOLE_VERSION"), 201200);
}
