// Symbols directly in the op become private, but those that are named.
// RUN: cake-opt --symbol-privatize=exclude="keep" --check-passes %s | FileCheck %s
// RUN: cake-opt --symbol-privatize='exclude=keep,inner' %s | FileCheck %s --check-prefix=TWO
// RUN: cake-opt --symbol-privatize --symbol-dce %s | FileCheck %s --check-prefix=NONE
// CHECK: func.func @keep
// CHECK: func.func private @keeper
// CHECK: func.func private @already
// CHECK: module @inner attributes {sym_visibility = "private"} {
// CHECK-NEXT: func.func @deeper
// TWO: func.func @keep(
// TWO: func.func private @keeper
// TWO: module @inner {
// NONE: module {
// NONE-NEXT: }
func.func @keep() { return }
func.func @keeper() { return }
func.func private @already()
module @inner {
  func.func @deeper() { return }
}
