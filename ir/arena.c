// Arenas: bump allocation in growing chunks, with free lists by size class. The one file that calls malloc.
//
// Under AddressSanitizer everything that is not handed out is poisoned, and allocations are kept apart by a gap.
#include "core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define CAKE_HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CAKE_HAS_ASAN 1
#endif
#endif

#ifdef CAKE_HAS_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(memory, size) ASAN_POISON_MEMORY_REGION((memory), (size))
#define UNPOISON(memory, size) ASAN_UNPOISON_MEMORY_REGION((memory), (size))
enum { GAP = 16 };
#else
#define POISON(memory, size) ((void)(memory), (void)(size))
#define UNPOISON(memory, size) ((void)(memory), (void)(size))
enum { GAP = 0 };
#endif

// ---- The system's memory -------------------------------------------------------------------------------------------

void cake_out_of_memory(size_t size) {
  fprintf(stderr, "cake: out of memory (%zu bytes wanted)\n", size);
  abort();
}

enum {
  PAGE = 4096,
  HUGE_PAGE = 2 << 20,
  LEAST_POPULATED = 128 << 10,
  LEAST_HUGE = 256 << 10, // what may grow gets whole huge pages: making one takes as long as making so many small ones,
  LARGEST_ALIGNED = 16 << 20, // up to this much; beyond it lies where the system can let it grow in place
};

// Asks for huge pages in memory of some: with small ones the faults of first use cost more than all that is done to an op.
// Whole pages from the first to the last one: a mapping that is advised in part can no longer be grown in place.
static void advise_huge(void *memory, size_t size) {
#ifdef MADV_HUGEPAGE
  if (size < HUGE_PAGE) return;
  size_t offset = (uintptr_t)memory % PAGE;
  madvise((char *)memory - offset, (offset + size + PAGE - 1) / PAGE * PAGE, MADV_HUGEPAGE);
#else
  (void)memory, (void)size;
#endif
}

// Has the pages of some memory made at once: one by one, at first use, they cost several times as much.
static void populate(void *memory, size_t size) {
#if defined(MADV_POPULATE_WRITE) && !defined(CAKE_HAS_ASAN)
  if (size >= 2 * HUGE_PAGE) return;
  uintptr_t begin = ((uintptr_t)memory + PAGE - 1) / PAGE * PAGE, end = ((uintptr_t)memory + size) / PAGE * PAGE;
  madvise((void *)begin, end - begin, MADV_POPULATE_WRITE); // a hint: without it they come at first use
#else
  (void)memory, (void)size;
#endif
}

void *cake_mem_resize(void *memory, size_t size) {
  void *resized = realloc(memory, size);
  if (!resized) cake_out_of_memory(size);
  if (size >= 2 * HUGE_PAGE) advise_huge(resized, size);
  return resized;
}

void *cake_mem_grow(void *memory, size_t used, size_t *size) {
  if (*size < LEAST_HUGE || *size > LARGEST_ALIGNED) return cake_mem_resize(memory, *size);
  *size = (*size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  void *grown = aligned_alloc(HUGE_PAGE, *size);
  if (!grown) cake_out_of_memory(*size);
  advise_huge(grown, *size);
  if (used) memcpy(grown, memory, used);
  free(memory);
  return grown;
}

// Memory on whole huge pages, or NULL: such are not to be had.
static void *zeroed_on_huge_pages(size_t size) {
#if defined(MADV_HUGEPAGE) && !defined(CAKE_HAS_ASAN)
  size_t whole = (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  void *memory = aligned_alloc(HUGE_PAGE, whole);
  if (!memory) return NULL;
  advise_huge(memory, whole);
  return memset(memory, 0, size);
#else
  (void)size;
  return NULL;
#endif
}

void *cake_mem_zeroed(size_t size) {
  bool is_middling = size >= 2 * LEAST_HUGE && size < 2 * HUGE_PAGE;
  void *on_huge_pages = is_middling ? zeroed_on_huge_pages(size) : NULL;
  if (on_huge_pages) return on_huge_pages;
  void *memory = calloc(1, size);
  if (!memory) cake_out_of_memory(size);
  if (size >= 2 * HUGE_PAGE) advise_huge(memory, size);
  if (size >= LEAST_POPULATED) populate(memory, size); // most of it is tables, which are used all over
  return memory;
}

void cake_mem_free(void *memory) {
  free(memory);
}

void *cake_vec_grow(void *data, size_t *capacity, size_t element_size) {
  size_t grown = *capacity ? *capacity * 2 : 8;
  if (grown > SIZE_MAX / element_size) cake_out_of_memory(SIZE_MAX);
  size_t size = grown * element_size;
  data = cake_mem_grow(data, data ? *capacity * element_size : 0, &size);
  *capacity = size / element_size;
  return data;
}

// ---- Arenas --------------------------------------------------------------------------------------------------------

enum {
  ALIGNMENT = 8,
  FIRST_CHUNK = 2 << 10,
  LEAST_BIG = 16 << 10,     // gets a chunk of its own when it does not fit the rest of the newest,
  BIG_PART = 4,             // and is more than this part of the next one
  LARGEST_SMALL = 32 << 10, // then it is huge pages, which are made much faster than as many small ones
  LARGEST_CHUNK = 4 << 20,
  SMALL_CLASSES = 129, // multiples of 8 up to 1024
  SMALL_LIMIT = (SMALL_CLASSES - 1) * ALIGNMENT,
  LARGE_CLASSES = 4 * 54, // then four steps an octave
};

typedef struct Chunk {
  struct Chunk *next; // older
  size_t size;        // with this header
} Chunk;

typedef struct FreeItem {
  struct FreeItem *next;
} FreeItem;

enum { CHUNK_HEADER = (sizeof(Chunk) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT };

struct CakeArena {
  char *at, *end;   // the rest of the newest chunk
  char *dirty_end;  // memory below it is not known to be zero
  Chunk *chunks;    // newest first
  size_t next_size; // of the next chunk
  size_t in_use;
  FreeItem **large_lists; // LARGE_CLASSES of them; NULL: nothing large was given back
  FreeItem *small_lists[SMALL_CLASSES];
};

// The class of a size, and the bytes that its members have.
static unsigned size_class(size_t size, size_t *out_bytes) {
  if (size <= SMALL_LIMIT) {
    size_t units = size ? (size + ALIGNMENT - 1) / ALIGNMENT : 1;
    *out_bytes = units * ALIGNMENT;
    return (unsigned)units;
  }
  unsigned octave = 10; // 2^octave < size ≤ 2^(octave+1)
  while (octave < 62 && ((size - 1) >> (octave + 1)) != 0)
    octave++;
  size_t step = (size_t)1 << (octave - 2);
  size_t steps = (size - 1 - ((size_t)1 << octave)) / step; // 0 … 3
  *out_bytes = ((size_t)1 << octave) + (steps + 1) * step;
  return (unsigned)(SMALL_CLASSES + (octave - 10) * 4 + steps);
}

CakeArena *cake_arena_create(void) {
  CakeArena *arena = cake_mem_zeroed(sizeof *arena);
  arena->next_size = FIRST_CHUNK;
  return arena;
}

// A chunk of the largest size is mapped where huge pages begin. Not in sanitised builds: LeakSanitizer sees into malloc's
// memory only.
#ifdef CAKE_HAS_ASAN
static Chunk *map_chunk(size_t size) {
  return cake_mem_zeroed(size);
}

static void unmap_chunk(Chunk *chunk) {
  free(chunk);
}
#else
static Chunk *map_chunk(size_t size) {
  size_t mapped = size + HUGE_PAGE;
  char *memory = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) cake_out_of_memory(mapped);
  size_t before = (HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE) % HUGE_PAGE; // up to an aligned address
  if (before) munmap(memory, before);
  munmap(memory + before + size, HUGE_PAGE - before);
  advise_huge(memory + before, size);
  return (Chunk *)(void *)(memory + before);
}

static void unmap_chunk(Chunk *chunk) {
  munmap(chunk, chunk->size);
}
#endif

static void free_chunks(Chunk *chunk) {
  while (chunk) {
    Chunk *next = chunk->next;
    UNPOISON(chunk, chunk->size);
    if (chunk->size == LARGEST_CHUNK)
      unmap_chunk(chunk);
    else
      free(chunk);
    chunk = next;
  }
}

void cake_arena_destroy(CakeArena *arena) {
  if (!arena) return;
  free_chunks(arena->chunks);
  free(arena->large_lists);
  free(arena);
}

static void grow_next(CakeArena *arena) {
  arena->next_size = arena->next_size < LARGEST_SMALL ? 2 * arena->next_size : LARGEST_CHUNK;
}

// A small chunk is cleared when it is handed out: clearing it at once would use all its pages, many for nothing.
static void add_chunk(CakeArena *arena, size_t size) {
  bool is_mapped = size == LARGEST_CHUNK;
  Chunk *chunk = is_mapped ? map_chunk(size) : cake_mem_resize(NULL, size);
  chunk->next = arena->chunks;
  chunk->size = size;
  arena->chunks = chunk;
  arena->at = (char *)chunk + CHUNK_HEADER;
  arena->end = (char *)chunk + size;
  arena->dirty_end = is_mapped ? NULL : arena->end;
  POISON(arena->at, size - CHUNK_HEADER);
}

// A chunk of its own for something big, kept behind the chunk that is being filled.
static void *big_alloc(CakeArena *arena, size_t bytes, bool is_zeroed) {
  if (bytes > SIZE_MAX - CHUNK_HEADER) cake_out_of_memory(bytes);
  if (!arena->chunks) add_chunk(arena, FIRST_CHUNK);
  size_t size = CHUNK_HEADER + bytes + (CHUNK_HEADER + bytes == LARGEST_CHUNK ? ALIGNMENT : 0); // which is mapped
  Chunk *chunk = is_zeroed ? cake_mem_zeroed(size) : cake_mem_resize(NULL, size);
  if (!is_zeroed || size < LEAST_POPULATED) populate(chunk, size);
  chunk->size = size;
  chunk->next = arena->chunks->next;
  arena->chunks->next = chunk;
  grow_next(arena);
  return (char *)chunk + CHUNK_HEADER;
}

static void *bump_alloc(CakeArena *arena, size_t bytes, bool is_zeroed) {
  if ((size_t)(arena->end - arena->at) < bytes + GAP) {
    if (bytes >= LEAST_BIG && bytes > arena->next_size / BIG_PART) return big_alloc(arena, bytes, is_zeroed);
    while (arena->next_size < 2 * (bytes + GAP + CHUNK_HEADER))
      arena->next_size *= 2;
    add_chunk(arena, arena->next_size);
    grow_next(arena);
  }
  char *memory = arena->at;
  arena->at += bytes + GAP;
  UNPOISON(memory, bytes);
  if (is_zeroed && memory < arena->dirty_end) memset(memory, 0, bytes);
  return memory;
}

// Where the free items of a class begin; NULL: there are none, and no place for them.
static FreeItem **free_list(CakeArena *arena, unsigned class_index) {
  if (class_index < SMALL_CLASSES) return &arena->small_lists[class_index];
  return arena->large_lists ? &arena->large_lists[class_index - SMALL_CLASSES] : NULL;
}

static void *take(CakeArena *arena, size_t size, bool is_zeroed) {
  if (size > SIZE_MAX / 4) cake_out_of_memory(size);
  size_t bytes;
  FreeItem **list = free_list(arena, size_class(size, &bytes));
  arena->in_use += bytes;
  FreeItem *item = list ? *list : NULL;
  if (!item) return bump_alloc(arena, bytes, is_zeroed);
  UNPOISON(item, bytes);
  *list = item->next;
  return is_zeroed ? memset(item, 0, bytes) : item;
}

void *cake_arena_alloc(CakeArena *arena, size_t size) {
  return take(arena, size, true);
}

void *cake_arena_take(CakeArena *arena, size_t size) {
  return take(arena, size, false);
}

void cake_arena_free(CakeArena *arena, void *memory, size_t size) {
  if (!memory) return;
  size_t bytes;
  unsigned class_index = size_class(size, &bytes);
  if (class_index >= SMALL_CLASSES && !arena->large_lists)
    arena->large_lists = cake_mem_zeroed(LARGE_CLASSES * sizeof *arena->large_lists);
  FreeItem *item = memory, **list = free_list(arena, class_index);
  item->next = *list;
  *list = item;
  arena->in_use -= bytes;
  POISON(memory, bytes);
}

void cake_arena_reset(CakeArena *arena) {
  memset(arena->small_lists, 0, sizeof arena->small_lists);
  if (arena->large_lists) memset(arena->large_lists, 0, LARGE_CLASSES * sizeof *arena->large_lists);
  arena->in_use = 0;
  Chunk *kept = arena->chunks; // never a chunk of its own for something big
  if (!kept) return;
  free_chunks(kept->next);
  kept->next = NULL;
  arena->at = (char *)kept + CHUNK_HEADER;
  arena->end = arena->dirty_end = (char *)kept + kept->size;
  POISON(arena->at, kept->size - CHUNK_HEADER);
}

size_t cake_arena_bytes(const CakeArena *arena) {
  return arena->in_use;
}

CakeStr cake_arena_str(CakeArena *arena, CakeStr str) {
  char *copy = cake_arena_alloc(arena, str.len + 1);
  if (str.len) memcpy(copy, str.ptr, str.len);
  return (CakeStr){copy, str.len};
}

CakeStr cake_arena_printf(CakeArena *arena, const char *format, ...) {
  CakeBuf buf = {0};
  va_list args;
  va_start(args, format);
  cake_buf_vprintf(&buf, format, args);
  va_end(args);
  CakeStr copy = cake_arena_str(arena, cake_buf_view(&buf));
  cake_buf_fini(&buf);
  return copy;
}
