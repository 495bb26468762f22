"t.use"(%late#1, %late#0) : (f32, i32) -> ()
%late:2 = "t.def"() : () -> (i32, f32)

"t.region"() ({
  %same = "t.value"() : () -> i32
  "t.end"(%same) : (i32) -> ()
}, {
  %same = "t.value"() : () -> i32
  "t.end"(%same) : (i32) -> ()
}) : () -> ()

%outer = "t.value"() : () -> f32
func.func @isolated(%outer: i32) -> i32 {
  return %outer : i32
}

%first, %second = "t.pair"() : () -> (i32, i32)
"t.use"(%second) : (i32) -> ()

%a.b-c$d_1 = "t.value"() : () -> i32
