// Which ops of a gpu function touch shared memory, through which proxy, and where.
#ifndef CAKE_VERIFIER_PROXY_ACCESSES_H
#define CAKE_VERIFIER_PROXY_ACCESSES_H

#include "verifier/proxy.h"

typedef struct CakeProxyAccess {
  CakeOp *op;
  bool is_mbarrier; // the mbarrier at which a bulk copy counts its bytes
  bool is_write;
  CakeExtent extent;
} CakeProxyAccess;

typedef CAKE_VEC(CakeProxySite) CakeProxySites;
typedef CAKE_VEC(CakeProxyAccess) CakeProxyAccesses;

// All generic accesses and all accesses of the async proxy in a function of so many warps; only those generic ones that
// some other access may meet. Returns false when there is no such pair.
bool cake_proxy_collect(CakeOp *func, int32_t warps, CakeProxySites *sites, CakeProxyAccesses *accesses);
bool cake_proxy_overlaps(const CakeProxySite *site, int32_t writer, const CakeProxyAccess *access, int32_t warp);

// Bytes of the box of a tensor map that is an argument of the function; -1: not known.
int64_t cake_gpu_box_bytes(const CakeOp *func, const CakeValue *map);

// Whether the rule async-proxy reports an access of the async proxy: others that would then leave it to that rule.
bool cake_proxy_finds(CakeOp *func, const CakeOp *op);

#endif
