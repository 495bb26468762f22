// Loading plugins and texts: each is taken whole or not at all.
#include "tools/extensions.h"

#include <dlfcn.h>
#include <stdio.h>

#include "cake/dialect_text.h"
#include "cake/dialects.h"
#include "cake/passes.h"
#include "tools/verifiers.h"
#include "verifier/verifier.h"

static void add_table(Extensions *extensions, const CakePassDef *table) {
  CAKE_PUSH(&extensions->tables, table);
  extensions->registry = (CakePassRegistry){extensions->tables.data, extensions->tables.len};
}

// Who hears of errors in texts where a program says nothing else.
static void print(void *user, const CakeDiagnostic *diagnostic) {
  const Extensions *extensions = user;
  CakeBuf text = {0};
  cake_diag_print(extensions->context, diagnostic, &text);
  fwrite(text.data ? text.data : "", 1, text.len, stderr);
  cake_buf_fini(&text);
}

void extensions_init(Extensions *extensions) {
  *extensions = (Extensions){.report = print, .report_user = extensions};
  add_table(extensions, cake_passes_table);
  extensions->n_plugin_tables = 1;
  const CakeVerifyFn *verifiers;
  size_t count = cake_tool_verifiers(&verifiers);
  for (size_t i = 0; i < count; i++)
    CAKE_PUSH(&extensions->verifiers, verifiers[i]);
}

void extensions_fini(Extensions *extensions) {
  cake_context_destroy(extensions->context);
  for (size_t i = extensions->handles.len; i-- > 0;)
    dlclose(extensions->handles.data[i]);
  for (size_t i = 0; i < extensions->texts.len; i++)
    cake_buf_fini(&extensions->texts.data[i].text);
  CAKE_VEC_FINI(&extensions->texts);
  CAKE_VEC_FINI(&extensions->handles);
  CAKE_VEC_FINI(&extensions->plugins);
  CAKE_VEC_FINI(&extensions->tables);
  CAKE_VEC_FINI(&extensions->verifiers);
}

// ---- Names that are taken ------------------------------------------------------------------------------------------

static bool has_dialect(const Extensions *extensions, const char *name) {
  if (cake_str_is(cake_str(name), cake_dialect_builtin.name)) return true;
  for (const CakeDialectDef *const *d = cake_dialects; *d; d++)
    if (cake_str_is(cake_str(name), (*d)->name)) return true;
  for (size_t i = 0; i < extensions->plugins.len; i++)
    for (const CakeDialectDef *const *d = extensions->plugins.data[i]->dialects; d && *d; d++)
      if (cake_str_is(cake_str(name), (*d)->name)) return true;
  return false;
}

static bool has_rule(const Extensions *extensions, const char *name) {
  for (const CakeRule *rule = cake_rules; rule->name; rule++)
    if (cake_str_is(cake_str(name), rule->name)) return true;
  for (size_t i = 0; i < extensions->plugins.len; i++)
    for (const CakePluginRule *rule = extensions->plugins.data[i]->rules; rule && rule->name; rule++)
      if (cake_str_is(cake_str(name), rule->name)) return true;
  return false;
}

static bool taken(const char *path, const char *kind, const char *name, CakeBuf *error) {
  cake_buf_printf(error, "plugin '%s' defines the %s '%s', which is there already", path, kind, name);
  return false;
}

static bool nothing_to_run(const char *path, const char *name, CakeBuf *error) {
  cake_buf_printf(error, "plugin '%s' says of the pass '%s' neither what it runs nor for which pipeline it stands",
                  path, name);
  return false;
}

static bool check_names(const Extensions *extensions, const CakePlugin *plugin, const char *path, CakeBuf *error) {
  for (const CakeDialectDef *const *d = plugin->dialects; d && *d; d++)
    if (has_dialect(extensions, (*d)->name)) return taken(path, "dialect", (*d)->name, error);
  for (const CakePassDef *pass = plugin->passes; pass && pass->name; pass++)
    if (cake_pass_find(&extensions->registry, cake_str(pass->name)))
      return taken(path, "pass", pass->name, error);
    else if (!pass->run == !pass->pipeline)
      return nothing_to_run(path, pass->name, error);
  for (const CakePluginRule *rule = plugin->rules; rule && rule->name; rule++)
    if (has_rule(extensions, rule->name)) return taken(path, "rule", rule->name, error);
  return true;
}

// ---- Loading -------------------------------------------------------------------------------------------------------

static bool check_head(const CakePlugin *plugin, const char *path, CakeBuf *error) {
  if (!plugin) {
    cake_buf_printf(error, "'cake_plugin' of '%s' returned NULL", path);
    return false;
  }
  if (plugin->abi != CAKE_PLUGIN_ABI) {
    cake_buf_printf(error, "plugin '%s' was built for version %u of the plugin interface; this program has version %u",
                    path, plugin->abi, CAKE_PLUGIN_ABI);
    return false;
  }
  if (plugin->size == sizeof *plugin && plugin->layouts == CAKE_PLUGIN_LAYOUTS) return true;
  cake_buf_printf(
      error, "plugin '%s' was built against headers whose structs differ from this program's: build it again", path);
  return false;
}

static bool check(const Extensions *extensions, void *handle, const char *path, const CakePlugin **out,
                  CakeBuf *error) {
  CakePluginFn describe;
  *(void **)&describe = dlsym(handle, "cake_plugin"); // as POSIX has it: the symbol is a function
  if (!describe) {
    cake_buf_printf(error, "'%s' exports no function 'cake_plugin' (cake/plugin.h says what it returns)", path);
    return false;
  }
  *out = describe();
  return check_head(*out, path, error) && check_names(extensions, *out, path, error);
}

// Whether forms say all of their ops, and can be read.
static bool check_formats(const Extensions *extensions, const CakePlugin *plugin, const char *path, CakeBuf *error) {
  CakeContext *context = cake_context_create();
  (void)!extensions_register(extensions, context); // plugins come in front of texts: there is nothing to go wrong
  const char *fault = NULL;
  for (const CakeDialectDef *const *d = plugin->dialects; d && *d; d++)
    cake_context_register_dialect(context, *d);
  for (const CakeDialectDef *const *d = plugin->dialects; d && *d && !fault; d++)
    for (size_t i = 0; i < (*d)->n_ops && !fault; i++) {
      CakeStr name = cake_arena_printf(cake_context_arena(context), "%s.%s", (*d)->name, (*d)->ops[i].name);
      fault = cake_op_format_error(context, cake_op_info(context, cake_id(context, name)));
      if (fault) cake_buf_printf(error, "plugin '%s': the assembly of '%s': %s", path, name.ptr, fault);
    }
  cake_context_destroy(context);
  return !fault;
}

static bool load_plugin(Extensions *extensions, const char *path, CakeBuf *error) {
  CakeBuf local = {0}; // dlopen looks for names without '/' in the system's folders, which nobody means here
  cake_buf_printf(&local, "%s%s", strchr(path, '/') ? "" : "./", path);
  void *handle = dlopen(local.data, RTLD_NOW | RTLD_LOCAL);
  cake_buf_fini(&local);
  if (!handle) {
    cake_buf_printf(error, "can't load plugin: %s", dlerror());
    return false;
  }
  const CakePlugin *plugin;
  if (!check(extensions, handle, path, &plugin, error) || !check_formats(extensions, plugin, path, error)) {
    dlclose(handle);
    return false;
  }
  CAKE_PUSH(&extensions->handles, handle);
  CAKE_PUSH(&extensions->plugins, plugin);
  if (plugin->passes) add_table(extensions, plugin->passes);
  extensions->n_plugin_tables = extensions->tables.len;
  for (const CakePluginRule *rule = plugin->rules; rule && rule->name; rule++)
    CAKE_PUSH(&extensions->verifiers, rule->check);
  return true;
}

// ---- Texts ---------------------------------------------------------------------------------------------------------

static CakeContext *own_context(Extensions *extensions) {
  if (extensions->context) return extensions->context;
  extensions->context = cake_context_create();
  cake_context_allow_unregistered(extensions->context, extensions->allow_unregistered);
  cake_context_set_handler(extensions->context, extensions->report, extensions->report_user, NULL, NULL);
  return extensions_register(extensions, extensions->context) ? extensions->context : NULL; // no text yet: it is fine
}

static const CakeRewrites *read_rewrites(const ExtensionText *file, CakeContext *context) {
  return cake_rewrites_load(context, cake_str(file->path), cake_buf_view(&file->text));
}

static bool read_dialects(const ExtensionText *file, CakeContext *context) {
  return cake_dialects_load(context, cake_str(file->path), cake_buf_view(&file->text));
}

static bool add_rewrites(Extensions *extensions, const ExtensionText *file, CakeContext *context, CakeBuf *error) {
  const CakeRewrites *rewrites = read_rewrites(file, context);
  const CakePassDef *pass;
  for (size_t i = 0; rewrites && (pass = cake_rewrites_pass(rewrites, i)); i++) {
    if (cake_pass_find(&extensions->registry, cake_str(pass->name))) {
      cake_buf_printf(error, "'%s' defines the rewrite '%s', and there is a pass of that name already", file->path,
                      pass->name);
      return false;
    }
    add_table(extensions, pass);
  }
  return rewrites != NULL;
}

static bool load_text(Extensions *extensions, ExtensionKind kind, const char *path, CakeBuf *error) {
  ExtensionText file = {.kind = kind, .path = path};
  CakeContext *context = own_context(extensions);
  bool is_read = cake_file_read(path, &file.text, error);
  CAKE_PUSH(&extensions->texts, file);
  if (!is_read || !context) return false;
  return kind == EXTENSION_DIALECT ? read_dialects(&file, context) : add_rewrites(extensions, &file, context, error);
}

bool extensions_load(Extensions *extensions, ExtensionKind kind, const char *path, CakeBuf *error) {
  return kind == EXTENSION_PLUGIN ? load_plugin(extensions, path, error) : load_text(extensions, kind, path, error);
}

bool extensions_load_files(Extensions *extensions, const ExtensionFiles *files, CakeBuf *error) {
  for (ExtensionKind kind = EXTENSION_PLUGIN; kind <= EXTENSION_REWRITES; kind++)
    for (size_t i = 0; i < files->len; i++)
      if (files->data[i].kind == kind && !extensions_load(extensions, kind, files->data[i].path, error)) return false;
  return true;
}

bool extensions_take_option(ExtensionFiles *files, const CakeTool *tool, int argc, char **argv, int *i,
                            bool *out_failed) {
  static const struct {
    const char *name;
    ExtensionKind kind;
  } options[] = {
      {"--load-dialect-plugin", EXTENSION_PLUGIN  },
      {"--load-pass-plugin",    EXTENSION_PLUGIN  },
      {"--load-dialect",        EXTENSION_DIALECT },
      {"--load-rewrites",       EXTENSION_REWRITES},
  };
  for (size_t k = 0; k < CAKE_COUNT(options); k++) {
    const char *path = cake_tool_option(tool, options[k].name, argc, argv, i, out_failed);
    if (path) return CAKE_PUSH(files, ((ExtensionFile){options[k].kind, path})), true;
  }
  return false;
}

// ---- Using ---------------------------------------------------------------------------------------------------------

bool extensions_register(const Extensions *extensions, CakeContext *context) {
  cake_register_all_dialects(context);
  for (size_t i = 0; i < extensions->plugins.len; i++)
    for (const CakeDialectDef *const *d = extensions->plugins.data[i]->dialects; d && *d; d++)
      cake_context_register_dialect(context, *d);
  for (size_t i = 0; i < extensions->texts.len; i++) {
    const ExtensionText *file = &extensions->texts.data[i];
    if (file->kind == EXTENSION_DIALECT && !read_dialects(file, context)) return false;
  }
  return true;
}

bool extensions_read_rewrites(const Extensions *extensions, CakeContext *context, ExtensionRewrites *out) {
  for (size_t i = 0; i < extensions->texts.len; i++) {
    const ExtensionText *file = &extensions->texts.data[i];
    if (file->kind != EXTENSION_REWRITES) continue;
    const CakeRewrites *rewrites = read_rewrites(file, context);
    if (!rewrites) return false;
    CAKE_PUSH(out, rewrites);
  }
  return true;
}

bool extensions_enter(const Extensions *extensions, CakeContext *context, CakePassRegistry *out) {
  const CakePassDef **tables =
      CAKE_ARENA_ARRAY(cake_context_arena(context), const CakePassDef *, extensions->tables.len + 1);
  size_t count = extensions->n_plugin_tables;
  ExtensionRewrites rewrites = {0};
  memcpy(tables, extensions->tables.data, count * sizeof(*tables));
  bool is_fine = extensions_read_rewrites(extensions, context, &rewrites);
  for (size_t i = 0; i < rewrites.len; i++)
    for (size_t k = 0; (tables[count] = cake_rewrites_pass(rewrites.data[i], k)); k++)
      count++;
  CAKE_VEC_FINI(&rewrites);
  *out = (CakePassRegistry){tables, count};
  return is_fine;
}

bool extensions_verify(const Extensions *extensions, CakeOp *module) {
  bool is_fine = cake_verify(module);
  for (size_t i = 0; is_fine && i < extensions->verifiers.len; i++)
    is_fine = extensions->verifiers.data[i](module);
  return is_fine;
}
