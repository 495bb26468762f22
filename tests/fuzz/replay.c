// Runs a fuzz target on each file named on the command line, without libFuzzer: the corpus as an ordinary test.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Returns the whole file, to be freed by the caller, or NULL.
static uint8_t *read_file(const char *path, size_t *out_size) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  size_t size = 0, room = 4096;
  uint8_t *data = malloc(room);
  while (data) {
    size += fread(data + size, 1, room - size, file);
    if (size < room)
      break;
    uint8_t *grown = realloc(data, room *= 2);
    if (!grown)
      free(data);
    data = grown;
  }
  if (data && ferror(file)) {
    free(data);
    data = NULL;
  }
  fclose(file);
  *out_size = size;
  return data;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    size_t size = 0;
    uint8_t *data = read_file(argv[i], &size);
    if (!data) {
      fprintf(stderr, "%s: cannot be read\n", argv[i]);
      return 1;
    }
    // An exact copy, so that the sanitiser sees a read behind the end.
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
      return 1;
    for (size_t j = 0; j < size; ++j)
      exact[j] = data[j];
    free(data);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
  }
  printf("%d inputs\n", argc - 1);
  return 0;
}
