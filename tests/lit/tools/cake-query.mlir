// cake-query: matchers, slices, functions of what matches, scripts, sessions, and errors with their places.
// DEFINE: %{command} =
// DEFINE: %{ask} = cake-query %s -c '%{command}'

// REDEFINE: %{command} = match name("arith.addi").operand(1, constant())
// RUN: %{ask} | FileCheck %s --check-prefix=MATCH --match-full-lines
//      MATCH:Match #1:
//      MATCH:{{.*}}cake-query.mlir:[[# @LINE + 134]]:8: note: 'arith.addi' op
// MATCH-NEXT:  %x = arith.addi %a, %c0 : i32
// MATCH-NEXT:       ^
// MATCH-NEXT:1 match.

// The names of what matches, one command a line.
// DEFINE: %{names} = sed -n "s/.*note: '//p; s/^[0-9].*match.*/&/p" | sed "s/' op//" | tr '\n' ' '
// RUN: cake-query %s -f %S/Inputs/questions.txt | %{names} | FileCheck %s --check-prefix=SCRIPT
// SCRIPT: arith.muli 1 match.
// SCRIPT-SAME: arith.constant arith.constant arith.constant arith.constant 4 matches.
// SCRIPT-SAME: arith.constant 1 match.
// SCRIPT-SAME: arith.constant 1 match.
// SCRIPT-SAME: arith.constant arith.addi 2 matches.
// SCRIPT-SAME: arith.constant arith.constant arith.addi 3 matches.
// SCRIPT-SAME: arith.muli scf.for arith.subi func.return 4 matches.
// SCRIPT-SAME: arith.addi scf.yield 2 matches.
// SCRIPT-SAME: func.func 1 match.
// SCRIPT-SAME: arith.subi 1 match.
// SCRIPT-SAME: func.func 1 match.
// SCRIPT-SAME: arith.addi arith.addi 2 matches.
// SCRIPT-SAME: arith.constant arith.constant 2 matches.
// SCRIPT-SAME: scf.for 1 match.
// SCRIPT-SAME: scf.yield func.return 2 matches.
// SCRIPT-SAME: arith.addi arith.muli scf.for arith.addi arith.subi 5 matches.
// SCRIPT-SAME: scf.for 1 match.
// SCRIPT-SAME: arith.muli scf.for 2 matches.
// SCRIPT-SAME: scf.yield 1 match.
// SCRIPT-SAME: 0 matches.

// REDEFINE: %{command} = match backward(name("func.return")).not(terminator()).extract("slice")
// RUN: %{ask} | FileCheck %s --check-prefix=SLICE
// RUN: %{ask} | cake-opt | FileCheck %s --check-prefix=SLICE
// SLICE: func.func @slice(%[[A:.*]]: i32, %[[N:.*]]: index, %[[B:.*]]: i32) -> (i32, i32) {
// SLICE: %[[X:.*]] = arith.addi %[[A]]
// SLICE: %[[M:.*]] = arith.muli %[[X]]
// SLICE: %[[S:.*]] = scf.for {{.*}} to %[[N]] {{.*}}iter_args(%{{.*}} = %[[M]])
// SLICE: arith.addi %{{.*}}, %[[B]]
// SLICE: return %[[M]], %[[S]] : i32, i32

// A part of a region, whose arguments are what it uses.
// REDEFINE: %{command} = match inside(name("scf.for")).not(terminator()).extract("part")
// RUN: %{ask} | FileCheck %s --check-prefix=PART
// PART: func.func @part(%[[A:.*]]: i32, %[[B:.*]]: i32) -> i32 {
// PART-NEXT: %[[R:.*]] = arith.addi %[[A]], %[[B]]
// PART-NEXT: return %[[R]]

// Where a rewrite would apply, and the rewrites of a group.
// RUN: cake-query %s --load-rewrites=%S/../rewrites/Inputs/strength.rewrite -c 'm rewrite("mul_to_shift")' -c 'm rewrite("strength")' -c 'm rewrite("mul_one")' | FileCheck %s --check-prefix=REWRITE
// REWRITE: note: 'arith.muli' op
// REWRITE: 1 match.
// REWRITE: note: 'arith.muli' op
// REWRITE: 1 match.
// REWRITE: 0 matches.

// Without a source the op itself is shown.
// RUN: cake-opt %s --emit-bytecode -o %t.bc && cake-query %t.bc -c 'm name("arith.muli")' | FileCheck %s --check-prefix=TEXT
// TEXT: note: 'arith.muli' op
// TEXT-NEXT: = arith.muli %{{.*}} : i32

// A session goes on behind a command that failed.
// RUN: printf 'm constant(8)\nm nope(\n)\n// nothing\nm constant(\n  8)\nq\nm op()\n' | not cake-query %s 2>%t.errors | FileCheck %s --check-prefix=SESSION
// RUN: FileCheck %s --check-prefix=SESSION-ERROR < %t.errors
// SESSION-COUNT-2: 1 match.
// SESSION-NOT: match
// SESSION-ERROR: <stdin>:1:3: error: no matcher 'nope' [TOOL_USAGE]
// RUN: cake-query --help | FileCheck %s --check-prefix=HELP
// RUN: cake-query %s -c help -c 'help constant' | FileCheck %s --check-prefix=HELP
// HELP: match MATCHER
// HELP: operand(index, matcher) {{ *}}the same of that operand

// Errors: each ends the commands of a call.
// RUN: not cake-query %s -c 'm nam("x")' -c 'm op()' 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: <command>:1:3: error: no matcher 'nam' [TOOL_USAGE]
// NAME: fix: did you mean 'name'? `help` shows all of them
// NAME-NOT: match
// DEFINE: %{wrong} = not cake-query %s -c '%{command}' 2>&1
// REDEFINE: %{command} = m name(1)
// RUN: %{wrong} | FileCheck %s --check-prefix=ARGS
// ARGS: :1:3: error: these are not the arguments of name(name) [TOOL_USAGE]
// REDEFINE: %{command} = m operand(op(), 1)
// RUN: %{wrong} | FileCheck %s --check-prefix=WAYS
// WAYS: :1:3: error: these are not the arguments of operand(matcher) or operand(index, matcher) [TOOL_USAGE]
// REDEFINE: %{command} = m name("x"
// RUN: %{wrong} | FileCheck %s --check-prefix=OPEN
// OPEN: :1:11: error: expected ',' or ')' [TOOL_USAGE]
// REDEFINE: %{command} = m name("x)
// RUN: %{wrong} | FileCheck %s --check-prefix=STRING
// STRING: :1:8: error: this string is not closed [TOOL_USAGE]
// REDEFINE: %{command} = m op() name
// RUN: %{wrong} | FileCheck %s --check-prefix=END
// END: :1:8: error: expected the end of the command, not 'name' [TOOL_USAGE]
// REDEFINE: %{command} = m attribute("value", "8 :")
// RUN: %{wrong} | FileCheck %s --check-prefix=ATTR
// ATTR: :1:22: error: '8 :' is no attribute: expected type [TOOL_USAGE]
// REDEFINE: %{command} = m constant(99999999999999999999)
// RUN: %{wrong} | FileCheck %s --check-prefix=NUMBER
// NUMBER: :1:12: error: expected a number of 64 bits, not '99999999999999999999' [TOOL_USAGE]
// REDEFINE: %{command} = m rewrite("nope")
// RUN: %{wrong} | FileCheck %s --check-prefix=NO-REWRITE
// NO-REWRITE: :1:11: error: no rewrite 'nope' is loaded (--load-rewrites) [TOOL_USAGE]
// REDEFINE: %{command} = m not(op().extract("f"))
// RUN: %{wrong} | FileCheck %s --check-prefix=INNER
// INNER: :1:12: error: 'extract' stands behind the last matcher of a command alone [TOOL_USAGE]
// REDEFINE: %{command} = m op().extract("f").op()
// RUN: %{wrong} | FileCheck %s --check-prefix=BEHIND
// BEHIND: :1:21: error: nothing stands behind extract(…) [TOOL_USAGE]
// REDEFINE: %{command} = m terminator().extract("f")
// RUN: %{wrong} | FileCheck %s --check-prefix=TERMINATOR
// TERMINATOR: error: 'scf.yield' op cannot be extracted: it ends its block [TOOL_USAGE]
// REDEFINE: %{command} = m op().extract("f")
// RUN: %{wrong} | FileCheck %s --check-prefix=WHOLE
// WHOLE: error: 'builtin.module' op cannot be extracted: it is the whole module [TOOL_USAGE]
// REDEFINE: %{command} = m name("x").extract("f")
// RUN: %{wrong} | FileCheck %s --check-prefix=NOTHING
// NOTHING: :1:13: error: there is no match to extract [TOOL_USAGE]
// REDEFINE: %{command} = show op()
// RUN: %{wrong} | FileCheck %s --check-prefix=COMMAND
// COMMAND: <command>:1:1: error: no command 'show'; there are match, help and quit [TOOL_USAGE]
// REDEFINE: %{command} = quit now
// RUN: %{wrong} | FileCheck %s --check-prefix=QUIT
// QUIT: <command>:1:6: error: quit takes nothing, but got 'now' [TOOL_USAGE]

// Large scripts take time in proportion to their size: a command of 100,000 lines, and one of 40,000 matchers.
// RUN: python3 -c "print('m not(' + chr(10) * 100000 + 'op()')" > %t.long && not cake-query %s -f %t.long 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: {{.*}}.long:100001:5: error: expected ',' or ')' [TOOL_USAGE]
// RUN: python3 -c "print('m ' + '.'.join(['any(op(), op())'] * 20000) + '.none()')" > %t.wide && not cake-query %s -f %t.wide 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: {{.*}}.wide:1:320003: error: no matcher 'none' [TOOL_USAGE]

// RUN: python3 -c "print('m ' + 'not(' * 1000 + 'op()' + ')' * 1000)" > %t.deep && not cake-query %s -f %t.deep 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: {{.*}}.deep:1:403: error: matchers are nested too deep [TOOL_USAGE]

func.func @f(%a: i32, %b: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : i32
  %c8 = arith.constant 8 : i32
  %x = arith.addi %a, %c0 : i32
  %m = arith.muli %x, %c8 : i32
  %low = arith.constant 0 : index
  %one = arith.constant 1 : index
  %s = scf.for %i = %low to %n step %one iter_args(%acc = %m) -> i32 {
    %t = arith.addi %acc, %b : i32
    scf.yield %t : i32
  }
  %d = arith.subi %s, %m : i32
  return %s : i32
}
