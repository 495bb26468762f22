// cake-query: asks which ops of a module match, from the command line, a script, or a session.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cake/text.h"
#include "tools/extensions.h"
#include "tools/query.h"

static const char help_text[] =
    "Usage: cake-query FILE [OPTION…]\n"
    "Shows the ops of a module that match. Without -c and -f, commands are read from standard input.\n\n"
    "  -c COMMAND          a command, such as 'match name(\"arith.addi\").operand(0, constant())'; may be repeated\n"
    "  -f SCRIPT           a file of commands, one a line\n" EXTENSIONS_HELP
    "                      (rewrites are what rewrite(\"name\") may name)\n"
    "  --allow-unregistered-dialect, --no-verify    as in cake-opt\n"
    "  --help, --version\n\n";

typedef struct Command {
  bool is_file;
  const char *text; // or the path
} Command;

typedef struct Args {
  const char *input;
  CAKE_VEC(Command) commands;
  ExtensionFiles files;
  bool help, version, allow_unregistered, no_verify;
} Args;

// ---- Arguments -----------------------------------------------------------------------------------------------------

static bool parse_flag(Args *args, const char *arg) {
  const CakeToolFlag flags[] = {
      {"--help",                       &args->help              },
      {"--version",                    &args->version           },
      {"--allow-unregistered-dialect", &args->allow_unregistered},
      {"--no-verify",                  &args->no_verify         },
  };
  return cake_tool_flag(flags, CAKE_COUNT(flags), arg);
}

static bool parse_arg(const CakeTool *tool, Args *args, int argc, char **argv, int *i) {
  bool failed = false;
  const char *value;
#define OPTION(name) (value = cake_tool_option(tool, name, argc, argv, i, &failed))
  if (OPTION("-c")) return CAKE_PUSH(&args->commands, ((Command){false, value})), !failed;
  if (OPTION("-f")) return CAKE_PUSH(&args->commands, ((Command){true, value})), !failed;
#undef OPTION
  if (extensions_take_option(&args->files, tool, argc, argv, i, &failed)) return !failed;
  return parse_flag(args, argv[*i]) || cake_tool_input(tool, argv[*i], &args->input);
}

static bool parse_args(const CakeTool *tool, Args *args, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!parse_arg(tool, args, argc, argv, &i)) return false;
  if (args->help || args->version || args->input) return true;
  return cake_tool_fail(tool, "which file? Try --help");
}

// ---- Commands ------------------------------------------------------------------------------------------------------

// A file's text, which lives as long as the context.
static bool read_text(const CakeTool *tool, const char *path, CakeStr *out) {
  CakeBuf text = {0}, error = {0};
  bool is_read = cake_file_read(path, &text, &error) || cake_tool_fail(tool, "%s", error.data);
  *out = cake_arena_str(cake_context_arena(tool->context), cake_buf_view(&text));
  cake_buf_fini(&text);
  cake_buf_fini(&error);
  return is_read;
}

// Runs commands and writes what they give. The text lives as long as the context.
static bool run_commands(const Query *query, const char *file, CakeStr text, bool *out_quits) {
  CakeBuf out = {0};
  CakeStr kept = cake_arena_str(cake_context_arena(query->context), text);
  bool is_fine = query_run(query, cake_id_text(query->context, file), kept, &out, out_quits);
  fwrite(out.data ? out.data : "", 1, out.len, stdout);
  fflush(stdout);
  cake_buf_fini(&out);
  return is_fine;
}

static bool run_given(const CakeTool *tool, const Query *query, const Args *args) {
  bool is_fine = true, quits = false;
  for (size_t i = 0; i < args->commands.len && is_fine && !quits; i++) {
    Command command = args->commands.data[i];
    CakeStr text = cake_str(command.text);
    is_fine = (!command.is_file || read_text(tool, command.text, &text)) &&
              run_commands(query, command.is_file ? command.text : "<command>", text, &quits);
  }
  return is_fine;
}

// Adds lines of standard input until their brackets are closed; false at the end.
static bool read_command(CakeBuf *out, bool has_prompt) {
  char *line = NULL;
  size_t room = 0, open = 0;
  ssize_t len;
  cake_buf_clear(out);
  do {
    if (has_prompt) fputs(out->len ? "......... " : "cake-query> ", stdout);
    fflush(stdout);
    len = getline(&line, &room, stdin);
    if (len > 0) {
      cake_buf_append(out, line, (size_t)len);
      open = query_open_brackets((CakeStr){line, (size_t)len}, open);
    }
  } while (len > 0 && open);
  free(line);
  return out->len;
}

// A session: it goes on behind a command that failed.
static bool run_session(const Query *query) {
  CakeBuf command = {0};
  bool is_terminal = isatty(STDIN_FILENO), is_fine = true, quits = false;
  while (!quits && read_command(&command, is_terminal))
    if (!run_commands(query, "<stdin>", cake_buf_view(&command), &quits)) is_fine = false;
  cake_buf_fini(&command);
  return is_fine || is_terminal;
}

// ---- The module ----------------------------------------------------------------------------------------------------

static bool ask(CakeTool *tool, const Extensions *extensions, const Args *args) {
  Query query;
  query_init(&query, tool->module);
  bool is_fine = extensions_read_rewrites(extensions, tool->context, &query.rewrites) &&
                 (args->commands.len ? run_given(tool, &query, args) : run_session(&query));
  query_fini(&query);
  return is_fine;
}

static bool load(const CakeTool *tool, Extensions *extensions, const Args *args) {
  CakeBuf error = {0};
  extensions->allow_unregistered = args->allow_unregistered;
  bool is_fine = extensions_load_files(extensions, &args->files, &error);
  if (error.len) (void)cake_tool_fail(tool, "%s", error.data);
  cake_buf_fini(&error);
  return is_fine && extensions_register(extensions, tool->context);
}

static bool run(const Args *args) {
  CakeTool tool;
  CakeStr text;
  Extensions extensions;
  extensions_init(&extensions);
  cake_tool_open(&tool, "cake-query");
  cake_context_allow_unregistered(tool.context, args->allow_unregistered);
  if (load(&tool, &extensions, args) && read_text(&tool, args->input, &text))
    tool.module =
        cake_parse_module(tool.context, cake_str(strcmp(args->input, "-") == 0 ? "<stdin>" : args->input), text);
  bool is_fine = tool.module && (args->no_verify || cake_verify(tool.module)) && ask(&tool, &extensions, args);
  cake_tool_close(&tool);
  extensions_fini(&extensions);
  return is_fine;
}

int main(int argc, char **argv) {
  CakeTool tool = {.name = "cake-query"};
  Args args = {0};
  CakeBuf help = {0};
  bool is_fine = parse_args(&tool, &args, argc, argv);
  if (is_fine && args.help) {
    cake_buf_text(&help, help_text);
    (void)query_help(CAKE_STR(""), &help);
    fputs(help.data, stdout);
  } else if (is_fine && args.version) {
    puts("cake-query " CAKE_VERSION);
  } else {
    is_fine = is_fine && run(&args);
  }
  cake_buf_fini(&help);
  CAKE_VEC_FINI(&args.commands);
  CAKE_VEC_FINI(&args.files);
  return is_fine ? 0 : 1;
}
