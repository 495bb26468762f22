func.func @loops(%x: index, %a: i32, %f: f32) {
  scf.for %i = %x to %x step %x {
    "t.use"(%i) : (index) -> ()
  }
  scf.for unsigned %i = %a to %a step %a : i32 {
  } {d.hint}
  %r:2 = scf.for %i = %x to %x step %x iter_args(%p = %a, %q = %f) -> (i32, f32) {
    scf.yield %p, %q : i32, f32
  }
  "t.use"(%r#1) : (f32) -> ()
  return
}

func.func @branches(%c: i1, %a: i32, %x: index) {
  scf.if %c {
    "t.then"() : () -> ()
  }
  %r = scf.if %c -> i32 {
    scf.yield %a : i32
  } else {
    %s = "t.else"() : () -> i32
    scf.yield %s : i32
  } {d.hint}
  %t = scf.index_switch %x -> i32
  case 2 {
    scf.yield %r : i32
  }
  case -1 {
    scf.yield %a : i32
  }
  default {
    scf.yield %a : i32
  }
  return
}

func.func @whiles(%c: i1, %a: i32) {
  %r = scf.while (%p = %a) : (i32) -> i32 {
    scf.condition(%c) %p : i32
  } do {
  ^body(%q: i32):
    scf.yield %q : i32
  } attributes {d.hint}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
