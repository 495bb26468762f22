"t.use"(%missing) : (i32) -> ()
