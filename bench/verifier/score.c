// cake-bench-mutate: the verifier's score on mutants of the corpus.
//
// Every mutant is judged in a child process with a time limit, as many at once as there are processors. The report counts
// what was refused before it ran, and of the others what the simulator saw fail; those are the verifier's misses.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/verifier/judge.h"
#include "bench/verifier/mutate.h"
#include "cake/pass.h"

#define MAX_JOBS 64

typedef struct CorpusRow {
  const char *file, *kernel, *params, *cases, *contract;
} CorpusRow;

static const CorpusRow corpus[] = {
#define KERNEL(file, kernel, params, cases, contract) {file, kernel, params, cases, contract},
#include "bench/verifier/corpus.def"
#undef KERNEL
};

typedef struct Options {
  const char *kernels, *contracts, *only, *list; // list: file with a line a mutant; NULL: none
  int64_t schedules, jobs, timeout_s, every;
  bool is_quiet, help;
} Options;

// Counts of one kernel, operator or class.
typedef struct Score {
  size_t verdicts[VERDICT_COUNT];
  size_t unconfirmed; // refused, though the simulator saw nothing wrong
  size_t broken;      // differ, and break the contract
} Score;

typedef struct Run {
  CakeTool tool;
  Options options;
  CakeBuf list;
  Score kernels[CAKE_COUNT(corpus)][2], operators[MUTATION_COUNT]; // kernels: by class
} Run;

typedef struct Child {
  pid_t pid;
  int pipe;
  size_t mutant;
  double end; // when it is killed
} Child;

static const char *const verdict_names[VERDICT_COUNT] = {"no program", "refused",    "fails",
                                                         "differs",    "equivalent", "CRASH"};

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
    child_main(subject, mutants->source, &mutants->list.data[index], ends[1]);
  }
  close(ends[1]);
  if (pid < 0) return close(ends[0]), false;
  *out = (Child){pid, ends[0], index, cake_timing_now() + timeout_s};
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
    *out =
        (Judgement){.verdict = VERDICT_CRASH, .code = CAKE_CODE_COUNT, .message = "the tools crashed or took too long"};
}

// ---- Counting ------------------------------------------------------------------------------------------------------------

static void count(Run *run, size_t kernel, const Mutants *mutants, size_t index, const Judgement *judgement) {
  const Mutant *mutant = &mutants->list.data[index];
  Score *scores[] = {&run->kernels[kernel][mutation_defs[mutant->id].class], &run->operators[mutant->id]};
  for (size_t i = 0; i < CAKE_COUNT(scores); i++) {
    scores[i]->verdicts[judgement->verdict]++;
    scores[i]->broken += judgement->verdict == VERDICT_DIFFERS && judgement->breaks_contract;
    scores[i]->unconfirmed += judgement->verdict == VERDICT_STATIC && judgement->was_run && !judgement->seen_to_fail;
  }
  if (judgement->verdict == VERDICT_NO_PROGRAM) return;
  cake_buf_printf(&run->list, "%-10s %-22s %s:", verdict_names[judgement->verdict],
                  judgement->code == CAKE_CODE_COUNT ? "-" : cake_code_name(judgement->code), corpus[kernel].file);
  mutant_describe(mutants->source, mutant, &run->list);
  if (judgement->verdict == VERDICT_STATIC && judgement->was_run && !judgement->seen_to_fail)
    cake_buf_text(&run->list, " [not seen to fail]");
  if (judgement->verdict == VERDICT_DIFFERS && judgement->breaks_contract)
    cake_buf_text(&run->list, " [breaks the contract]");
  if (judgement->verdict == VERDICT_RUN || judgement->verdict == VERDICT_CRASH)
    cake_buf_printf(&run->list, " [%s]", judgement->message);
  cake_buf_char(&run->list, '\n');
}

static bool run_mutants(Run *run, size_t kernel, const Subject *subject, const Mutants *mutants) {
  Judgement *all = calloc(mutants->list.len + 1, sizeof *all);
  Child children[MAX_JOBS];
  size_t next = 0, running = 0;
  bool is_fine = all != NULL;
  while (is_fine && (next < mutants->list.len || running > 0)) {
    while (is_fine && running < (size_t)run->options.jobs && next < mutants->list.len) {
      is_fine = start_child(subject, mutants, next, (double)run->options.timeout_s, &children[running]);
      running += is_fine;
      next += (size_t)run->options.every;
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
  for (size_t i = 0; is_fine && i < mutants->list.len; i += (size_t)run->options.every)
    count(run, kernel, mutants, i, &all[i]);
  free(all);
  return is_fine || cake_tool_fail(&run->tool, "cannot start a process: %s", strerror(errno));
}

static bool run_kernel(Run *run, size_t kernel) {
  const CorpusRow *row = &corpus[kernel];
  Subject subject;
  MutantSource source;
  Mutants mutants;
  Judgement unmutated;
  if (!subject_init(&subject, run->options.kernels, row->file, row->kernel, row->params, row->cases,
                    run->options.contracts, row->contract, run->options.schedules)) {
    subject_fini(&subject);
    return false;
  }
  subject_judge(&subject, cake_buf_view(&subject.text), &unmutated);
  bool is_fine =
      unmutated.verdict == VERDICT_EQUIVALENT ||
      cake_tool_fail(&run->tool, "%s itself is %s: %s", row->file, verdict_names[unmutated.verdict], unmutated.message);
  mutant_source_init(&source, cake_buf_view(&subject.text));
  mutants_of(&source, &mutants);
  if (!run->options.is_quiet) fprintf(stderr, "%s: %zu edits\n", row->file, mutants.list.len);
  is_fine = is_fine && run_mutants(run, kernel, &subject, &mutants);
  mutants_fini(&mutants);
  mutant_source_fini(&source);
  subject_fini(&subject);
  return is_fine;
}

// ---- Report --------------------------------------------------------------------------------------------------------------

static void add(Score *to, const Score *score) {
  for (size_t i = 0; i < VERDICT_COUNT; i++)
    to->verdicts[i] += score->verdicts[i];
  to->unconfirmed += score->unconfirmed;
  to->broken += score->broken;
}

static size_t misses(const Score *score) {
  return score->verdicts[VERDICT_RUN] + score->verdicts[VERDICT_DIFFERS];
}

static void print_row(const char *name, const Score *score) {
  const size_t *v = score->verdicts;
  size_t wrong = v[VERDICT_STATIC] + misses(score), total = wrong + v[VERDICT_EQUIVALENT] + v[VERDICT_CRASH];
  printf("| %s | %zu | %zu | %zu | %zu | %zu | %zu | %zu |", name, total, v[VERDICT_STATIC], v[VERDICT_RUN],
         v[VERDICT_DIFFERS], score->broken, v[VERDICT_EQUIVALENT], v[VERDICT_CRASH]);
  if (wrong)
    printf(" %.1f %% |", 100.0 * (double)v[VERDICT_STATIC] / (double)wrong);
  else
    printf(" – |");
  printf(" %zu |\n", score->unconfirmed);
}

#define HEAD                                                                                                           \
  " | mutants | refused | fail when run | differ | of these break the contract | equivalent | tools crashed | "        \
  "refused of those that are wrong | "                                                                                 \
  "refused, not seen to fail |\n"                                                                                      \
  "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"

static void print_report(const Run *run) {
  static const char *const classes[] = {"protocol, resource and form", "meaning"};
  Score totals[2] = {0};
  for (size_t class = 0; class < 2; class++) {
    printf("\n### Class: %s\n\n| kernel" HEAD, classes[class]);
    for (size_t i = 0; i < CAKE_COUNT(corpus); i++) {
      print_row(corpus[i].file, &run->kernels[i][class]);
      add(&totals[class], &run->kernels[i][class]);
    }
    print_row("**all**", &totals[class]);
    printf("\n| operator" HEAD);
    for (size_t i = 0; i < MUTATION_COUNT; i++)
      if (mutation_defs[i].class == (MutationClass)class) print_row(mutation_defs[i].name, &run->operators[i]);
  }
}

// ---- Options -------------------------------------------------------------------------------------------------------------

static const char help_text[] =
    "Usage: cake-bench-mutate [OPTION…]\n"
    "Mutates the kernels of the corpus, one fault a mutant, and counts what the verifier refuses.\n\n"
    "  --kernels FOLDER    (default bench/kernels)\n"
    "  --contracts FOLDER  (default bench/contracts)\n"
    "  --only TEXT         only kernels whose file has this text in its name\n"
    "  --schedules 20      random schedules of the simulator a case, besides two fixed ones\n"
    "  --every 1           take each N-th mutant only\n"
    "  --list FILE         write a line a mutant: verdict, code, place, edit\n"
    "  --jobs N            processes at once (default: the processors)\n"
    "  --timeout 60        seconds a mutant\n"
    "  --quiet, --help\n";

static bool parse_count(const Run *run, const char *name, const char *text, int64_t high, int64_t *out) {
  if (cake_tool_int(cake_str(text), out) && *out >= 1 && *out <= high) return true;
  return cake_tool_fail(&run->tool, "%s is a number from 1 to %lld, found '%s'", name, (long long)high, text);
}

static bool parse_arg(Run *run, int argc, char **argv, int *i) {
  Options *options = &run->options;
  bool failed = false;
  const char *value;
#define OPTION(name) (value = cake_tool_option(&run->tool, name, argc, argv, i, &failed))
  if (OPTION("--kernels")) return options->kernels = value, !failed;
  if (OPTION("--contracts")) return options->contracts = value, !failed;
  if (OPTION("--only")) return options->only = value, !failed;
  if (OPTION("--list")) return options->list = value, !failed;
  if (OPTION("--schedules")) return !failed && parse_count(run, "--schedules", value, 1000000, &options->schedules);
  if (OPTION("--every")) return !failed && parse_count(run, "--every", value, 1000000, &options->every);
  if (OPTION("--jobs")) return !failed && parse_count(run, "--jobs", value, MAX_JOBS, &options->jobs);
  if (OPTION("--timeout")) return !failed && parse_count(run, "--timeout", value, 86400, &options->timeout_s);
#undef OPTION
  if (strcmp(argv[*i], "--quiet") == 0) return options->is_quiet = true;
  if (strcmp(argv[*i], "--help") == 0) return options->help = true;
  return cake_tool_fail(&run->tool, "unknown argument '%s'; try --help", argv[*i]);
}

static bool parse_args(Run *run, int argc, char **argv) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  run->options = (Options){.kernels = "bench/kernels",
                           .contracts = "bench/contracts",
                           .schedules = 20,
                           .timeout_s = 60,
                           .every = 1,
                           .jobs = processors < 1          ? 1
                                   : processors > MAX_JOBS ? MAX_JOBS
                                                           : processors};
  for (int i = 1; i < argc; i++)
    if (!parse_arg(run, argc, argv, &i)) return false;
  return true;
}

int main(int argc, char **argv) {
  Run *run = calloc(1, sizeof *run);
  CakeBuf error = {0};
  if (!run) cake_out_of_memory(sizeof *run);
  run->tool.name = "cake-bench-mutate";
  bool is_fine = parse_args(run, argc, argv);
  if (is_fine && run->options.help) fputs(help_text, stdout);
  for (size_t i = 0; is_fine && !run->options.help && i < CAKE_COUNT(corpus); i++)
    if (!run->options.only || strstr(corpus[i].file, run->options.only)) is_fine = run_kernel(run, i);
  if (is_fine && !run->options.help) {
    print_report(run);
    if (run->options.list && !cake_file_write(run->options.list, cake_buf_view(&run->list), &error))
      is_fine = cake_tool_fail(&run->tool, "%s", error.data);
  }
  cake_buf_fini(&error);
  cake_buf_fini(&run->list);
  free(run);
  return is_fine ? 0 : 1;
}
