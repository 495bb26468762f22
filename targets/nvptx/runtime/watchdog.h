// The report of a kernel whose waits are bounded (cake-watchdog): in pinned memory, so that it can be read when the kernel has
// trapped and its context is lost.
#ifndef CAKE_TARGETS_NVPTX_RUNTIME_WATCHDOG_H
#define CAKE_TARGETS_NVPTX_RUNTIME_WATCHDOG_H

#include "cake/base.h"
#include "cake/manifest.h"

CAKE_BEGIN_C

#define CAKE_WATCHDOG_ENTRIES 255

// One wait of one warp that took too long.
typedef struct CakeWatchdogEntry {
  uint32_t barrier, parity, cta, warp; // barrier: offset in dynamic shared memory
} CakeWatchdogEntry;

// What the device writes; zeroed before the launch.
typedef struct CakeWatchdogReport {
  uint32_t count; // of entries, also of those that there was no room for
  uint32_t unused[3];
  CakeWatchdogEntry entries[CAKE_WATCHDOG_ENTRIES];
} CakeWatchdogReport;

// Appends one line a role, pipeline, stage and phase that was waited for, with the CTAs that did: "@load waits for an empty
// slot of @ring (stage 2, parity 1) in 132 CTAs: 0, 1, 2, …". False when nothing was reported.
bool cake_watchdog_describe(const CakeManifest *manifest, const CakeWatchdogReport *report, CakeBuf *out);

CAKE_END_C
#endif
