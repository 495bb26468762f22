// Rule buffer-filled: a state that no put gives its first value was read in the first round (BUFFER_NOT_FILLED).
// RUN: cake-opt --verify-diagnostics --split-input-file %s

!F = tensor<64x64xf32, #cake.wgmma.acc>
!H = tensor<64x64xbf16, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>, %y: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  %st = cake.buffer : !cake.shared<64x64xf32, rows<pad 16>>
  cake.tiles @work (m = 1) steps(n = ceildiv(N, 64)) schedule(grid)
  cake.role @sum warpgroups(1) {
    cake.items (%m) in @work {
      cake.steps (%n) in @work {
        // expected-error@+1 {{in role '@sum' reads buffer %st, which nothing has written before the first round}}
        %so_far = cake.get %st[0, 0] : !F
        %h = cake.load %x[%n * 64, 0] pad(0.0) : !H
        %f = arith.extf %h : !H to !F
        %more = arith.addf %so_far, %f : !F
        // expected-note@+1 {{it is written here, later}}
        cake.put %more, %st[0, 0]
        %mh = arith.truncf %more : !F to !H
        cake.store %mh, %y[%n * 64, 0] clip
      }
    }
  }
}

// -----

// The repaired program.
!F = tensor<64x64xf32, #cake.wgmma.acc>
!H = tensor<64x64xbf16, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>, %y: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  %st = cake.buffer : !cake.shared<64x64xf32, rows<pad 16>>
  cake.tiles @work (m = 1) steps(n = ceildiv(N, 64)) schedule(grid)
  cake.role @sum warpgroups(1) {
    cake.items (%m) in @work {
      %zero = cake.fill 0.0 : !F
      cake.put %zero, %st[0, 0]
      cake.steps (%n) in @work {
        %so_far = cake.get %st[0, 0] : !F
        %h = cake.load %x[%n * 64, 0] pad(0.0) : !H
        %f = arith.extf %h : !H to !F
        %more = arith.addf %so_far, %f : !F
        cake.put %more, %st[0, 0]
        %mh = arith.truncf %more : !F to !H
        cake.store %mh, %y[%n * 64, 0] clip
      }
    }
  }
}

// -----

// Nothing writes it at all.
!F = tensor<64x64xf32, #cake.wgmma.acc>
!H = tensor<64x64xbf16, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>, %y: !cake.global<[N]x64xbf16, align 16>) target("sm_90a") {
  // expected-note@+1 {{the buffer is here}}
  %st = cake.buffer : !cake.shared<64x64xf32, rows<pad 16>>
  cake.tiles @work (m = 1) steps(n = ceildiv(N, 64)) schedule(grid)
  cake.role @sum warpgroups(1) {
    cake.items (%m) in @work {
      cake.steps (%n) in @work {
        // expected-error@+1 {{in role '@sum' reads buffer %st, which nothing has written}}
        %so_far = cake.get %st[0, 0] : !F
        %h = cake.load %x[%n * 64, 0] pad(0.0) : !H
        %f = arith.extf %h : !H to !F
        %more = arith.addf %so_far, %f : !F
        %mh = arith.truncf %more : !F to !H
        cake.store %mh, %y[%n * 64, 0] clip
      }
    }
  }
}

// -----

// Legal: the first round does not read.
!F = tensor<64x64xf32, #cake.wgmma.acc>
cake.kernel @k(%x: !cake.global<[N]x64xf32, align 16>, %y: !cake.global<[N]x64xf32, align 16>) target("sm_90a") {
  %st = cake.buffer : !cake.shared<64x64xf32, rows<pad 16>>
  cake.tiles @work (m = 1) steps(n = ceildiv(N, 64)) schedule(grid)
  cake.role @copy warpgroups(1) {
    cake.items (%m) in @work {
      %zero = cake.index (0) : index
      cake.steps (%n) in @work {
        %is = arith.cmpi ne, %n, %zero : index
        scf.if %is {
          %before = cake.get %st[0, 0] : !F
          %twice = arith.addf %before, %before : !F
        }
        %f = cake.load %x[%n * 64, 0] pad(0.0) : !F
        cake.put %f, %st[0, 0]
        cake.store %f, %y[%n * 64, 0] clip
      }
    }
  }
}
