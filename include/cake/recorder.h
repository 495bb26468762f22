// What a parser sees beside the IR that it makes: for editors and other programs that show source text.
//
// Places are those of tokens in the text. A name is told apart from others of the same spelling by the place of its definition (values)
// or by its block (labels). Symbols and aliases are found by their tokens alone (`cake_token_next`).
#ifndef CAKE_RECORDER_H
#define CAKE_RECORDER_H

#include "cake/text.h"

CAKE_BEGIN_C

// What could stand where a text ends too early.
typedef enum CakeWant {
  CAKE_WANT_OP,    // an operation; `text` is the dialect that may be left out, or empty
  CAKE_WANT_VALUE, // %name, of a value in sight (`CakeRecorder.in_sight` tells them)
  CAKE_WANT_BLOCK,
  CAKE_WANT_SYMBOL,
  CAKE_WANT_TYPE,
  CAKE_WANT_ATTR,      // an attribute's value
  CAKE_WANT_ATTR_NAME, // the name of an attribute of the op that is called `text`
  CAKE_WANT_WORD,      // the word `text`
} CakeWant;

// All members may be NULL. Types and pointers live as long as the context; strings only during the call.
typedef struct CakeRecorder {
  // The `%name` at `at` stands for `count` values from `first` on. Values before this definition that were used as `pending` are these.
  void (*define)(void *user, CakeLoc at, CakeStr name, const CakeValue *first, uint32_t count);
  // The `%name` at `at` uses what `definition` names; while that is not known, `pending` stands for it. May come more than once for a place.
  void (*use)(void *user, CakeLoc at, CakeLoc definition, const void *pending);
  void (*settle)(void *user, const void *pending, CakeLoc definition);
  void (*label)(void *user, CakeLoc at, const CakeBlock *block, bool is_definition);
  // A whole op, after everything in it: it begins at its first result's name, its own name is at `name`, and it ends before `end`.
  void (*op)(void *user, const CakeOp *op, CakeLoc begin, CakeLoc name, CakeLoc end);
  // The text ends, and this could follow. `in_sight`: a value that may be named there; each once, whatever was wanted.
  void (*want)(void *user, CakeWant want, CakeStr text);
  void (*in_sight)(void *user, CakeStr name, const CakeValue *first, uint32_t count);
  void *user;
} CakeRecorder;

// As `cake_parse_module`. After a syntax error, too, what was recorded stays valid until the context is destroyed.
CakeOp *cake_parse_recorded_module(CakeContext *context, CakeStr file, CakeStr text, const CakeRecorder *recorder);

CAKE_END_C
#endif
