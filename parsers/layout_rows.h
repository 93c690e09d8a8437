/* Private to layouts*.c: rows of struct layout_field from the lists of fields (parsers/mindspore/record_layout.h, parsers/prof/prof_layout.h). */
#ifndef NPUSCOPE_LAYOUT_ROWS_H
#define NPUSCOPE_LAYOUT_ROWS_H

#define ROW(id, name_, at_, size_, type_, shift_, bits_, of_, words_, meaning_)                    \
    { .name = name_,                                                                               \
      .at = at_,                                                                                   \
      .size = size_,                                                                               \
      .type = FIELD_##type_,                                                                       \
      .shift = shift_,                                                                             \
      .bits = bits_,                                                                               \
      .of = of_,                                                                                   \
      .words = words_,                                                                             \
      .meaning = meaning_ },
#define FIELDS(list) .fields = list, .n_fields = ARRAY_LEN(list)

#endif
