// symbol-dce: private symbols that nothing refers to, also when they refer to one another.
// RUN: cake-opt --symbol-dce --allow-unregistered-dialect %s | FileCheck %s

// CHECK: module
// CHECK-NEXT: func.func private @used
func.func private @used()
// CHECK-NOT: @unused
func.func private @unused()
// CHECK-NOT: @ring
func.func private @ring_a() {
  call @ring_b() : () -> ()
  return
}
func.func private @ring_b() {
  call @ring_a() : () -> ()
  return
}
// CHECK: func.func private @named_in_list
func.func private @named_in_list()
// CHECK: func.func private @through
func.func private @through() {
  call @used() : () -> ()
  return
}
// CHECK: func.func @public
func.func @public() {
  call @through() : () -> ()
  "t.refers"() {to = [@named_in_list]} : () -> ()
  return
}
