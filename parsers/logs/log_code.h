/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Codes of ACL, the runtime, the task scheduler and HCCL by name and class (doc/formats/logs.md#acl-codes).
 */
#ifndef NPUSCOPE_PARSERS_LOGS_LOG_CODE_H
#define NPUSCOPE_PARSERS_LOGS_LOG_CODE_H

#include "parsers/logs/signature.h"

/* Class of an ACL code; CAUSE_UNKNOWN: it says only where something was noticed, or is not known. */
enum cause_class log_code_class(int64_t code);
/* "AI Core exception" of 507015; NULL: not known. */
const char *log_code_text(int64_t code);
/*
 * A code as a line has it, of ACL or (0x..) of the task scheduler, with its name ("0x26
 * AI Core exception"). Returns buf.
 */
char *log_code_name(struct str code, char *buf, size_t n);
/*
 * The code that a record has, with its name: one of those, or a result of HCCL where HCCL says it ("9
 * timeout", "0x0000000005000013 call of the network failed"). "" where it has none. Returns buf.
 */
char *log_code_in(struct str text, char *buf, size_t n);

#endif
