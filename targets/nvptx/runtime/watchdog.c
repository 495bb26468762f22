// Says in words which waits a watchdog ended.
#include "targets/nvptx/runtime/watchdog.h"

static const CakeManifestRole *role_of(const CakeManifest *manifest, uint32_t warp) {
  for (uint32_t i = 0; i < manifest->n_roles; i++) {
    const CakeManifestRole *role = &manifest->roles[i];
    if (warp >= role->first_warp && warp - role->first_warp < role->warps * role->replicas) return role;
  }
  return NULL;
}

// Which replica of the role a warp belongs to.
static uint32_t replica_of(const CakeManifestRole *role, uint32_t warp) {
  return role && role->warps ? (warp - role->first_warp) / role->warps : 0;
}

static bool same_wait(const CakeManifest *manifest, const CakeWatchdogEntry *a, const CakeWatchdogEntry *b) {
  const CakeManifestRole *role = role_of(manifest, a->warp);
  return a->barrier == b->barrier && a->parity == b->parity && role == role_of(manifest, b->warp) &&
         (role || a->warp == b->warp) && replica_of(role, a->warp) == replica_of(role, b->warp);
}

static void describe_role(const CakeManifest *manifest, uint32_t warp, CakeBuf *out) {
  const CakeManifestRole *role = role_of(manifest, warp);
  if (!role)
    cake_buf_printf(out, "warp %u", (unsigned)warp);
  else if (role->replicas > 1)
    cake_buf_printf(out, "@%s (replica %u)", role->name, (unsigned)replica_of(role, warp));
  else
    cake_buf_printf(out, "@%s", role->name);
}

// A pipeline's mbarriers: `full` of each stage, then `empty` of each stage.
static void describe_barrier(const CakeManifest *manifest, const CakeWatchdogEntry *entry, CakeBuf *out) {
  for (uint32_t i = 0; i < manifest->n_barriers; i++) {
    const CakeManifestBarriers *row = &manifest->barriers[i];
    if (entry->barrier < row->offset || entry->barrier - row->offset >= 16 * row->stages) continue;
    uint32_t index = (entry->barrier - row->offset) / 8;
    bool is_full = index < row->stages;
    cake_buf_printf(out, "%s slot of @%s (stage %u, parity %u)", is_full ? "a full" : "an empty", row->pipeline,
                    (unsigned)(is_full ? index : index - row->stages), (unsigned)entry->parity);
    return;
  }
  cake_buf_printf(out, "the mbarrier at byte %u of shared memory (parity %u)", (unsigned)entry->barrier,
                  (unsigned)entry->parity);
}

// The CTAs of all entries like that of number `first`, each once.
static void describe_ctas(const CakeManifest *manifest, const CakeWatchdogReport *report, uint32_t count,
                          uint32_t first, CakeBuf *out) {
  enum { SHOWN = 8 };
  CakeBuf list = {0};
  uint32_t ctas = 0;
  for (uint32_t i = first; i < count; i++) {
    bool is_new = same_wait(manifest, &report->entries[i], &report->entries[first]);
    for (uint32_t j = first; is_new && j < i; j++)
      is_new = report->entries[j].cta != report->entries[i].cta ||
               !same_wait(manifest, &report->entries[j], &report->entries[first]);
    if (!is_new) continue;
    if (ctas < SHOWN) cake_buf_printf(&list, "%s%u", ctas ? ", " : "", (unsigned)report->entries[i].cta);
    ctas++;
  }
  if (ctas == 1)
    cake_buf_printf(out, " in CTA %s\n", list.data);
  else
    cake_buf_printf(out, " in %u CTAs: %s%s\n", (unsigned)ctas, list.data, ctas > SHOWN ? ", …" : "");
  cake_buf_fini(&list);
}

bool cake_watchdog_describe(const CakeManifest *manifest, const CakeWatchdogReport *report, CakeBuf *out) {
  uint32_t count = report->count < CAKE_WATCHDOG_ENTRIES ? report->count : CAKE_WATCHDOG_ENTRIES;
  for (uint32_t i = 0; i < count; i++) {
    bool is_new = true;
    for (uint32_t j = 0; is_new && j < i; j++)
      is_new = !same_wait(manifest, &report->entries[j], &report->entries[i]);
    if (!is_new) continue;
    describe_role(manifest, report->entries[i].warp, out);
    cake_buf_text(out, " waits for ");
    describe_barrier(manifest, &report->entries[i], out);
    describe_ctas(manifest, report, count, i, out);
  }
  if (report->count > count)
    cake_buf_printf(out, "%u more waits were not written down\n", (unsigned)(report->count - count));
  return count > 0;
}
