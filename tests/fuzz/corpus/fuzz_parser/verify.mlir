"foo.op"() ({
  "foo.use"()[^bb1] : () -> ()
  "foo.end"()[^bb1] : () -> ()
^bb1:
  "foo.end"() : () -> ()
}) : () -> ()
