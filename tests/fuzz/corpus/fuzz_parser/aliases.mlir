!pair = tuple<i32, f32>
!nested = tuple<!pair, !pair>
#one = 1 : i32
#list = [#one, #one]
%0 = "t.use"() {a = #list, b = !nested} : () -> !pair
