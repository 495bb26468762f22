// A kernel of the corpus: its canonical text, its contract, and what it makes of each case.
#include <stdio.h>
#include <string.h>

#include "bench/verifier/judge_parts.h"
#include "cake/text.h"

static bool fail(const Subject *subject, const Program *program) {
  fprintf(stderr, "cake-bench-mutate: error: %s: %.*s\n", subject->row->file, (int)program->message.len,
          program->message.data ? program->message.data : "");
  return false;
}

// Sizes "B=1,N=5;B=2,N=70": a case each, with small integers in the second, wide numbers in the third.
static void add_cases(Subject *subject, const char *cases) {
  static const int64_t magnitudes[] = {1, 0, 9};
  for (const char *at = cases; *at;) {
    size_t len = strcspn(at, ";"), index = subject->cases.len;
    CAKE_PUSH(&subject->cases, (Case){.sizes = cake_arena_str(subject->arena, (CakeStr){at, len}),
                                      .seed = 77 + index,
                                      .magnitude = magnitudes[index % CAKE_COUNT(magnitudes)]});
    at += len + (at[len] == ';');
  }
}

static bool read_file(const char *folder, const char *name, const char *ending, CakeBuf *out) {
  CakeBuf path = {0}, error = {0};
  cake_buf_printf(&path, "%s/%s.%s", folder, name, ending);
  bool is_fine = cake_file_read(path.data, out, &error);
  if (!is_fine) fprintf(stderr, "cake-bench-mutate: error: %s\n", error.data);
  cake_buf_fini(&path);
  cake_buf_fini(&error);
  return is_fine;
}

// The canonical text, so that every op has a line.
static bool read_text(Subject *subject, const char *folder) {
  Program program;
  CakeBuf text = {0};
  bool is_fine = read_file(folder, subject->row->file, "cake", &text);
  if (is_fine) {
    is_fine = program_parse(&program, subject->row, cake_buf_view(&text)) || fail(subject, &program);
    if (is_fine) cake_print_op(program.tool.module, &(CakePrintOptions){.use_names = true}, &subject->text);
    program_fini(&program);
  }
  cake_buf_fini(&text);
  return is_fine;
}

// Opens the unmutated kernel and its contract, and makes the cases.
static bool open_original(Subject *subject) {
  Program *original = &subject->original;
  bool is_fine = program_open(original, subject->row, cake_buf_view(&subject->text)) && read_contract(subject);
  for (size_t i = 0; is_fine && i < cake_op_region(original->kernel, 0)->first->n_args; i++)
    CAKE_PUSH(&subject->outputs, is_output(original->kernel, i));
  for (size_t i = 0; is_fine && i < subject->cases.len; i++)
    is_fine = keep_inputs(subject, &subject->cases.data[i]);
  return is_fine;
}

// What the unmutated kernel makes of each case.
static bool keep_results(Subject *subject) {
  bool is_fine = true;
  for (size_t i = 0; is_fine && i < subject->cases.len; i++)
    is_fine = run_and_keep(&subject->original, subject, &subject->cases.data[i]);
  return is_fine;
}

// The same at the thread level, and how much it does in a CTA.
static bool keep_results_of_threads(Subject *subject) {
  Program lowered;
  bool is_fine = program_open_func(&lowered, subject->row, cake_buf_view(&subject->text));
  for (size_t i = 0; is_fine && i < subject->cases.len; i++) {
    Case *of = &subject->cases.data[i];
    of->cta_ops = run_and_count(&lowered, subject, of);
    is_fine = of->cta_ops > 0 && run_and_keep(&lowered, subject, of);
  }
  if (!is_fine) (void)fail(subject, &lowered);
  program_fini(&lowered);
  return is_fine;
}

bool subject_init(Subject *subject, const CorpusRow *row, SubjectFiles files, Effort effort) {
  *subject = (Subject){.arena = cake_arena_create(), .row = row, .effort = effort};
  add_cases(subject, row->cases);
  return read_text(subject, files.kernels);
}

bool subject_prepare(Subject *subject, SubjectFiles files) {
  if (!read_file(files.contracts, subject->row->contract, "contract", &subject->contract_text)) return false;
  return (open_original(subject) && keep_results(subject) && keep_results_of_threads(subject) &&
          prepare_contract(subject)) ||
         fail(subject, &subject->original);
}

void subject_fini(Subject *subject) {
  forget_contract(subject);
  if (subject->original.tool.context) program_fini(&subject->original);
  for (size_t i = 0; i < subject->cases.len; i++) {
    Case *of = &subject->cases.data[i];
    for (size_t level = 0; level < LEVEL_COUNT; level++) {
      for (size_t j = 0; j < of->results[level].len; j++)
        cake_buf_fini(&of->results[level].data[j]);
      CAKE_VEC_FINI(&of->results[level]);
    }
    for (size_t j = 0; j < of->inputs.len; j++)
      cake_buf_fini(&of->inputs.data[j]);
    CAKE_VEC_FINI(&of->inputs);
  }
  CAKE_VEC_FINI(&subject->cases);
  cake_buf_fini(&subject->contract_text);
  CAKE_VEC_FINI(&subject->outputs);
  cake_buf_fini(&subject->text);
  cake_arena_destroy(subject->arena);
}
