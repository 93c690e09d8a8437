/* SPDX-License-Identifier: Apache-2.0 */
/* Help on msprof.py's commands. */
#include "config.h"

#include "cli/msprof/msprof_help.h"

#include <stdio.h>

#include "base/lang/tr.h"
#include "cli/help_text.h"
#include "cli/msprof/msprof_args.h"

#define FORMS_MAX 8

const char *const msprof_texts[] = {
    "A script written for msprof.py runs after its name was replaced by npuscope. 'export' and 'analyze' "
    "read the raw data of PROF folders and write what msprof "
    "writes, under the same names: tables and traces into mindstudio_profiler_output below the PROF folder, "
    "msprof_TIME.db into it, communication.json and "
    "communication_matrix.json into analyze. 'query' lists the models and iterations that a partial export "
    "may be about; 'import' reads the folders into npuscope's cache.",
    "The switches of CANN's program msprof are taken as well, also when npuscope is called by that name, as "
    "through a link: --export=on (with --type=text, the default, that is 'export text', summary and timeline "
    "at once; with --type=db 'export db'), --analyze=on, --query=on, --parse=on ('import'). --output is the "
    "folder that is read and written then, as there; --summary-format, --reports, --iteration-id, "
    "--model-id, "
    "--rule and --clear=on are passed on, --python-path is not needed. Collecting is left to msprof.",
    "Of several PROF folders below -dir each is exported; one that cannot be is named, and the others are. "
    "Options have one dash or two and may be shortened as far as "
    "they stay clear, their value stands after '=' or in the next word. A partial export has the tables and "
    "traces of up to five iterations, and no database. "
    "Numbers are those of msprof; where it computes something wrongly they are right, unless --compat is "
    "given. Data that is cut is used as far as it is whole, "
    "and said. Files appear when they are whole; the time in their names is not that of an earlier export. "
    "acc_pmu.csv and inter_soc_transmission.csv, which msprof "
    "has headers for, neither writes: its queries ask for columns that its tables do not have, and its "
    "summary does not call them.",
    "Exit status: 0 done; 1 wrong arguments, or there is no such model; 2 the path cannot be used; 6 no "
    "space left; 8 the data cannot be used, or a file could not be made; "
    "9 the model has no such iterations, or more than five are asked for; 10 no memory; 11 what is asked for "
    "needs msprof's database of a cluster; 128 and the signal's "
    "number: interrupted.",
    NULL,
};

void msprof_synopsis(struct out *o)
{
    out_puts(o,
             "  npuscope export summary|timeline|text|db -dir DIR [OPTION]...\n"
             "  npuscope analyze -dir DIR [OPTION]...\n"
             "  npuscope query -dir DIR [OPTION]...\n"
             "  npuscope import -dir DIR [OPTION]...\n"
             "  npuscope|msprof --export=on|--analyze=on|--query=on|--parse=on --output=DIR [OPTION]...\n");
}

const char *msprof_option_forms(unsigned of, char *buf, size_t n)
{
    const char *words[FORMS_MAX];
    size_t n_forms = msprof_forms(words, FORMS_MAX), at = 0;

    buf[0] = '\0';
    if (of == (1u << n_forms) - 1)
        snprintf(buf, n, "%s", tr("all"));
    for (size_t i = 0; i < n_forms && of != (1u << n_forms) - 1 && at < n; i++)
        if (of & 1u << i)
            at += (size_t)snprintf(buf + at, n - at, "%s%s", at ? ", " : "", words[i]);
    return buf;
}

void msprof_help_page(struct out *o)
{
    const struct msprof_help *h;
    unsigned of;

    msprof_synopsis(o);
    out_printf(o, "%s\n\n", tr("what msprof.py of CANN does with the raw data of PROF folders"));
    for (size_t i = 0; msprof_texts[i]; i++)
        help_paragraph(o, tr(msprof_texts[i]));
    out_printf(o, "%s\n", tr("Options, and what takes them"));
    for (size_t i = 0; (h = msprof_help(i, &of)); i++) {
        char head[80], text[600], forms[80];
        snprintf(head, sizeof head, "-%s%s%s", h->name, h->value ? "=" : "", h->value ? h->value : "");
        snprintf(text, sizeof text, "%s (%s)", tr(h->help), msprof_option_forms(of, forms, sizeof forms));
        help_entry(o, head, text, 26);
    }
}
