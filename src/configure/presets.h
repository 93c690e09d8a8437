/* SPDX-License-Identifier: Apache-2.0 */
/* Choices for a purpose or a question, and what a choice costs. */
#ifndef NPUSCOPE_CONFIGURE_PRESETS_H
#define NPUSCOPE_CONFIGURE_PRESETS_H

#include "configure/config_write.h"

struct preset {
    const char *name;
    const char *help;     /* what for, a phrase */
    const char *words;    /* beginnings of words that ask for it, separated by '|' */
    const char *switches; /* "key=value key=value" */
};

extern const struct preset presets[];
extern const size_t n_presets;

/* NULL: there is none of that name. */
const struct preset *preset_find(struct str name);
NODISCARD int preset_choose(const struct preset *p, struct choice *c, struct err *e);
/*
 * The presets that the words of a question ask for, all of them; "step 20" also chooses that step. Their
 * names are appended to names ("ops, memory"); when no word asks for one it is overview, and *found is
 * false.
 */
NODISCARD int presets_ask(struct str question, struct choice *c, struct buf *names, bool *found,
                          struct err *e);

/*
 * Leave out what the target cannot write, and append the names of what is left out and is of use in other
 * forms.
 */
void choice_fit(struct choice *c, const struct config_target *t, struct buf *left_out);

enum cost_level { COST_LOW, COST_MEDIUM, COST_HIGH };
struct cost {
    enum cost_level level;
    enum switch_id because;            /* the switch that makes it so, N_SWITCHES: none does */
    double per_kernel_b, per_second_b; /* raw data, of each device */
    unsigned panes;                    /* PANE_BIT of what it fills */
};
/* By the widths of the records that each switch adds. */
struct cost choice_cost(const struct choice *c);
/* Append it in two lines: overhead and size, panes. */
void choice_cost_text(const struct choice *c, struct buf *out);

#endif
