// The JSON writer (RFC 8259).
#include "core.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_DEPTH = 64 };

CakeJson cake_json(CakeBuf *out) {
  return (CakeJson){.out = out};
}

// A comma where one is due.
static void begin_item(CakeJson *json) {
  if (json->after_key) {
    json->after_key = false;
    return;
  }
  if (json->depth == 0) return;
  uint64_t bit = (uint64_t)1 << (json->depth - 1);
  if (json->has_items & bit) cake_buf_char(json->out, ',');
  json->has_items |= bit;
}

static void begin_nest(CakeJson *json, char c) {
  begin_item(json);
  assert(json->depth < MAX_DEPTH);
  cake_buf_char(json->out, c);
  json->depth++;
  json->has_items &= ~((uint64_t)1 << (json->depth - 1));
}

static void end_nest(CakeJson *json, char c) {
  assert(json->depth > 0);
  json->depth--;
  cake_buf_char(json->out, c);
}

void cake_json_begin_object(CakeJson *json) {
  begin_nest(json, '{');
}

void cake_json_end_object(CakeJson *json) {
  end_nest(json, '}');
}

void cake_json_begin_array(CakeJson *json) {
  begin_nest(json, '[');
}

void cake_json_end_array(CakeJson *json) {
  end_nest(json, ']');
}

static void escaped(CakeBuf *out, CakeStr text) {
  cake_buf_char(out, '"');
  for (size_t i = 0; i < text.len;) {
    unsigned char c = (unsigned char)text.ptr[i];
    size_t len = cake_utf8_length(text.ptr + i, text.len - i);
    if (len == 0) {
      cake_buf_text(out, "\xef\xbf\xbd");
      len = 1;
    } else if (c == '"' || c == '\\') {
      cake_buf_char(out, '\\');
      cake_buf_char(out, (char)c);
    } else if (c == '\n') {
      cake_buf_text(out, "\\n");
    } else if (c < 0x20 || c == 0x7f) {
      cake_buf_printf(out, "\\u%04x", c);
    } else {
      cake_buf_append(out, text.ptr + i, len);
    }
    i += len;
  }
  cake_buf_char(out, '"');
}

void cake_json_key(CakeJson *json, const char *key) {
  begin_item(json);
  escaped(json->out, cake_str(key));
  cake_buf_char(json->out, ':');
  json->after_key = true;
}

void cake_json_str(CakeJson *json, CakeStr value) {
  begin_item(json);
  escaped(json->out, value);
}

void cake_json_int(CakeJson *json, int64_t value) {
  begin_item(json);
  cake_buf_int(json->out, value);
}

void cake_json_double(CakeJson *json, double value) {
  if (!isfinite(value)) {
    cake_json_null(json);
    return;
  }
  begin_item(json);
  char text[40];
  // The shortest of a few precisions that gives the number back.
  for (int digits = 6; digits <= 17; digits = digits < 15 ? 15 : digits + 1) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  cake_buf_text(json->out, text);
}

void cake_json_bool(CakeJson *json, bool value) {
  begin_item(json);
  cake_buf_text(json->out, value ? "true" : "false");
}

void cake_json_null(CakeJson *json) {
  begin_item(json);
  cake_buf_text(json->out, "null");
}
