// A map from pointers to words: open addressing with linear probing; removal moves later entries back.
#include "core.h"

#include <string.h>

// By the top bits of the product, which all bits of the key reach: words such as locations differ in high bits alone.
static size_t slot_of(const CakeMap *map, uintptr_t key) {
  uint64_t hash = (uint64_t)key * 0x9e3779b97f4a7c15u;
  return (size_t)((hash >> 32) * map->capacity >> 32); // the capacity is a power of two
}

void cake_map_fini(CakeMap *map) {
  cake_mem_free(map->slots);
  *map = (CakeMap){0};
}

void cake_map_empty(CakeMap *map) {
  enum { FEW = 256 };
  if (map->capacity > FEW && map->len < map->capacity / 16)
    cake_map_fini(map);
  else
    cake_map_clear(map);
}

void cake_map_clear(CakeMap *map) {
  if (map->slots) memset(map->slots, 0, map->capacity * 2 * sizeof *map->slots);
  map->len = 0;
}

// The slot of `key`, or the empty one where it would go.
static uintptr_t *find(const CakeMap *map, uintptr_t key) {
  size_t i = slot_of(map, key);
  while (map->slots[2 * i] && map->slots[2 * i] != key)
    i = (i + 1) & (map->capacity - 1);
  return &map->slots[2 * i];
}

// Past a few entries it grows in large steps at first: each step takes new pages and moves all entries.
static void grow(CakeMap *map) {
  enum { FIRST = 16, FEW = 256, LARGE = 1 << 15 };
  bool is_large_step = map->capacity >= FEW && map->capacity < LARGE;
  size_t capacity = !map->capacity ? FIRST : map->capacity * (is_large_step ? 4 : 2);
  CakeMap grown = {.capacity = capacity, .len = map->len};
  grown.slots = cake_mem_zeroed(grown.capacity * 2 * sizeof *grown.slots);
  for (size_t i = 0; i < map->capacity; i++) {
    if (!map->slots[2 * i]) continue;
    uintptr_t *slot = find(&grown, map->slots[2 * i]);
    slot[0] = map->slots[2 * i];
    slot[1] = map->slots[2 * i + 1];
  }
  cake_mem_free(map->slots);
  *map = grown;
}

void cake_map_set(CakeMap *map, const void *key, uintptr_t value) {
  if (map->len * 4 >= map->capacity * 3) grow(map);
  uintptr_t *slot = find(map, (uintptr_t)key);
  if (!slot[0]) {
    slot[0] = (uintptr_t)key;
    map->len++;
  }
  slot[1] = value;
}

bool cake_map_add(CakeMap *map, const void *key, uintptr_t value) {
  if (map->len * 4 >= map->capacity * 3) grow(map);
  uintptr_t *slot = find(map, (uintptr_t)key);
  if (slot[0]) return false;
  slot[0] = (uintptr_t)key;
  slot[1] = value;
  map->len++;
  return true;
}

bool cake_map_get(const CakeMap *map, const void *key, uintptr_t *out_value) {
  if (!map->len) return false;
  const uintptr_t *slot = find(map, (uintptr_t)key);
  if (!slot[0]) return false;
  if (out_value) *out_value = slot[1];
  return true;
}

// Empties a slot, and moves back what stands behind it because of it.
static void clear(CakeMap *map, const uintptr_t *slot) {
  size_t mask = map->capacity - 1;
  size_t hole = (size_t)(slot - map->slots) / 2;
  for (size_t i = (hole + 1) & mask; map->slots[2 * i]; i = (i + 1) & mask) {
    // An entry may fill the hole when its own place is not between the hole and itself.
    size_t home = slot_of(map, map->slots[2 * i]);
    if (((i - home) & mask) < ((i - hole) & mask)) continue;
    map->slots[2 * hole] = map->slots[2 * i];
    map->slots[2 * hole + 1] = map->slots[2 * i + 1];
    hole = i;
  }
  map->slots[2 * hole] = 0;
  map->len--;
}

void cake_map_remove(CakeMap *map, const void *key) {
  if (!map->len) return;
  const uintptr_t *slot = find(map, (uintptr_t)key);
  if (slot[0]) clear(map, slot);
}

void cake_map_remove_pair(CakeMap *map, const void *key, uintptr_t value) {
  if (!map->len) return;
  const uintptr_t *slot = find(map, (uintptr_t)key);
  if (slot[0] && slot[1] == value) clear(map, slot);
}
