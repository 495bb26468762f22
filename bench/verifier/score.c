// cake-bench-mutate: the verifier's score on mutants of the corpus.
//
// Every mutant is judged in a child process with a time limit, as many at once as there are processors. What comes out is a line a mutant;
// bench/verifier/score.py counts them.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/verifier/judge.h"
#include "bench/verifier/mutate.h"
#include "cake/pass.h"

#define MAX_JOBS 64
#define WAITING 20 // seconds by the clock that may pass for one of CPU time, on a busy machine

static const CorpusRow corpus[] = {
#define KERNEL(file, kernel, params, cases, contract) {file, kernel, params, cases, contract},
#include "bench/verifier/corpus.def"
#undef KERNEL
};

typedef struct Options {
  SubjectFiles files;
  const char *only, *list, *text; // text: "KERNEL:NUMBER"
  Effort effort;
  int64_t jobs, timeout_s, shard, shards; // shard: from 0
  bool is_quiet, help;
} Options;

typedef struct Run {
  CakeTool tool;
  Options options;
  CakeBuf list;
  size_t mutants; // edits so far, of all kernels: what shards are taken of
} Run;

typedef struct Child {
  pid_t pid;
  int pipe;
  size_t mutant;
  double end; // when it is killed
} Child;

static const char *const verdict_names[VERDICT_COUNT] = {"no program", "refused",    "fails",
                                                         "differs",    "equivalent", "crash"};
static const char *const sight_names[SIGHT_COUNT] = {"not run", "nothing", "other bits", "breaks the contract",
                                                     "fails"};

static const char *name_of(const CorpusRow *row) {
  return row->kernel ? row->kernel : row->file;
}

// ---- Children ------------------------------------------------------------------------------------------------------------

CAKE_NORETURN static void child_main(const Subject *subject, const MutantSource *source, const Mutant *mutant,
                                     int pipe_end) {
  Judgement judgement;
  CakeBuf text = {0};
  mutant_text(source, mutant, &text);
  subject_judge(subject, cake_buf_view(&text), &judgement);
  _exit(write(pipe_end, &judgement, sizeof judgement) == (ssize_t)sizeof judgement ? 0 : 1);
}

static bool start_child(const Subject *subject, const Mutants *mutants, size_t index, double timeout_s, Child *out) {
  int ends[2];
  fflush(NULL);
  if (pipe(ends) != 0) return false;
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    (void)setrlimit(RLIMIT_CPU, &(struct rlimit){(rlim_t)timeout_s, (rlim_t)timeout_s + 1});
    child_main(subject, mutants->source, &mutants->list.data[index], ends[1]);
  }
  close(ends[1]);
  if (pid < 0) return close(ends[0]), false;
  *out = (Child){pid, ends[0], index, cake_timing_now() + WAITING * timeout_s};
  return true;
}

// What a child said; a crash when it said nothing.
static void finish_child(const Child *child, Judgement *out) {
  size_t got = 0;
  while (got < sizeof *out) {
    ssize_t n = read(child->pipe, (char *)out + got, sizeof *out - got);
    if (n <= 0) break;
    got += (size_t)n;
  }
  close(child->pipe);
  kill(child->pid, SIGKILL);
  while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR) {
  }
  if (got != sizeof *out)
    *out = (Judgement){.verdict = VERDICT_CRASH,
                       .code = CAKE_CODE_COUNT,
                       .seen = CAKE_CODE_COUNT,
                       .message = "the tools crashed or took too long"};
}

// ---- The list ------------------------------------------------------------------------------------------------------------

static const char *code_of(CakeCode code) {
  return code == CAKE_CODE_COUNT ? "-" : cake_code_name(code);
}

// Columns: verdict, code, what running it showed and its code, kernel and line, number, operator, edit, what was reported when it ran.
static void put_line(Run *run, const CorpusRow *row, const Mutants *mutants, size_t index, const Judgement *judgement) {
  const Mutant *mutant = &mutants->list.data[index];
  if (judgement->verdict == VERDICT_NO_PROGRAM) return;
  cake_buf_printf(&run->list, "%s\t%s\t%s\t%s\t%s:%zu\t%zu\t%s\t", verdict_names[judgement->verdict],
                  code_of(judgement->code), sight_names[judgement->sight], code_of(judgement->seen), name_of(row),
                  mutant->line + 1, index, mutation_defs[mutant->id].name);
  mutant_describe(mutants->source, mutant, &run->list);
  cake_buf_char(&run->list, '\t');
  for (const char *at = judgement->verdict == VERDICT_REFUSED ? "" : judgement->message; *at; at++)
    cake_buf_char(&run->list, *at == '\n' || *at == '\t' ? ' ' : *at);
  cake_buf_char(&run->list, '\n');
}

// The next mutant of this shard, from `index` on.
static size_t next_of_shard(const Run *run, size_t index) {
  size_t shards = (size_t)run->options.shards, shard = (size_t)run->options.shard;
  return index + (shard + shards - (run->mutants + index) % shards) % shards;
}

static bool run_mutants(Run *run, const Subject *subject, const Mutants *mutants) {
  Judgement *all = calloc(mutants->list.len + 1, sizeof *all);
  Child children[MAX_JOBS];
  size_t next = next_of_shard(run, 0), running = 0;
  bool is_fine = all != NULL;
  while (is_fine && (next < mutants->list.len || running > 0)) {
    while (is_fine && running < (size_t)run->options.jobs && next < mutants->list.len) {
      is_fine = start_child(subject, mutants, next, (double)run->options.timeout_s, &children[running]);
      running += is_fine;
      next = next_of_shard(run, next + 1);
    }
    struct pollfd ready[MAX_JOBS];
    for (size_t i = 0; i < running; i++)
      ready[i] = (struct pollfd){children[i].pipe, POLLIN, 0};
    (void)poll(ready, running, 100);
    double now = cake_timing_now();
    for (size_t i = running; i-- > 0;) {
      if (!ready[i].revents && now < children[i].end) continue;
      if (!ready[i].revents) kill(children[i].pid, SIGKILL);
      finish_child(&children[i], &all[children[i].mutant]);
      children[i] = children[--running];
    }
  }
  for (size_t i = next_of_shard(run, 0); is_fine && i < mutants->list.len; i = next_of_shard(run, i + 1))
    put_line(run, subject->row, mutants, i, &all[i]);
  free(all);
  return is_fine || cake_tool_fail(&run->tool, "cannot start a process: %s", strerror(errno));
}

// The kernel itself must pass and hold; one shard looks.
static bool judge_unmutated(const Run *run, const Subject *subject) {
  Judgement unmutated;
  subject_judge(subject, cake_buf_view(&subject->text), &unmutated);
  return (unmutated.verdict == VERDICT_EQUIVALENT && unmutated.sight == SIGHT_NOTHING) ||
         cake_tool_fail(&run->tool, "%s itself is %s: %s", name_of(subject->row), verdict_names[unmutated.verdict],
                        unmutated.message);
}

// Of this process and the children that it waited for.
static double cpu_seconds(void) {
  double total = 0;
  for (int who = 0; who < 2; who++) {
    struct rusage usage;
    if (getrusage(who ? RUSAGE_CHILDREN : RUSAGE_SELF, &usage) != 0) continue;
    total += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
    total += (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  }
  return total;
}

static bool run_kernel(Run *run, const CorpusRow *row) {
  Subject subject;
  MutantSource source;
  Mutants mutants;
  if (!subject_init(&subject, row, run->options.files, run->options.effort) ||
      !subject_prepare(&subject, run->options.files)) {
    subject_fini(&subject);
    return false;
  }
  bool is_fine = (row - corpus) % run->options.shards != run->options.shard || judge_unmutated(run, &subject);
  mutant_source_init(&source, cake_buf_view(&subject.text));
  mutants_of(&source, &mutants);
  double start = cpu_seconds();
  is_fine = is_fine && run_mutants(run, &subject, &mutants);
  if (!run->options.is_quiet)
    fprintf(stderr, "%s: %zu edits, %.0f s of CPU time\n", name_of(row), mutants.list.len, cpu_seconds() - start);
  run->mutants += mutants.list.len;
  mutants_fini(&mutants);
  mutant_source_fini(&source);
  subject_fini(&subject);
  return is_fine;
}

// ---- Options -------------------------------------------------------------------------------------------------------------

static const char help_text[] =
    "Usage: cake-bench-mutate [OPTION…]\n"
    "Mutates the kernels of the corpus, one fault a mutant, and writes a line a mutant: its verdict, the code, what "
    "running it\n"
    "showed, its place, operator and edit, with tabs between. bench/verifier/score.py counts them.\n\n"
    "  --kernels FOLDER    (default bench/kernels)\n"
    "  --contracts FOLDER  (default bench/contracts)\n"
    "  --only TEXT         only kernels with this text in their name\n"
    "  --numbers 4         random schedules with numbers a case, besides two fixed ones\n"
    "  --schedules 1000    random schedules of the threads in all, without numbers\n"
    "  --shard 0/1         of each N mutants the one of that number\n"
    "  --list FILE         where the lines go (default: standard output)\n"
    "  --text KERNEL:N     only print that mutant\n"
    "  --jobs N            processes at once (default: the processors)\n"
    "  --timeout 120       seconds of CPU time a mutant\n"
    "  --quiet, --help\n";

static bool parse_count(const Run *run, const char *name, const char *text, int64_t high, int64_t *out) {
  if (cake_tool_int(cake_str(text), out) && *out >= 1 && *out <= high) return true;
  return cake_tool_fail(&run->tool, "%s is a number from 1 to %lld, found '%s'", name, (long long)high, text);
}

static bool parse_shard(const Run *run, const char *text, Options *out) {
  CakeStr all = cake_str(text);
  size_t slash = strcspn(text, "/");
  if (text[slash] && cake_tool_int((CakeStr){text, slash}, &out->shard) &&
      cake_tool_int((CakeStr){text + slash + 1, all.len - slash - 1}, &out->shards) && out->shards <= 1000000 &&
      out->shard >= 0 && out->shard < out->shards)
    return true;
  return cake_tool_fail(&run->tool, "--shard is I/N with I from 0 to N - 1, found '%s'", text);
}

static bool parse_arg(Run *run, int argc, char **argv, int *i) {
  Options *options = &run->options;
  bool failed = false;
  const char *value;
#define OPTION(name) (value = cake_tool_option(&run->tool, name, argc, argv, i, &failed))
  if (OPTION("--kernels")) return options->files.kernels = value, !failed;
  if (OPTION("--contracts")) return options->files.contracts = value, !failed;
  if (OPTION("--only")) return options->only = value, !failed;
  if (OPTION("--list")) return options->list = value, !failed;
  if (OPTION("--text")) return options->text = value, !failed;
  if (OPTION("--shard")) return !failed && parse_shard(run, value, options);
  if (OPTION("--numbers")) return !failed && parse_count(run, "--numbers", value, 1000000, &options->effort.numbers);
  if (OPTION("--schedules"))
    return !failed && parse_count(run, "--schedules", value, 1000000, &options->effort.schedules);
  if (OPTION("--jobs")) return !failed && parse_count(run, "--jobs", value, MAX_JOBS, &options->jobs);
  if (OPTION("--timeout")) return !failed && parse_count(run, "--timeout", value, 86400, &options->timeout_s);
#undef OPTION
  if (strcmp(argv[*i], "--quiet") == 0) return options->is_quiet = true;
  if (strcmp(argv[*i], "--help") == 0) return options->help = true;
  return cake_tool_fail(&run->tool, "unknown argument '%s'; try --help", argv[*i]);
}

static bool parse_args(Run *run, int argc, char **argv) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  run->options = (Options){
      .files = {"bench/kernels", "bench/contracts"},
      .effort = {.numbers = 4,    .schedules = 1000},
      .timeout_s = 120,
      .shards = 1,
      .jobs = processors < 1          ? 1
              : processors > MAX_JOBS ? MAX_JOBS
                                      : processors
  };
  for (int i = 1; i < argc; i++)
    if (!parse_arg(run, argc, argv, &i)) return false;
  return true;
}

// Behind each kernel, so that a run that is cut short leaves what it has.
static bool write_list(Run *run) {
  CakeBuf error = {0};
  CakeStr text = run->list.len ? cake_buf_view(&run->list) : CAKE_STR("");
  bool is_fine = cake_file_write(run->options.list, text, &error) || cake_tool_fail(&run->tool, "%s", error.data);
  cake_buf_fini(&error);
  return is_fine;
}

static bool print_text(const Run *run, const CorpusRow *row, int64_t number) {
  Subject subject;
  MutantSource source;
  Mutants mutants;
  CakeBuf text = {0};
  bool is_fine = subject_init(&subject, row, run->options.files, run->options.effort);
  mutant_source_init(&source, is_fine ? cake_buf_view(&subject.text) : CAKE_STR(""));
  mutants_of(&source, &mutants);
  if (is_fine && (size_t)number >= mutants.list.len)
    is_fine = cake_tool_fail(&run->tool, "%s has %zu mutants", name_of(row), mutants.list.len);
  if (is_fine) {
    mutant_text(&source, &mutants.list.data[number], &text);
    is_fine = fwrite(text.data, 1, text.len, stdout) == text.len;
  }
  cake_buf_fini(&text);
  mutants_fini(&mutants);
  mutant_source_fini(&source);
  subject_fini(&subject);
  return is_fine;
}

static bool find_text(const Run *run) {
  const char *text = run->options.text;
  size_t len = strcspn(text, ":");
  int64_t number;
  if (text[len] && cake_tool_int(cake_str(text + len + 1), &number) && number >= 0)
    for (size_t i = 0; i < CAKE_COUNT(corpus); i++)
      if (cake_str_equal(cake_str(name_of(&corpus[i])), (CakeStr){text, len}))
        return print_text(run, &corpus[i], number);
  return cake_tool_fail(&run->tool, "--text is a kernel of the corpus and a number, as gemm:7; found '%s'", text);
}

static bool run_corpus(Run *run) {
  for (size_t i = 0; i < CAKE_COUNT(corpus); i++) {
    if (run->options.only && !strstr(name_of(&corpus[i]), run->options.only)) continue;
    if (!run_kernel(run, &corpus[i]) || (run->options.list && !write_list(run))) return false;
  }
  return run->options.list || !run->list.len || fwrite(run->list.data, 1, run->list.len, stdout) == run->list.len;
}

int main(int argc, char **argv) {
  Run run = {.tool = {.name = "cake-bench-mutate"}};
  bool is_fine = parse_args(&run, argc, argv);
  if (is_fine && run.options.help) return fputs(help_text, stdout) < 0;
  is_fine = is_fine && (run.options.text ? find_text(&run) : run_corpus(&run));
  cake_buf_fini(&run.list);
  return is_fine ? 0 : 1;
}
