// Frames and messages of JSON-RPC: bytes in pieces of any size, limits, and finding the next frame behind a fault.
#include "agent-bridge/rpc/rpc.h"

#include <check.h>
#include <stdlib.h>

// What comes out of `bytes`, fed `step` at a time: "body|" or "!fault|".
static void read_all(RpcFraming framing, CakeStr bytes, size_t step, CakeBuf *out) {
  RpcFrames frames = {.framing = framing};
  for (size_t at = 0; at < bytes.len; at += step) {
    size_t len = bytes.len - at < step ? bytes.len - at : step;
    rpc_frames_feed(&frames, (CakeStr){bytes.ptr + at, len});
    CakeStr text;
    for (RpcFrame frame; (frame = rpc_frames_next(&frames, &text)) != RPC_NO_FRAME;)
      cake_buf_printf(out, "%s%.*s|", frame == RPC_FAULT ? "!" : "", CAKE_STR_ARG(text));
  }
  rpc_frames_fini(&frames);
}

static void check(RpcFraming framing, CakeStr bytes, const char *wanted) {
  for (size_t step = 1; step <= bytes.len; step = step < 4 ? step + 1 : step * 3) {
    CakeBuf out = {0};
    read_all(framing, bytes, step, &out);
    ck_assert_str_eq(out.data ? out.data : "", wanted);
    cake_buf_fini(&out);
  }
}

START_TEST(headers) {
  check(RPC_HEADERS, CAKE_STR("Content-Length: 2\r\n\r\n{}content-length:3\nX: y\n\n[1]Content-Length: 0\r\n\r\n"),
        "{}|[1]||");
  check(RPC_HEADERS, CAKE_STR("Content-Length: -2\r\n\r\n{}Content-Length: 2\r\n\r\n{}"),
        "!Content-Length is not a number|{}|");
  check(RPC_HEADERS, CAKE_STR("Content-Length: 2x\r\n\r\nContent-Length: 1\r\n\r\n1"),
        "!Content-Length is not a number|1|");
  check(RPC_HEADERS, CAKE_STR("X: y\r\n\r\nbodyContent-Length: 1\r\n\r\n1"), "!Content-Length is missing|1|");
  check(RPC_HEADERS, CAKE_STR("Content-Length: 1\r\nx\r\n\r\n1 Content-Length: 1\r\n\r\n2"),
        "!a header has no colon|2|");
  check(RPC_HEADERS, CAKE_STR("Content-Length: 1\r\nContent-Length: 1\r\n\r\n"), "!Content-Length is given twice|");
  check(RPC_HEADERS, CAKE_STR("Content-Length: 18446744073709551616\r\n\r\n{}"), "!the message is larger than 64 MiB|");
}
END_TEST

START_TEST(lines) {
  check(RPC_LINES, CAKE_STR("{}\n\n  \r\n[1]\r\n7"), "{}|[1]\r|");
}
END_TEST

// A message that is too large is passed over, and what follows is read.
static void check_large(RpcFraming framing, const char *head, const char *tail, const char *wanted) {
  CakeBuf bytes = {0}, out = {0};
  cake_buf_text(&bytes, head);
  cake_buf_fill(&bytes, 'x', RPC_MOST_BYTES + 1);
  cake_buf_text(&bytes, tail);
  read_all(framing, cake_buf_view(&bytes), 1 << 20, &out);
  ck_assert_str_eq(out.data, wanted);
  cake_buf_fini(&bytes);
  cake_buf_fini(&out);
}

START_TEST(limits) {
  char head[64];
  snprintf(head, sizeof head, "Content-Length: %d\r\n\r\n", RPC_MOST_BYTES + 1);
  check_large(RPC_HEADERS, head, "Content-Length: 1\r\n\r\n1", "!the message is larger than 64 MiB|1|");
  check_large(RPC_HEADERS, "Content-Length: 1; ", "\r\n\r\nContent-Length: 1\r\n\r\n1",
              "!the headers are longer than 4096 bytes|1|");
  check_large(RPC_LINES, "", "\n1\n", "!the message is larger than 64 MiB|1|");
}
END_TEST

static RpcCode parse(const char *text, RpcMessage *out) {
  RpcCode code = 0;
  CakeBuf reason = {0};
  bool ok = rpc_message_parse(cake_str(text), out, &code, &reason);
  ck_assert(ok == (code == 0) && (ok || reason.len));
  cake_buf_fini(&reason);
  return code;
}

static void expect(const char *text, RpcCode code) {
  RpcMessage message;
  ck_assert_int_eq(parse(text, &message), code);
  rpc_message_fini(&message);
}

START_TEST(messages) {
  RpcMessage message;
  ck_assert_int_eq(parse("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"m\",\"params\":[1]}", &message), 0);
  ck_assert_str_eq(message.method, "m");
  ck_assert_str_eq(json_string_value(message.id), "a");
  ck_assert_uint_eq(json_array_size(message.params), 1);
  rpc_message_fini(&message);
  expect("{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":null}", 0);
  expect("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{}}", 0);
  expect("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"m\"}", RPC_INVALID_REQUEST);
  expect("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"m\"}", RPC_INVALID_REQUEST);
  expect("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":3}", RPC_INVALID_REQUEST);
  expect("[]", RPC_INVALID_REQUEST);
  expect("nul", RPC_PARSE_ERROR);
  expect("", RPC_PARSE_ERROR);
  expect("{\"jsonrpc\":\"2.0\",\"id\":123456789012345678901,\"method\":\"m\"}", RPC_PARSE_ERROR);
}
END_TEST

static void append(void *user, CakeStr bytes) {
  cake_buf_str(user, bytes);
}

START_TEST(answers) {
  CakeBuf text = {0};
  RpcOut out = {RPC_LINES, append, &text};
  json_t *id = json_integer(7);
  RpcWriter writer;
  rpc_begin_result(&writer, id);
  cake_json_bool(&writer.json, true);
  rpc_send(&out, &writer);
  rpc_begin_notification(&writer, "n");
  cake_json_begin_array(&writer.json);
  cake_json_end_array(&writer.json);
  rpc_send(&out, &writer);
  out.framing = RPC_HEADERS;
  rpc_send_error(&out, NULL, RPC_PARSE_ERROR, CAKE_STR("why"));
  ck_assert_str_eq(
      text.data,
      "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":true}\n{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":[]}\n"
      "Content-Length: 67\r\n\r\n"
      "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"why\"}}");
  json_decref(id);
  cake_buf_fini(&text);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("rpc");
  TCase *tests = tcase_create("rpc");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, headers);
  tcase_add_test(tests, lines);
  tcase_add_test(tests, limits);
  tcase_add_test(tests, messages);
  tcase_add_test(tests, answers);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
