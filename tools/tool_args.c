// NAME=VALUE lists, numbers and options of the command line.
#include "tools/tool.h"

#include <stdlib.h>
#include <string.h>

bool cake_tool_int(CakeStr text, int64_t *out) {
  size_t at = 0;
  bool is_negative = text.len > 0 && text.ptr[0] == '-';
  if (is_negative) at++;
  if (at == text.len) return false;
  uint64_t value = 0, limit = (uint64_t)INT64_MAX + (is_negative ? 1 : 0);
  for (; at < text.len; at++) {
    if (text.ptr[at] < '0' || text.ptr[at] > '9') return false;
    uint64_t digit = (uint64_t)(text.ptr[at] - '0');
    if (value > (limit - digit) / 10) return false;
    value = value * 10 + digit;
  }
  *out = is_negative ? (int64_t)(0 - value) : (int64_t)value;
  return true;
}

static bool split(const CakeTool *tool, const char *option, CakeStr text, CakeToolPair *out) {
  const char *equal = text.len ? memchr(text.ptr, '=', text.len) : NULL;
  if (!equal || equal == text.ptr || equal == text.ptr + text.len - 1)
    return cake_tool_fail(tool, "%s takes NAME=VALUE, found '%.*s'", option, CAKE_STR_ARG(text));
  size_t len = (size_t)(equal - text.ptr);
  *out = (CakeToolPair){
      {text.ptr,  len               },
      {equal + 1, text.len - len - 1}
  };
  return true;
}

bool cake_tool_pair(const CakeTool *tool, const char *option, const char *text, CakeToolPair *out) {
  return split(tool, option, cake_str(text), out);
}

bool cake_tool_pairs(const CakeTool *tool, const char *option, const char *text, CakeToolPairs *out) {
  for (const char *at = text;; at++) {
    size_t len = strcspn(at, ",");
    CakeToolPair pair;
    if (!split(tool, option, (CakeStr){at, len}, &pair)) return false;
    CAKE_PUSH(out, pair);
    at += len;
    if (!*at) return true;
  }
}

static bool is_name(CakeStr text) {
  for (size_t i = 0; i < text.len; i++) {
    char c = text.ptr[i];
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!is_letter && !(i > 0 && c >= '0' && c <= '9')) return false;
  }
  return text.len > 0;
}

bool cake_tool_params(const CakeTool *tool, const CakeToolPairs *pairs, CakeBuf *out) {
  for (size_t i = 0; i < pairs->len; i++) {
    CakeToolPair pair = pairs->data[i];
    int64_t value;
    if (!is_name(pair.name)) return cake_tool_fail(tool, "--param: '%.*s' is no name", CAKE_STR_ARG(pair.name));
    if (!cake_tool_int(pair.value, &value)) {
      return cake_tool_fail(tool, "--param: the value of '%.*s' must be a whole number, found '%.*s'",
                            CAKE_STR_ARG(pair.name), CAKE_STR_ARG(pair.value));
    }
    cake_buf_printf(out, "%s%.*s=%lld", i ? "," : "", CAKE_STR_ARG(pair.name), (long long)value);
  }
  return true;
}

bool cake_tool_seconds(const CakeTool *tool, const char *option, const char *text, double *out) {
  char *end;
  *out = strtod(text, &end);
  if (end != text && *end == '\0' && *out > 0 && *out <= 1e6) return true;
  return cake_tool_fail(tool, "%s takes seconds, found '%s'", option, text);
}

const char *cake_tool_option(const CakeTool *tool, const char *name, int argc, char **argv, int *i, bool *out_failed) {
  size_t len = strlen(name);
  const char *arg = argv[*i];
  if (strncmp(arg, name, len) != 0 || (arg[len] != '\0' && arg[len] != '=')) return NULL;
  if (arg[len] == '=') return arg + len + 1;
  if (*i + 1 < argc) return argv[++*i];
  *out_failed = true;
  (void)cake_tool_fail(tool, "%s needs a value", name);
  return "";
}

bool cake_tool_flag(const CakeToolFlag *flags, size_t count, const char *arg) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(arg, flags[i].name) == 0) return *flags[i].flag = true;
  return false;
}

bool cake_tool_input(const CakeTool *tool, const char *arg, const char **input) {
  if (arg[0] == '-' && arg[1]) return cake_tool_fail(tool, "unknown option '%s'; try --help", arg);
  if (*input) return cake_tool_fail(tool, "one input file is enough, found '%s' and '%s'", *input, arg);
  *input = arg;
  return true;
}
