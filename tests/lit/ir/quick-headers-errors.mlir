// What is wrong in a header that is nearly read without tokens (ir/quick.h), in its region or behind it is reported as for any other op. In front
// of each is what makes its words known: they are read by tokens when they are met for the first time.
// RUN: cake-opt --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
// expected-error @+1 {{expected ')'}}
func.func @f(%a: i32 %b: i32) {
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: i32) {-#
  // expected-error @+1 {{expected ':'}}
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
// expected-error @+2 {{redefinition of SSA value '%a'}}
// expected-note @+1 {{previously defined here}}
func.func @f(%a: i32, %a: i32) {
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
// expected-error @+1 {{expected SSA identifier}}
func.func @f(%a: i32, i32) {
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
// expected-error @+1 {{expected operation name in quotes}}
func.func @f(%a: i32) -> i32, i32 {
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
// expected-error @+1 {{expected non-empty function body}}
func.func @f() {
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
// expected-error @+1 {{expected non-empty function body}}
func.func @f() { // nothing
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
// expected-error @+1 {{'sym_name' is an inferred attribute and should not be specified in the explicit attribute dictionary}}
func.func @f(%a: i32) attributes {sym_name = "g"} {
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
// expected-error @+1 {{expected symbol name}}
func.func private f(i32)

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: i32) {
  return
// expected-error @+1 {{expected operation name in quotes}}
} {t.note}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: i32) -> i32
  // expected-error @+1 {{custom op 'return' is unknown}}
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
// expected-error @+1 {{cannot name an operation with no results}}
%0 = func.func @f(%a: i32) {
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f() {
  // expected-error @+1 {{expected non-function type}}
  %0 = func.call @g() : () -> i33x
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: i32) {
// expected-error @+1 {{entry block arguments were already defined}}
^entry(%b: i32):
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
// expected-note @+1 {{prior use here}}
func.func @f(%a: index, %x: i32) {
  // expected-error @+1 {{use of value '%x' expects different type than prior uses: 'index' vs 'i32'}}
  scf.for %i = %a to %x step %a {
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index, %x: i32) {
  // expected-error @+1 {{use of undeclared SSA value name '%b'}}
  scf.for %i = %a to %a step %b {
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
// expected-note @+1 {{prior use here}}
func.func @f(%a: index, %x: i32) {
  // expected-error @+1 {{use of value '%x' expects different type than prior uses: 'i64' vs 'i32'}}
  %0 = scf.for %i = %a to %a step %a iter_args(%y = %x) -> (i64) {
    scf.yield %y : i64
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index, %x: i32) {
  // expected-error @+1 {{mismatch in number of loop-carried values and defined values: 1 and 2}}
  %0 = scf.for %i = %a to %a step %a iter_args(%y = %x) -> (i32, i32) {
    scf.yield %y : i32
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index, %x: i32) {
  // expected-error @+1 {{operation defines 1 result but was provided 2 to bind}}
  %0:2 = scf.for %i = %a to %a step %a iter_args(%y = %x) -> (i32) {
    scf.yield %y : i32
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index, %x: i32) {
  // expected-error @+1 {{cannot name an operation with no results}}
  %0 = scf.for %i = %a to %a step %a {
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index) {
  // expected-note @+1 {{previously defined here}}
  scf.for %i = %a to %a step %a {
    // expected-error @+1 {{redefinition of SSA value '%i'}}
    scf.for %i = %a to %a step %a {
    }
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
// expected-note @+1 {{previously defined here}}
func.func @f(%a: index) {
  // expected-error @+1 {{redefinition of SSA value '%a'}}
  scf.for %a = %a to %a step %a {
    scf.yield
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index, %x: i32) {
  // expected-note @+1 {{operand defined here (op in a parent region)}}
  %0 = scf.for %i = %a to %a step %a iter_args(%y = %x) -> (i32) {
    // expected-error @+1 {{operand #0 does not dominate this use}}
    "t.use"(%0) : (i32) -> ()
    scf.yield %y : i32
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index, %x: i32) {
  // expected-error @+1 {{definition of SSA value '%0#0' has type 'i32', but it was used as 'f32'}}
  %0 = scf.for %i = %a to %a step %a iter_args(%y = %x) -> (i32) {
    // expected-note @+1 {{previously used here}}
    "t.use"(%0) : (f32) -> ()
    scf.yield %y : i32
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index) {
  // expected-note @+1 {{prior use here}}
  scf.for %i = %a to %a step %a {
    // expected-error @+1 {{use of value '%i' expects different type than prior uses: 'i32' vs 'index'}}
    "t.use"(%i) : (i32) -> ()
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index) {
  // expected-error @+1 {{'scf.for' op attribute 'unsignedCmp' failed to satisfy constraint: unit attribute}}
  scf.for %i = %a to %a step %a {
    "t.made"() : () -> i32
  } {unsignedCmp = 1 : i32}
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index) {
  scf.for unsigned %i = %a to %a step %a {
    "t.made"() : () -> i32
  // expected-error @+1 {{attribute 'unsignedCmp' of 'scf.for' is given twice}}
  } {unsignedCmp}
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index) {
  scf.for %i = %a to %a step %a {
    "t.made"() : () -> i32
  // expected-error @+1 {{duplicate key 't.note' in dictionary attribute}}
  } {t.note, t.note}
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index) {
  scf.for %i = %a to %a step %a {
  // expected-error @+1 {{entry block arguments were already defined}}
  ^bb0:
    "t.made"() : () -> i32
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index) {
  scf.for %i = %a to %a step %a {
    "t.made"() : () -> i32
  // expected-error @+1 {{expected operation name in quotes}}
  } : index
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: index) {
  // expected-error @+1 {{expected '{'}}
  scf.for %i = %a to %a step %a attributes {
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
// expected-note @+1 {{prior use here}}
func.func @f(%c: i32) {
  // expected-error @+1 {{use of value '%c' expects different type than prior uses: 'i1' vs 'i32'}}
  scf.if %c {
    "t.made"() : () -> i32
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%c: i1) {
  scf.if %c {
    "t.made"() : () -> i32
  // expected-error @+1 {{expected '{'}}
  } else
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%c: i1) {
  scf.if %c {
    "t.made"() : () -> i32
  // expected-error @+1 {{custom op 'elsewhere' is unknown}}
  } elsewhere {
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%c: i1) {
  scf.if %c {
    %0 = "t.made"() : () -> i32
  } else {
    // expected-error @+1 {{use of undeclared SSA value name '%0'}}
    "t.use"(%0) : (i32) -> ()
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%c: i1, %x: i32) {
  // expected-error @+1 {{operation defines 2 results but was provided 3 to bind}}
  %0:3 = scf.if %c -> (i32, i32) {
    scf.yield %x, %x : i32, i32
  } else {
    scf.yield %x, %x : i32, i32
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: i32, %b: i32) {
  %0 = arith.addi %a, %b : i32
  // expected-error @+1 {{expected named operation to have at least 1 result}}
  %1:0 = arith.addi %a, %b : i32
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%a: i32, %b: i32) {
  %0 = arith.addi %a, %b : i32
  // expected-error @+1 {{operation defines 1 result but was provided 2 to bind}}
  %1:2 = arith.addi %a, %b : i32
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%c: i1, %x: i32) {
  // expected-error @+1 {{expected named operation to have at least 1 result}}
  %0:0 = scf.if %c -> (i32, i32) {
    scf.yield %x, %x : i32, i32
  } else {
    scf.yield %x, %x : i32, i32
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%c: i1, %x: i32) -> i32 {
  %0:2 = scf.if %c -> (i32, i32) {
    scf.yield %x, %x : i32, i32
  } else {
    scf.yield %x, %x : i32, i32
  }
  // expected-error @+1 {{reference to invalid result number: '%0' has 2}}
  return %0#2 : i32
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%c: i1) {
  scf.while : () -> () {
    scf.condition(%c)
  // expected-error @+1 {{expected 'do'}}
  } {
    scf.yield
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%c: i1, %x: i32) {
  // expected-error @+1 {{expected '->'}}
  scf.while (%y = %x) : (i32) {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%c: i1, %x: i32) {
  // expected-error @+1 {{expected as many input types as operands (expected 1 got 2)}}
  scf.while (%y = %x) : (i32, i32) -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
// expected-note @+1 {{prior use here}}
func.func @f(%c: i1, %x: i32) {
  // expected-error @+1 {{use of value '%x' expects different type than prior uses: 'i64' vs 'i32'}}
  scf.while (%y = %x) : (i64) -> () {
    scf.condition(%c)
  } do {
    scf.yield %x : i32
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%c: i1, %x: i32) {
  // expected-note @+1 {{a value of that name is defined here, inside of 'func.func' @f}}
  scf.while (%y = %x) : (i32) -> () {
    scf.condition(%c)
  } do {
    // expected-error @+1 {{use of undeclared SSA value name '%y'}}
    scf.yield %y : i32
  }
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%c: i1) {
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  // expected-error @+1 {{expected operation name in quotes}}
  } {t.note}
  return
}

// -----

func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32) {
  scf.for %i = %a to %a step %a {}
  scf.if %c {} else {}
  scf.while : () -> () { scf.condition(%c) } do { scf.yield }
  return
}
func.func @f(%c: i1) {
  scf.if %c {
    scf.if %c {
      scf.if %c {
        // expected-error @+1 {{expected '}'}}
        "t.made"() : () -> i32
