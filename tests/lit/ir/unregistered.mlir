// Without --allow-unregistered-dialect, ops, types and attributes of other dialects are refused.
// RUN: cake-opt --verify-diagnostics --split-input-file %s

// expected-error@+1 {{operation 't.x' is of a dialect that is not registered}}
"t.x"() : () -> ()

// -----

// expected-error@+1 {{dialect 't' of the type is not registered}}
func.func private @f(!t.x)

// -----

// expected-error@+1 {{dialect 't' of the attribute is not registered}}
module attributes {cake.x = #t.x} {}
