# Shared by ./quickstart, ./check and ./check-gpu: what a build needs, installing what is missing, building a tree.
# Sourced, never run. The caller has set -euo pipefail and stands in the root of the repository.

say() { printf '%s\n' "$*"; }
warn() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { warn "$*"; exit 1; }

has_command() { command -v "$1" >/dev/null 2>&1; }

# has_header NAME: the C compiler finds <NAME>.
has_header() { printf '#include <%s>\n' "$1" | cc -E -x c - >/dev/null 2>&1; }

# has_libxml2: the C compiler would find and link libxml2, whose headers lie in a folder of their own.
has_libxml2() { [ -f /usr/include/libxml2/libxml/relaxng.h ]; }

# has_archive NAME: the C compiler would link NAME.
has_archive() { local path; path=$(cc -print-file-name="$1" 2>/dev/null) && [ -f "$path" ]; }

has_llvm() { [ -f /usr/lib/llvm-22/lib/libLLVMNVPTXCodeGen.a ] && [ -x /usr/lib/llvm-22/bin/llvm-config ]; }

# The package with libstdc++.a for the C compiler that is, or on Debian 12 will be, installed.
stdcxx_package() {
  local version=12
  if has_command gcc; then version=$(gcc -dumpversion); fi
  say "libstdc++-${version%%.*}-dev"
}

# missing_packages build|check: the Debian packages that this machine lacks for it, one a line.
missing_packages() {
  has_command cc || say gcc
  has_command cmake || say cmake
  has_command ninja || say ninja-build
  { has_command cc && has_header stdio.h; } || say libc6-dev
  has_llvm || say llvm-22-dev
  { has_command cc && has_header jansson.h; } || say libjansson-dev
  has_libxml2 || say libxml2-dev
  { has_command cc && has_archive libstdc++.a; } || stdcxx_package
  { has_command cc && has_archive libz.a; } || say zlib1g-dev
  { has_command cc && has_archive libzstd.a; } || say libzstd-dev
  if [ "$1" = check ]; then
    { has_command cc && has_header check.h; } || say check
    has_command python3 || say python3
    [ -x /usr/lib/llvm-22/bin/FileCheck ] || say llvm-22-tools
    [ -x /usr/lib/llvm-22/bin/mlir-opt ] || say mlir-22-tools
  fi
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

has_candidate() {
  local policy
  policy=$(LC_ALL=C apt-cache policy "$1" 2>/dev/null) && [[ "$policy" == *"Candidate: "[!\(]* ]]
}

all_have_candidates() {
  local package
  for package in "$@"; do has_candidate "$package" || return 1; done
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

# install_missing build|check: installs what missing_packages names. Touches neither apt nor the network if that is
# nothing. Goes on without LLVM 22 (then nothing is lowered to PTX) and says why; any other gap ends the script.
install_missing() {
  local -a wanted=() offered=() lacking=()
  local package log
  mapfile -t wanted < <(missing_packages "$1")
  [ ${#wanted[@]} -gt 0 ] || return 0
  has_command apt-get || die "please install what this needs (names of Debian packages): ${wanted[*]}"
  if [ "$(id -u)" -ne 0 ] && ! has_command sudo; then
    die "neither root nor sudo; please have these packages installed: ${wanted[*]}"
  fi
  log=$(mktemp)
  if ! all_have_candidates "${wanted[@]}"; then
    say "Updating apt's lists …"
    as_root apt-get update -qq >"$log" 2>&1 || warn "apt-get update failed: $(tail -n 1 "$log")"
  fi
  for package in "${wanted[@]}"; do
    if has_candidate "$package"; then offered+=("$package"); else lacking+=("$package"); fi
  done
  report_lacking "${lacking[@]}"
  [ ${#offered[@]} -gt 0 ] || { rm -f "$log"; return 0; }
  say "Installing ${offered[*]} …"
  if ! apt_install "${offered[@]}" >"$log" 2>&1; then
    as_root apt-get update -qq >>"$log" 2>&1 || true # lists may be older than the archive
    apt_install "${offered[@]}" >"$log" 2>&1 || { tail -n 15 "$log" >&2; die "apt-get could not install ${offered[*]}"; }
  fi
  rm -f "$log"
}

# report_lacking PACKAGE…: packages that apt does not offer. LLVM's can be done without, others cannot.
report_lacking() {
  local package fatal=""
  for package in "$@"; do
    case "$package" in
      llvm-22-dev) warn "apt offers no llvm-22-dev: Debian 12 has it in the suite bookworm-security (component main), which
  this machine's apt sources do not name. Going on without it: nothing will be lowered to PTX." ;;
      mlir-22-tools) warn "apt offers no mlir-22-tools (suite bookworm-security): tests against mlir-opt are skipped" ;;
      llvm-22-tools) fatal="$fatal $package (lit and FileCheck; suite bookworm-security)" ;;
      *) fatal="$fatal $package (suite bookworm)" ;;
    esac
  done
  [ -z "$fatal" ] || die "apt does not offer:$fatal"
}

# build_tree FOLDER TYPE TARGET [CMAKE-ARGUMENT…]: configures and builds. Progress goes to a terminal only; elsewhere the
# log is printed when something fails.
build_tree() {
  local folder=$1 type=$2 target=$3 log
  shift 3
  mkdir -p "$folder"
  log="$folder/configure.log"
  if ! cmake -S . -B "$folder" -G Ninja "-DCMAKE_BUILD_TYPE=$type" "$@" >"$log" 2>&1; then
    cat "$log" >&2
    return 1
  fi
  grep 'NVPTX target: left out' "$log" || true
  if [ -t 1 ]; then
    ninja -C "$folder" "$target"
    return
  fi
  log="$folder/build.log"
  if ! ninja -C "$folder" "$target" >"$log" 2>&1; then
    grep -vE '^\[[0-9]+/[0-9]+\]' "$log" >&2 || true
    return 1
  fi
}
