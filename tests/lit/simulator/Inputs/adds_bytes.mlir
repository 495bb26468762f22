// Bytes are no elements that the bulk-store engine adds.
gpu.module @kernels {
  gpu.func @bytes(%o: !gpu.ptr<global>, %n: index, %out: !gpu.tensor_map) attributes {target = ["sm_90a"], arg_names = ["o"], arg_types = [!cake.global<[N]xi8, align 16>], sizes = ["N"], grid = #cake.expr<1>, block = 32 : i64, shared_bytes = 256 : i64, tensor_maps = [{arg = "o", box = [16], panel = 0 : i64, swizzle = 0 : i64}]} {
    %shared = gpu.shared_memory : !gpu.ptr<shared>
    %c0 = arith.constant 0 : i32
    %elected = gpu.elect
    scf.if %elected {
      gpu.store %c0, %shared : i32, !gpu.ptr<shared>
      gpu.fence_proxy_async
      gpu.tma_store %shared, %out[%c0] reduce add
      gpu.bulk_commit
      gpu.bulk_wait_read 0
    }
    gpu.return
  }
}
