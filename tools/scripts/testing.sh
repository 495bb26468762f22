# Runs the groups of tests and counts them. Sourced by ./check and ./check-gpu.
# Reads CAKE_SRC (the source tree) and CAKE_BUILD (the tree under test).

passed=0
failed=0
skipped=0

finish() {
  say "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
  exit
}

count_build_failure() {
  warn "$1 does not build"
  failed=$((failed + 1))
  finish
}

# note_failure NAME LOG: counts one failed test and shows the end of what it printed.
note_failure() {
  failed=$((failed + 1))
  say "FAIL: $1"
  tail -n 60 "$2" | sed 's/^/    /'
}

# The sanitisers' settings; tests/lit/lit.cfg.py has the same for its tests.
sanitised() {
  ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 "$@"
}

# run_unit: every program of tests/unit; each check of a program counts.
run_unit() {
  local source name program
  say "Unit tests …"
  for source in "$CAKE_SRC"/tests/unit/test_*.c; do
    [ -e "$source" ] || continue
    name=$(basename "$source" .c)
    program="$CAKE_BUILD/tests/unit/$name"
    if [ -x "$program" ]; then
      run_unit_program "$name" "$program"
    elif [[ "$name" == test_cuda* || "$name" == test_rpc* || "$name" == test_cost* ]]; then
      skipped=$((skipped + 1)) # no cuda.h, no jansson or no libxml2 on this machine
    else
      failed=$((failed + 1))
      say "FAIL: $name was not built"
    fi
  done
}

run_unit_program() {
  local name=$1 program=$2 log="$CAKE_BUILD/tests/unit/$1.log" rc=0 line checks bad
  sanitised timeout 300 "$program" >"$log" 2>&1 || rc=$?
  line=$(grep -oE 'Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+' "$log" | tail -n 1) || true
  if [[ ! "$line" =~ Checks:\ ([0-9]+),\ Failures:\ ([0-9]+),\ Errors:\ ([0-9]+) ]]; then
    note_failure "$name (exit $rc, no summary)" "$log"
    return
  fi
  checks=${BASH_REMATCH[1]}
  bad=$((BASH_REMATCH[2] + BASH_REMATCH[3]))
  passed=$((passed + checks - bad))
  if [ "$bad" -gt 0 ] || [ "$rc" -ne 0 ] || [ "$checks" -eq 0 ]; then
    note_failure "$name (exit $rc, $line)" "$log"
    if [ "$bad" -gt 1 ]; then failed=$((failed + bad - 1)); fi
  fi
}

# run_lit: tests/lit with the tools of CAKE_BUILD.
run_lit() {
  local results="$CAKE_BUILD/tests/lit/results.json" rc=0 counts good bad left
  say "Lit tests …"
  rm -f "$results"
  /usr/lib/llvm-22/bin/lit -q -v "--output=$results" "$CAKE_BUILD/tests/lit" || rc=$?
  if ! counts=$(python3 "$CAKE_SRC/tools/scripts/count_lit.py" "$results"); then
    failed=$((failed + 1))
    say "FAIL: lit gave no results (exit $rc)"
    return
  fi
  read -r good bad left <<<"$counts"
  if [ "$rc" -ne 0 ] && [ "$bad" -eq 0 ]; then
    bad=1
    say "FAIL: lit exited with $rc although no test failed"
  fi
  passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left))
}

# run_program NAME COMMAND…: one test; exit 0 passes, 77 skips.
run_program() {
  local name=$1 log rc=0
  shift
  mkdir -p "$CAKE_BUILD/tests/logs"
  log="$CAKE_BUILD/tests/logs/${name//\//_}.log"
  sanitised timeout 300 "$@" >"$log" 2>&1 || rc=$?
  case "$rc" in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) && say "SKIP: $name: $(tail -n 1 "$log")" ;;
    *) note_failure "$name (exit $rc)" "$log" ;;
  esac
}

# run_scripts: every executable file of tests/scripts.
run_scripts() {
  local script
  say "Script tests …"
  for script in "$CAKE_SRC"/tests/scripts/*; do
    if [ -f "$script" ] && [ -x "$script" ]; then run_program "scripts/$(basename "$script")" "$script"; fi
  done
}

# run_examples: every program of docs/examples, run from the root of the source tree.
run_examples() {
  local source name program
  say "Examples …"
  for source in "$CAKE_SRC"/docs/examples/*.c; do
    [ -e "$source" ] || continue
    name=$(basename "$source" .c)
    program="$CAKE_BUILD/tests/examples/$name"
    if [ -x "$program" ]; then
      run_program "examples/$name" "$program"
    else
      failed=$((failed + 1))
      say "FAIL: examples/$name was not built"
    fi
  done
}

# run_fuzz: every fuzz target on the inputs of its folder, tests/fuzz/corpus/<target>.
run_fuzz() {
  local source name
  local -a inputs
  say "Fuzz corpora …"
  for source in "$CAKE_SRC"/tests/fuzz/fuzz_*.c; do
    [ -e "$source" ] || continue
    name=$(basename "$source" .c)
    mapfile -t inputs < <(find "$CAKE_SRC/tests/fuzz/corpus/$name" -type f 2>/dev/null | sort)
    if [ ${#inputs[@]} -eq 0 ]; then
      failed=$((failed + 1))
      say "FAIL: fuzz/$name: no input in tests/fuzz/corpus/$name"
    else
      run_program "fuzz/$name" "$CAKE_BUILD/tests/fuzz/$name" "${inputs[@]}"
    fi
  done
}
