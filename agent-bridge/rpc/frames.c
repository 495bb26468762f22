// Where messages begin and end in a stream of bytes.
#include "agent-bridge/rpc/rpc.h"

#include <ctype.h>
#include <string.h>

static const char HEADER[] = "content-length:";
enum { HEADER_LEN = sizeof HEADER - 1 };

void rpc_frames_fini(RpcFrames *frames) {
  cake_buf_fini(&frames->bytes);
}

void rpc_frames_feed(RpcFrames *frames, CakeStr bytes) {
  if (frames->at) { // what was taken makes room
    frames->bytes.len -= frames->at;
    memmove(frames->bytes.data, frames->bytes.data + frames->at, frames->bytes.len);
    frames->at = 0;
  }
  cake_buf_append(&frames->bytes, bytes.ptr, bytes.len);
}

static CakeStr pending(const RpcFrames *frames) {
  if (!frames->bytes.data) return CAKE_STR("");
  return (CakeStr){frames->bytes.data + frames->at, frames->bytes.len - frames->at};
}

static RpcFrame fault(CakeStr *out, const char *text) {
  *out = cake_str(text);
  return RPC_FAULT;
}

// ---- Lines ---------------------------------------------------------------------------------------------------------

static bool is_blank(CakeStr line) {
  for (size_t i = 0; i < line.len; i++)
    if (!isspace((unsigned char)line.ptr[i])) return false;
  return true;
}

static RpcFrame next_line(RpcFrames *frames, CakeStr *out) {
  for (;;) {
    CakeStr bytes = pending(frames);
    const char *newline = bytes.len ? memchr(bytes.ptr, '\n', bytes.len) : NULL;
    size_t len = newline ? (size_t)(newline - bytes.ptr) : bytes.len;
    bool is_large = len > RPC_MOST_BYTES, was_behind = frames->is_behind;
    if (!newline && !is_large && !was_behind) return RPC_NO_FRAME;
    frames->at += newline ? len + 1 : len;
    frames->is_behind = !newline && (is_large || was_behind);
    if (is_large && !was_behind) return fault(out, "the message is larger than 64 MiB");
    if (!newline) return RPC_NO_FRAME;
    *out = (CakeStr){bytes.ptr, len};
    if (!was_behind && !is_blank(*out)) return RPC_BODY;
  }
}

// ---- Headers -------------------------------------------------------------------------------------------------------

static bool is_header(const char *at) {
  for (size_t i = 0; i < HEADER_LEN; i++)
    if (tolower((unsigned char)at[i]) != HEADER[i]) return false;
  return true;
}

// Behind malformed headers: goes on at the next `Content-Length:`. False: there is none yet.
static bool find_header(RpcFrames *frames) {
  CakeStr bytes = pending(frames);
  size_t i = 0;
  while (i + HEADER_LEN <= bytes.len && !is_header(bytes.ptr + i))
    i++;
  frames->at += i;
  frames->is_lost = i + HEADER_LEN > bytes.len;
  return !frames->is_lost;
}

// The length of the headers with the empty line behind them; 0 when they have not all come. A line may end with \n alone.
static size_t headers_length(CakeStr bytes) {
  for (size_t i = 0; i < bytes.len; i++) {
    if (bytes.ptr[i] != '\n') continue;
    if (i + 1 < bytes.len && bytes.ptr[i + 1] == '\n') return i + 2;
    if (i + 2 < bytes.len && bytes.ptr[i + 1] == '\r' && bytes.ptr[i + 2] == '\n') return i + 3;
  }
  return 0;
}

// A decimal number with nothing but blanks around it; what is too large for 64 bits is the largest.
static bool parse_length(CakeStr text, uint64_t *out) {
  size_t i = 0;
  while (i < text.len && (text.ptr[i] == ' ' || text.ptr[i] == '\t'))
    i++;
  size_t first = i;
  uint64_t value = 0;
  for (; i < text.len && isdigit((unsigned char)text.ptr[i]); i++)
    value = value > (UINT64_MAX - 9) / 10 ? UINT64_MAX : value * 10 + (uint64_t)(text.ptr[i] - '0');
  if (i == first) return false;
  while (i < text.len && isspace((unsigned char)text.ptr[i]))
    i++;
  *out = value;
  return i == text.len;
}

// NULL, or what is wrong with the headers.
static const char *parse_headers(CakeStr headers, uint64_t *out_length) {
  bool has_length = false;
  for (size_t at = 0; at < headers.len;) {
    const char *newline = memchr(headers.ptr + at, '\n', headers.len - at);
    size_t end = newline ? (size_t)(newline - headers.ptr) : headers.len;
    CakeStr line = {headers.ptr + at, end - at};
    at = end + 1;
    if (is_blank(line)) continue;
    if (line.len >= HEADER_LEN && is_header(line.ptr)) {
      if (has_length) return "Content-Length is given twice";
      if (!parse_length((CakeStr){line.ptr + HEADER_LEN, line.len - HEADER_LEN}, out_length))
        return "Content-Length is not a number";
      has_length = true;
    } else if (!memchr(line.ptr, ':', line.len)) {
      return "a header has no colon";
    }
  }
  return has_length ? NULL : "Content-Length is missing";
}

// Drops what is left of a message that is too large. False: not all of it has come.
static bool skip(RpcFrames *frames) {
  size_t there = frames->bytes.len - frames->at;
  size_t part = frames->skip < there ? (size_t)frames->skip : there;
  frames->at += part;
  frames->skip -= part;
  return frames->skip == 0;
}

static RpcFrame lost(RpcFrames *frames, size_t by, CakeStr *out, const char *why) {
  frames->at += by;
  frames->is_lost = true;
  return fault(out, why);
}

static RpcFrame next_with_headers(RpcFrames *frames, CakeStr *out) {
  if (frames->skip && !skip(frames)) return RPC_NO_FRAME;
  if (frames->is_lost && !find_header(frames)) return RPC_NO_FRAME;
  CakeStr bytes = pending(frames);
  size_t headers = headers_length(bytes);
  if (!headers && bytes.len <= RPC_MOST_HEADER) return RPC_NO_FRAME;
  if (!headers || headers > RPC_MOST_HEADER) return lost(frames, 1, out, "the headers are longer than 4096 bytes");
  uint64_t length = 0;
  const char *error = parse_headers((CakeStr){bytes.ptr, headers}, &length);
  if (error) return lost(frames, headers, out, error);
  if (length > RPC_MOST_BYTES) {
    frames->at += headers;
    frames->skip = length;
    return fault(out, "the message is larger than 64 MiB");
  }
  if (bytes.len - headers < length) return RPC_NO_FRAME;
  *out = (CakeStr){bytes.ptr + headers, (size_t)length};
  frames->at += headers + (size_t)length;
  return RPC_BODY;
}

RpcFrame rpc_frames_next(RpcFrames *frames, CakeStr *out) {
  return frames->framing == RPC_LINES ? next_line(frames, out) : next_with_headers(frames, out);
}
