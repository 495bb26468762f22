// What a parser tells its recorder (cake/recorder.h): names and ops while they are read, and what could follow where the
// text ends.
#include "parser.h"

void cake_parser_record_define(const CakeParser *parser, CakeLoc at, CakeStr name, const CakeValue *first,
                               uint32_t count) {
  const CakeRecorder *recorder = parser->recorder;
  if (recorder->define) recorder->define(recorder->user, at, name, first, count);
}

void cake_parser_record_use(const CakeParser *parser, CakeLoc at, CakeLoc definition, const void *pending) {
  const CakeRecorder *recorder = parser->recorder;
  if (recorder->use) recorder->use(recorder->user, at, definition, pending);
}

void cake_parser_record_settle(const CakeParser *parser, const void *pending, CakeLoc definition) {
  const CakeRecorder *recorder = parser->recorder;
  if (recorder->settle) recorder->settle(recorder->user, pending, definition);
}

void cake_parser_record_label(const CakeParser *parser, CakeLoc at, const CakeBlock *block, bool is_definition) {
  const CakeRecorder *recorder = parser->recorder;
  if (recorder->label) recorder->label(recorder->user, at, block, is_definition);
}

void cake_parser_record_op(CakeParser *parser, const CakeOp *op, CakeLoc begin, CakeLoc name) {
  const CakeRecorder *recorder = parser->recorder;
  if (recorder->op) recorder->op(recorder->user, op, begin, name, cake_parser_last_end(parser));
}

// Once a text: it ends only once.
static void record_in_sight(CakeParser *parser) {
  const CakeRecorder *recorder = parser->recorder;
  if (parser->has_told_sight || !recorder->in_sight) return;
  parser->has_told_sight = true;
  for (size_t i = parser->names_base; i < parser->names.len; i++) {
    const CakeNameEntry *entry = &parser->names.data[i];
    recorder->in_sight(recorder->user, (CakeStr){entry->key.ptr, entry->key.len}, entry->first, entry->count);
  }
}

void cake_parser_record_want(CakeParser *parser, CakeWant want, CakeStr text) {
  const CakeRecorder *recorder = parser->recorder;
  if (parser->failed) return; // the names in sight are being taken back
  record_in_sight(parser);
  if (recorder->want) recorder->want(recorder->user, want, text);
}

void cake_parser_offer(CakeParser *parser, const char *word) {
  cake_parser_want(parser, CAKE_WANT_WORD, cake_str(word));
}

void cake_parser_want_op(CakeParser *parser) {
  const char *dialect = parser->default_dialect;
  cake_parser_want(parser, CAKE_WANT_OP, dialect ? cake_str(dialect) : CAKE_STR(""));
}
