/* Private to the analysis of generation 1: filling a report. Texts are copied; what does not fit into memory is left out. */
#ifndef NPUSCOPE_VENDOR_G1_REPORT_H
#define NPUSCOPE_VENDOR_G1_REPORT_H

#include "vendor/g1.h"

void g1_report_add(struct g1_report *r, const struct g1_result *x);
void g1_report_note(struct g1_report *r, const struct g1_note *x);

#endif
