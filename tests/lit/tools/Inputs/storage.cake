// Slots in several storage forms.
cake.kernel @forms(%x: !cake.global<[N]x64xbf16, align 16>, %q: !cake.global<[N]xf32>) target("sm_80", "sm_90a") {
  cake.pipeline @swizzled stages(1) from(@load) to(@use) slot(a: !cake.shared<64x64xbf16, sw128>)
  cake.pipeline @plain stages(2) from(@load) to(@use)
      slot(b: !cake.shared<64x64xbf16, rows>, c: !cake.shared<64x64xbf16, rows<pad 16>>, d: !cake.shared<128xf32, rows>)
  cake.tiles @work (n = ceildiv(N, 128)) schedule(grid)
  cake.role @load warps(1) {
    cake.items (%n) in @work {
      %s, %a = cake.acquire @swizzled
      cake.copy %x[%n * 128, 0] -> %a via(cp_async) pad(0.0)
      cake.commit %s
      %t, %b, %c, %d = cake.acquire @plain
      cake.copy %x[%n * 128, 0] -> %b via(cp_async) pad(0.0)
      cake.copy %x[%n * 128, 0] -> %c via(cp_async) pad(0.0)
      cake.copy %q[%n * 128] -> %d via(cp_async) pad(0.0)
      cake.commit %t
    }
  }
  cake.role @use warps(4) {
    cake.items (%n) in @work {
      %s, %a = cake.wait @swizzled
      cake.release %s
      %t, %b, %c, %d = cake.wait @plain
      cake.release %t
    }
  }
}
