// Options of passes that are lists, by a plugin's pass: how they are written, what a pass reads, and that they print as they parse.
// RUN: rm -rf %t && mkdir %t && cc -shared -fPIC -I%cake_src/include %S/Inputs/lists.c -o %t/plugin.so
// RUN: cake-opt --load-pass-plugin=%t/plugin.so --test-lists %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: cake-opt --load-pass-plugin=%t/plugin.so --pass-pipeline='builtin.module(test-lists{sizes=1,2,-3 names=a,b flags=true,0,1})' --dump-pass-pipeline %s -o /dev/null 2>&1 | FileCheck %s
// RUN: cake-opt --load-pass-plugin=%t/plugin.so --test-lists='sizes={1, 2, -3} names="a,b" flags=true,0,1' --dump-pass-pipeline %s -o /dev/null 2>&1 | FileCheck %s
// RUN: cake-opt --load-pass-plugin=%t/plugin.so --test-lists='sizes=1 names=a flags=true,0 sizes=2,-3 depth=1 names=b flags=1' --dump-pass-pipeline %s -o /dev/null 2>&1 | FileCheck %s

// DEFAULT: sizes: 2, sum 24
// DEFAULT-NEXT: flag on
// DEFAULT-NEXT: depth 1, behind the end 0

// CHECK: builtin.module(test-lists{sizes={1,2,-3} names={a,b} flags={true,0,1} depth=1})
// CHECK: sizes: 3, sum 0
// CHECK-NEXT: name [a]
// CHECK-NEXT: name [b]
// CHECK-NEXT: flag on
// CHECK-NEXT: flag off
// CHECK-NEXT: flag on
// CHECK-NEXT: depth 1

// Elements of any text, and what is printed read again.
// RUN: cake-opt --load-pass-plugin=%t/plugin.so --pass-pipeline='builtin.module(test-lists{sizes= names={{a,b},"c d",,"{", e="f" ,{{g},h}} flags={}})' --dump-pass-pipeline %s -o /dev/null > %t/1 2>&1
// RUN: FileCheck %s --check-prefix=ANY --input-file %t/1
// RUN: sh -c 'cake-opt --load-pass-plugin=%t/plugin.so --pass-pipeline="$(head -1 %t/1)" --dump-pass-pipeline %s -o /dev/null > %t/2 2>&1' && diff %t/1 %t/2
// ANY: builtin.module(test-lists{sizes={} names={{[{][{]}}a,b},{c d},{},"{",'e="f"',"{g},h"} flags={} depth=1})
// ANY-NEXT: sizes: 0, sum 0
// ANY-NEXT: name [a,b]
// ANY-NEXT: name [c d]
// ANY-NEXT: name []
// ANY-NEXT: name [{]
// ANY-NEXT: name [e="f"]
// ANY-NEXT: name [{g},h]
// ANY-NEXT: depth 1

// A list of one empty text is not an empty list.
// RUN: cake-opt --load-pass-plugin=%t/plugin.so --pass-pipeline='builtin.module(test-lists{names={{}}},test-lists{names={}})' --dump-pass-pipeline %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: builtin.module(test-lists{sizes={8,16} names={{[{][{][}][}]}} flags={true} depth=1},test-lists{sizes={8,16} names={} flags={true} depth=1})
// ONE: name []
// ONE-NOT: name []

// RUN: not cake-opt --load-pass-plugin=%t/plugin.so --pass-pipeline='builtin.module(test-lists{depth=2 sizes=1,two,3})' %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: <pass-pipeline>:1:35: error: each element of option 'sizes' of pass 'test-lists' must be an integer, not 'two'
// RUN: not cake-opt --load-pass-plugin=%t/plugin.so --test-lists=sizes=1, %s 2>&1 | FileCheck %s --check-prefix=COMMA
// COMMA: error: each element of option 'sizes' of pass 'test-lists' must be an integer, not ''
// RUN: not cake-opt --load-pass-plugin=%t/plugin.so --test-lists=flags=true,perhaps %s 2>&1 | FileCheck %s --check-prefix=BOOL
// BOOL: error: each element of option 'flags' of pass 'test-lists' must be true or false, not 'perhaps'
// RUN: not cake-opt --load-pass-plugin=%t/plugin.so --test-lists=depth=1,2 %s 2>&1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: error: option 'depth' of pass 'test-lists' must be an integer, not '1,2'

// RUN: cake-opt --load-pass-plugin=%t/plugin.so --list-passes | FileCheck %s --check-prefix=PASSES
// PASSES: --test-lists
// PASSES-NEXT: sizes {{ *}}numbers (a list; default: 8,16)
// PASSES-NEXT: names {{ *}}texts (a list; default: empty)

func.func private @f()
