// Nested symbols go where nobody outside can name what is around them.
// RUN: cake-opt --symbol-dce --allow-unregistered-dialect %s | FileCheck %s
// RUN: cake-opt --pass-pipeline='builtin.module(builtin.module(symbol-dce))' --allow-unregistered-dialect %s | FileCheck %s --check-prefix=INNER
// CHECK-NOT: @gone
// CHECK: func.func nested @called()
// CHECK-NOT: @seen
// INNER: func.func nested @outer_gone()
// INNER: module @named {
// INNER-NEXT: func.func nested @seen()
// INNER-NOT: @gone
// INNER: func.func nested @called()
// INNER-NOT: @gone
func.func nested @outer_gone() { return }
module @named {
  func.func nested @seen() { return }
  func.func private @gone_private() { return }
  module {
    func.func nested @gone_in_module() { return }
  }
  func.func nested @called() { return }
}
module {
  func.func nested @gone_without_name() { return }
}
module @hidden attributes {sym_visibility = "private"} {
  func.func nested @gone_in_private() { return }
}
"t.use"() {of = [@named::@called, @hidden]} : () -> ()
