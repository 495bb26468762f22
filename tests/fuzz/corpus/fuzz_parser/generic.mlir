module @top attributes {t.note = "x"} {
  %pair:2 = "t.pair"() : () -> (i32, f32)
  %one = "t.one"(%pair#1, %pair) : (f32, i32) -> i32
  %a, %b:2 = "t.three"() : () -> (i1, i2, i3)
  "t.use"(%a, %b#0, %b#1) : (i1, i2, i3) -> ()

  "t.props"() <{zz = 1 : i32, aa = 2}> {mm = unit} : () -> ()

  "t.\6Fne"() : () -> ()

  %f = "t.fn"() : () -> ((i32) -> f32)

  "t.regions"() ({
  }, {
    "t.inside"() : () -> ()
  }, {
  ^entry(%x: i32, %y: f32):
    "t.br"(%x)[^loop] : (i32) -> ()
  ^exit:
    "t.end"() : () -> ()
  ^loop:
    "t.br"()[^exit, ^loop] <{p}> : () -> ()
  ^dead:
    "t.end"() : () -> ()
  }) {after} : () -> ()
}
