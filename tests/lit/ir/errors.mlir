// Faults of the text: each has one diagnostic, at the place where it is wrong.
// RUN: cake-opt --verify-diagnostics --split-input-file --allow-unregistered-dialect %s

// expected-error@+1 {{use of undeclared SSA value name '%missing'}}
"t.use"(%missing) : (i32) -> ()

// -----

// Every one of them is reported.
// expected-error@+1 {{use of undeclared SSA value name '%a'}}
"t.use"(%a) : (i32) -> ()
// expected-error@+1 {{use of undeclared SSA value name '%b#1'}}
"t.use"(%b#1) : (i32) -> ()

// -----

// expected-note@+1 {{previously defined here}}
%a = "t.def"() : () -> i32
// expected-error@+1 {{redefinition of SSA value '%a'}}
%a = "t.def"() : () -> i32

// -----

// expected-note@+1 {{prior use here}}
%a = "t.def"() : () -> i32
// expected-error@+1 {{use of value '%a' expects different type than prior uses: 'f32' vs 'i32'}}
"t.use"(%a) : (f32) -> ()

// -----

// expected-note@+1 {{previously used here}}
"t.use"(%a) : (f32) -> ()
// expected-error@+1 {{definition of SSA value '%a#0' has type 'i32', but it was used as 'f32'}}
%a = "t.def"() : () -> i32

// -----

%a:2 = "t.def"() : () -> (i32, i32)
// expected-error@+1 {{reference to invalid result number: '%a' has 2}}
"t.use"(%a#2) : (i32) -> ()

// -----

// expected-error@+1 {{operation defines 1 result but was provided 2 to bind}}
%a:2 = "t.def"() : () -> i32

// -----

// expected-error@+1 {{cannot name an operation with no results}}
%a = "t.def"() : () -> ()

// -----

// expected-error@+1 {{expected 1 operand type but had 2}}
"t.use"(%a) : (i32, i32) -> ()

// -----

"t.region"() ({
  // expected-error@+1 {{reference to an undefined block '^nowhere'}}
  "t.br"()[^nowhere] : () -> ()
}) : () -> ()

// -----

"t.region"() ({
// expected-note@+1 {{previously defined here}}
^a:
  "t.end"() : () -> ()
// expected-error@+1 {{redefinition of block '^a'}}
^a:
  "t.end"() : () -> ()
}) : () -> ()

// -----

// What is missing is reported behind the last token.
// expected-error@+1 {{expected ')'}}
"t.use"(%a

"t.next"() : () -> ()

// -----

// expected-error@+1 {{expected '"' in string literal}}
"t.open() : () -> ()

// -----

// expected-error@+1 {{unknown escape in string literal}}
"t.x"() {a = "\q"} : () -> ()

// -----

// expected-error@+1 {{duplicate key 'a' in dictionary attribute}}
"t.x"() {a = 1, b, a = 2} : () -> ()

// -----

// expected-error@+1 {{undefined symbol alias id 'nothing'}}
"t.x"() {a = #nothing} : () -> ()

// -----

#a = 1
// expected-error@+1 {{redefinition of attribute alias id 'a'}}
#a = 2

// -----

// expected-error@+1 {{operation location alias was never defined}}
"t.x"() : () -> () loc(#nothing)

// -----

// expected-error@+1 {{integer constant out of range for attribute}}
"t.x"() {a = 256 : i8} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for attribute}}
"t.x"() {a = -129 : i8} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for attribute}}
"t.x"() {a = 128 : si8} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for attribute}}
"t.x"() {a = 18446744073709551616} : () -> ()

// -----

// expected-error@+1 {{negative integer literal not valid for unsigned integer type}}
"t.x"() {a = -1 : ui8} : () -> ()

// -----

// expected-error@+1 {{hexadecimal float constant out of range for type}}
"t.x"() {a = 0x10000 : bf16} : () -> ()

// -----

// expected-error@+1 {{unexpected decimal integer literal for a floating point value}}
"t.x"() {a = 1 : f32} : () -> ()

// -----

// expected-error@+1 {{integer literal not valid for specified type}}
"t.x"() {a = 1 : vector<4xi32>} : () -> ()

// -----

// expected-error@+1 {{inferred shape of elements literal ([2]) does not match type ([3])}}
"t.x"() {a = dense<[1, 2]> : tensor<3xi32>} : () -> ()

// -----

// expected-error@+1 {{elements literal type must have static shape}}
"t.x"() {a = dense<1> : tensor<?xi32>} : () -> ()

// -----

// expected-error@+1 {{expected integer or float type, but got 'index'}}
"t.x"() {a = array<index: 1>} : () -> ()

// -----

// expected-error@+1 {{element type bitwidth must be a multiple of 8, but 'i4' has 4}}
"t.x"() {a = array<i4>} : () -> ()

// -----

// expected-error@+1 {{elements of an array are kept in 64 bits, too few for 'i128'}}
"t.x"() {a = array<i128: 1>} : () -> ()

// -----

// expected-error@+1 {{vector elements must be int/index/float type but got 'vector<1xi1>'}}
"t.x"() {a = vector<4xvector<1xi1>>} : () -> ()

// -----

// expected-error@+1 {{unbalanced brackets: this closes none of its kind}}
"t.x"() {a = !u.t<(>)} : () -> ()

// -----

// expected-error@+1 {{unknown type 'nothing' in dialect 'cake'}}
"t.x"() {a = !cake.nothing} : () -> ()

// -----

// expected-error@+1 {{custom op 't.x' is unknown}}
t.x

// -----

// expected-error@+1 {{'cake.nothing'}}
"cake.nothing"() : () -> ()

// -----

// expected-error@+1 {{expected ':'}}
{-# open

// -----

// expected-error@+1 {{expected operation name in quotes}}
42

// -----

// expected-error @+1 {{expected a dialect's name in front of the dot}}
"t.op"() {a = !.x} : () -> ()

// -----

// expected-error @+1 {{expected a dialect's name in front of the dot}}
"t.op"() {a = #.x<1>} : () -> ()

// -----

// A literal is wrong where it stands, not where its type does.
"t.x"() {a =
// expected-error@+1 {{integer literal not valid for specified type}}
  42
  : tensor<i32>} : () -> ()

// -----

// expected-error@+1 {{null character not allowed in operation name}}
"t.x\00"() : () -> ()

// -----

// expected-error@+1 {{result number not allowed in name of results}}
%a#0 = "t.x"() : () -> i32

// -----

"t.x"() ({
// expected-error@+1 {{result number not allowed in argument list}}
^bb0(%a#0: i32):
}) : () -> ()

// -----

// expected-error@+1 {{vector elements must be int/index/float type but got '!t.x'}}
"t.x"() : () -> vector<4x!t.x>

// -----

// expected-error@+1 {{expected ')'}}
"t.x"() : () -> () loc("f":1 to 2:3)

// -----

// expected-error@+1 {{expected ':'}}
"t.x"() : () -> () loc("f":1:2 to 3)

// -----

// expected-error@+1 {{missing ']' closing scalable dimension}}
"t.x"() : () -> vector<[0x1]xf64>
