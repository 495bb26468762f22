// RUN: cake-opt %s --print-call-graph -o /dev/null 2>&1 | FileCheck %s
// CHECK: {{^}}@leaf{{$}}
// CHECK-NEXT: {{^}}@middle calls @leaf{{$}}
// CHECK-NEXT: @even calls @odd (recursive)
// CHECK-NEXT: @odd calls @even (recursive)
// CHECK-NEXT: {{^}}@top calls @middle, something unknown, @even{{$}}
func.func private @outside()
func.func @top() {
  func.call @middle() : () -> ()
  func.call @outside() : () -> ()
  func.call @middle() : () -> ()
  func.call @even() : () -> ()
  return
}
func.func @middle() {
  func.call @leaf() : () -> ()
  return
}
func.func @leaf() {
  return
}
func.func @even() {
  func.call @odd() : () -> ()
  return
}
func.func @odd() {
  func.call @even() : () -> ()
  return
}
