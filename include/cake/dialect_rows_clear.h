// Makes every row macro empty, and has what pastes names. No include guard: used between the expansions of cake/dialect_rows.h.
#ifndef CAKE_CAT
#define CAKE_CAT_(a, b) a##b
#define CAKE_CAT(a, b) CAKE_CAT_(a, b)
#define CAKE_CAT4_(a, b, c, d) a##b##c##d
#define CAKE_CAT4(a, b, c, d) CAKE_CAT4_(a, b, c, d)
#define CAKE_CAT6_(a, b, c, d, e, f) a##b##c##d##e##f
#define CAKE_CAT6(a, b, c, d, e, f) CAKE_CAT6_(a, b, c, d, e, f)
#endif

#undef ROWS
#undef OP
#undef END
#undef OPERAND
#undef OPERAND_BORROWED
#undef OPTIONAL_OPERAND
#undef OPTIONAL_OPERAND_BORROWED
#undef VARIADIC_OPERAND
#undef VARIADIC_OPERAND_BORROWED
#undef ATTR
#undef OPTIONAL_ATTR
#undef DEFAULT_ATTR
#undef RESULT
#undef OPTIONAL_RESULT
#undef VARIADIC_RESULT
#undef REGION
#undef EFFECT
#undef MOVE
#define ROWS(...)
#define OP(...)
#define END(...)
#define OPERAND(...)
#define OPERAND_BORROWED(...)
#define OPTIONAL_OPERAND(...)
#define OPTIONAL_OPERAND_BORROWED(...)
#define VARIADIC_OPERAND(...)
#define VARIADIC_OPERAND_BORROWED(...)
#define ATTR(...)
#define OPTIONAL_ATTR(...)
#define DEFAULT_ATTR(...)
#define RESULT(...)
#define OPTIONAL_RESULT(...)
#define VARIADIC_RESULT(...)
#define REGION(...)
#define EFFECT(...)
#define MOVE(...)
