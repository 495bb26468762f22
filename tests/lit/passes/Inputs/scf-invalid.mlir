// In regions that have room for one block only.
func.func @forall(%c: i1, %n: index) {
  scf.forall (%i) in (%n) {
    // expected-error @+1 {{'scf.if' op stands where there is room for one block only, in 'scf.forall'}}
    scf.if %c {
      "t.a"() : () -> ()
    }
  }
  return
}

// -----

%c = arith.constant true
// expected-error @+1 {{'scf.if' op stands where there is room for one block only, in 'builtin.module'}}
scf.if %c {
}
