// Files: reading them whole, mapped when they are large, and writing them so that a failure leaves no part behind.
#include "core.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MAP_POPULATE
#define MAP_POPULATE 0
#endif

enum {
  LEAST_MAPPED = 32 << 10,
  LARGEST_POPULATED = 1 << 20, // whose pages are all mapped at once; those of larger ones while they are read
  LEAST_READ = 1 << 16,        // room for a read
};

// ---- Reading -------------------------------------------------------------------------------------------------------

static bool file_error(CakeBuf *error, const char *what, const char *path) {
  int reason = errno;
  if (error) cake_buf_printf(error, "cannot %s '%s': %s", what, path, strerror(reason));
  return false;
}

static bool read_all(int fd, CakeBuf *out) {
  for (;;) {
    cake_buf_reserve(out, LEAST_READ);
    ssize_t got = read(fd, out->data + out->len, out->capacity - out->len - 1);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    out->len += (size_t)got;
  }
  out->data[out->len] = '\0';
  return true;
}

bool cake_file_read(const char *path, CakeBuf *out, CakeBuf *error) {
  if (strcmp(path, "-") == 0) return read_all(STDIN_FILENO, out) || file_error(error, "read", "standard input");
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return file_error(error, "open", path);
  struct stat status;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    cake_buf_reserve(out, (size_t)status.st_size + LEAST_READ); // the last read finds the end
  bool ok = read_all(fd, out) || file_error(error, "read", path);
  close(fd);
  return ok;
}

// True: mapped. False: to be read.
static bool map(const char *path, CakeFileText *out) {
  int fd = strcmp(path, "-") == 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (fd < 0) return false;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= LEAST_MAPPED) {
    int populate = status.st_size <= LARGEST_POPULATED ? MAP_POPULATE : 0;
    void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | populate, fd, 0);
    out->is_mapped = memory != MAP_FAILED;
    if (out->is_mapped) out->text = (CakeStr){memory, (size_t)status.st_size};
  }
  close(fd);
  return out->is_mapped;
}

bool cake_file_open_text(const char *path, CakeFileText *out, CakeBuf *error) {
  *out = (CakeFileText){0};
  if (map(path, out)) return true;
  if (!cake_file_read(path, &out->read, error)) return false;
  out->text = cake_buf_view(&out->read);
  return true;
}

void cake_file_close_text(CakeFileText *text) {
  if (text->is_mapped) munmap((void *)(uintptr_t)text->text.ptr, text->text.len);
  cake_buf_fini(&text->read);
  *text = (CakeFileText){0};
}

void cake_mapped_release(const char *from, const char *to) {
  enum { PAGE = 4096 };
  uintptr_t begin = ((uintptr_t)from + PAGE - 1) / PAGE * PAGE, end = (uintptr_t)to / PAGE * PAGE;
  if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED);
}

// ---- Writing -------------------------------------------------------------------------------------------------------

static bool write_all(int fd, CakeStr bytes) {
  while (bytes.len) {
    ssize_t put = write(fd, bytes.ptr, bytes.len);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.ptr += put;
    bytes.len -= (size_t)put;
  }
  return true;
}

static bool write_error(CakeFileWriter *writer, const char *what, CakeBuf *error) {
  if (!writer->has_failed) file_error(error, what, writer->path);
  writer->has_failed = true;
  return false;
}

// A temporary beside the target, with the mode of what it replaces.
static bool begin_replacing(CakeFileWriter *writer, const char *path, const struct stat *old, CakeBuf *error) {
  char *target = old ? realpath(path, NULL) : NULL; // a link stays a link
  CakeStr name = cake_str(target ? target : path);
  writer->target = cake_mem_zeroed(name.len + 1);
  memcpy(writer->target, name.ptr, name.len);
  free(target);
  cake_buf_printf(&writer->temporary, "%s.%ld.tmp", writer->target, (long)getpid());
  writer->fd = open(writer->temporary.data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (writer->fd < 0) return write_error(writer, "create", error);
  return !old || fchmod(writer->fd, old->st_mode & 0777) == 0 || write_error(writer, "write", error);
}

bool cake_file_begin(CakeFileWriter *writer, const char *path, CakeBuf *error) {
  *writer = (CakeFileWriter){.path = path, .fd = -1};
  if (strcmp(path, "-") == 0) {
    writer->path = "standard output";
    writer->fd = STDOUT_FILENO;
    return true;
  }
  struct stat status;
  bool exists = stat(path, &status) == 0;
  if (!exists || S_ISREG(status.st_mode)) return begin_replacing(writer, path, exists ? &status : NULL, error);
  writer->fd = open(path, O_WRONLY | O_CLOEXEC); // a pipe, /dev/null
  return writer->fd >= 0 || write_error(writer, "open", error);
}

void cake_file_append(CakeFileWriter *writer, CakeStr bytes, CakeBuf *error) {
  if (!writer->has_failed && !write_all(writer->fd, bytes)) write_error(writer, "write", error);
}

bool cake_file_end(CakeFileWriter *writer, bool keep, CakeBuf *error) {
  bool is_file = writer->fd >= 0 && writer->fd != STDOUT_FILENO, has_temporary = writer->target && is_file;
  if (is_file && close(writer->fd) != 0) write_error(writer, "write", error);
  keep = keep && !writer->has_failed;
  if (has_temporary && keep && rename(writer->temporary.data, writer->target) != 0)
    keep = write_error(writer, "write", error);
  if (has_temporary && !keep) unlink(writer->temporary.data);
  bool is_fine = !writer->has_failed;
  cake_buf_fini(&writer->temporary);
  cake_mem_free(writer->target);
  *writer = (CakeFileWriter){.fd = -1};
  return is_fine;
}

bool cake_file_write(const char *path, CakeStr bytes, CakeBuf *error) {
  CakeFileWriter writer;
  bool is_open = cake_file_begin(&writer, path, error);
  if (is_open) cake_file_append(&writer, bytes, error);
  return cake_file_end(&writer, is_open, error) && is_open;
}
