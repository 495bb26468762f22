{-# dialect_resources: { a: "x" } #-}
"t.r"() : () -> ()