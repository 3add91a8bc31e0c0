/* First stage of the bridge: the library that Godot opens.
 *
 * It needs no Python library itself, so that a missing or broken Python runtime is one readable engine error instead of a
 * dynamic linker failure, and the editor or the game still starts. It checks the engine, finds pynav_python.cfg, opens
 * libpython for the whole process (RTLD_GLOBAL: extension modules such as numpy's look its symbols up there, while Godot
 * opens us with RTLD_LOCAL), then opens the second stage, which starts the interpreter.
 *
 * pynav_python.cfg is looked for in `pynav_runtime/` beside this library (a release), then in `.dev/` of each folder above
 * it (a development tree). Never in the working directory.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "start.h"

#ifndef PYNAV_API_MAJOR
#error "build with -DPYNAV_API_MAJOR=... -DPYNAV_API_MINOR=... (the version of the engine's dump)"
#endif

#define MESSAGE_SIZE 2048

static GDExtensionInterfacePrintErrorWithMessage print_error;
static GDExtensionInterfacePrintWarningWithMessage print_warning;
static char setting_text[16384];
static PynavSetting settings[PYNAV_MAX_SETTINGS];
static int setting_count;

static void say(int is_error, const char *format, ...) {
	char message[MESSAGE_SIZE];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message, sizeof message, format, arguments);
	va_end(arguments);
	if (is_error) {
		print_error("pynav bridge", message, "load", "loader.c", 0, 0);
	} else {
		print_warning("pynav bridge", message, "load", "loader.c", 0, 0);
	}
}

static void no_level(void *userdata, GDExtensionInitializationLevel level) {
	(void)userdata;
	(void)level;
}

/* Does the engine read a Vector2 from doubles? Seen by how much it writes back. */
static int is_double_precision(GDExtensionInterfaceGetProcAddress get) {
	GDExtensionInterfaceGetVariantFromTypeConstructor from_type =
			(GDExtensionInterfaceGetVariantFromTypeConstructor)get("get_variant_from_type_constructor");
	GDExtensionInterfaceGetVariantToTypeConstructor to_type =
			(GDExtensionInterfaceGetVariantToTypeConstructor)get("get_variant_to_type_constructor");
	GDExtensionInterfaceVariantDestroy destroy = (GDExtensionInterfaceVariantDestroy)get("variant_destroy");
	double variant[8] = { 0 };
	float input[4] = { 1.0f, 2.0f, 3.0f, 4.0f };
	float output[4] = { 0 };
	from_type(GDEXTENSION_VARIANT_TYPE_VECTOR2)(variant, input);
	to_type(GDEXTENSION_VARIANT_TYPE_VECTOR2)(output, variant);
	destroy(variant);
	return output[2] != 0.0f || output[3] != 0.0f;
}

static int check_engine(GDExtensionInterfaceGetProcAddress get) {
	GDExtensionInterfaceGetGodotVersion get_version = (GDExtensionInterfaceGetGodotVersion)get("get_godot_version");
	GDExtensionGodotVersion version = { 0 };
	if (get_version) {
		get_version(&version);
	}
	unsigned found = version.major * 1000 + version.minor, wanted = PYNAV_API_MAJOR * 1000 + PYNAV_API_MINOR;
	if (version.major != PYNAV_API_MAJOR || found < wanted) {
		say(1, "this addon needs Godot %d.%d or a newer %d.x, this is Godot %u.%u.%u: its Python nodes are not available",
				PYNAV_API_MAJOR, PYNAV_API_MINOR, PYNAV_API_MAJOR, version.major, version.minor, version.patch);
		return 0;
	}
	if (is_double_precision(get)) {
		say(1, "this addon is built for Godot's ordinary single precision, this engine was built with precision=double: "
			   "its Python nodes are not available");
		return 0;
	}
	if (found > wanted) {
		say(0, "this addon was tested with Godot %d.%d, this is Godot %u.%u.%u", PYNAV_API_MAJOR, PYNAV_API_MINOR,
				version.major, version.minor, version.patch);
	}
	return 1;
}

static int own_folder(char *folder) {
	Dl_info info;
	if (!dladdr((void *)own_folder, &info) || !info.dli_fname || !realpath(info.dli_fname, folder)) {
		return 0;
	}
	char *slash = strrchr(folder, '/');
	if (!slash) {
		return 0;
	}
	*slash = 0;
	return 1;
}

static int find_configuration(const char *library_folder, char *path, size_t size) {
	char folder[PATH_MAX];
	snprintf(path, size, "%s/pynav_runtime/pynav_python.cfg", library_folder);
	if (access(path, R_OK) == 0) {
		return 1;
	}
	snprintf(folder, sizeof folder, "%s", library_folder);
	for (char *slash; (slash = strrchr(folder, '/')) != NULL;) {
		*slash = 0;
		snprintf(path, size, "%s/.dev/pynav_python.cfg", folder);
		if (access(path, R_OK) == 0) {
			return 1;
		}
	}
	return 0;
}

static char *trim(char *text) {
	while (*text == ' ' || *text == '\t') {
		text++;
	}
	char *end = text + strlen(text);
	while (end > text && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r' || end[-1] == '\n')) {
		*--end = 0;
	}
	return text;
}

/* Keys whose values are names, not paths. */
static int is_name(const char *key) {
	return strcmp(key, "boot") == 0;
}

static int read_configuration(const char *path) {
	char line[PATH_MAX + 64], folder[PATH_MAX];
	size_t used = 0;
	FILE *file = fopen(path, "re");
	if (!file) {
		return 0;
	}
	snprintf(folder, sizeof folder, "%s", path);
	*strrchr(folder, '/') = 0;
	setting_count = 0;
	while (fgets(line, sizeof line, file) && setting_count < PYNAV_MAX_SETTINGS) {
		char *key = trim(line), *equals = strchr(key, '=');
		if (*key == '#' || !equals) {
			continue;
		}
		*equals = 0;
		key = trim(key);
		char *value = trim(equals + 1);
		size_t left = sizeof setting_text - used;
		int written = *value == '/' || is_name(key)
				? snprintf(setting_text + used, left, "%s%c%s", key, 0, value)
				: snprintf(setting_text + used, left, "%s%c%s/%s", key, 0, folder, value);
		if (written < 0 || (size_t)written >= left) {
			fclose(file);
			return 0;
		}
		settings[setting_count].key = setting_text + used;
		settings[setting_count].value = setting_text + used + strlen(key) + 1;
		setting_count++;
		used += (size_t)written + 1;
	}
	fclose(file);
	return 1;
}

static const char *setting(const char *key) {
	for (int i = 0; i < setting_count; i++) {
		if (strcmp(settings[i].key, key) == 0) {
			return settings[i].value;
		}
	}
	return NULL;
}

static int start_python(GDExtensionInterfaceGetProcAddress get, GDExtensionClassLibraryPtr library,
		GDExtensionInitialization *initialization) {
	char folder[PATH_MAX], configuration[PATH_MAX];
	if (!own_folder(folder)) {
		say(1, "cannot find the folder of the bridge's library: its Python nodes are not available");
		return 0;
	}
	if (!find_configuration(folder, configuration, sizeof configuration)) {
		say(1, "no Python runtime: '%s/pynav_runtime' is missing. Copy the whole addon (a release), or run "
			   "'python3 dev.py build' (a source tree). Its Python nodes are not available", folder);
		return 0;
	}
	if (!read_configuration(configuration) || !setting("libpython") || !setting("native")) {
		say(1, "'%s' is damaged: it must name libpython and native. Its Python nodes are not available", configuration);
		return 0;
	}
	if (!dlopen(setting("libpython"), RTLD_NOW | RTLD_GLOBAL)) {
		say(1, "the Python runtime cannot be opened: %s. Its Python nodes are not available", dlerror());
		return 0;
	}
	void *native = dlopen(setting("native"), RTLD_NOW | RTLD_LOCAL);
	PynavStartFunction start = native ? (PynavStartFunction)dlsym(native, "pynav_native_start") : NULL;
	if (!start) {
		say(1, "the bridge's second part cannot be opened: %s. Its Python nodes are not available", dlerror());
		return 0;
	}
	static PynavStart information;
	information.get_proc_address = get;
	information.library = library;
	information.initialization = initialization;
	information.settings = settings;
	information.setting_count = setting_count;
	if (!start(&information)) {
		say(1, "Python did not start: %s. Its Python nodes are not available", information.message);
		return 0;
	}
	return 1;
}

__attribute__((visibility("default"))) GDExtensionBool pynav_bridge_entry(GDExtensionInterfaceGetProcAddress get,
		GDExtensionClassLibraryPtr library, GDExtensionInitialization *initialization) {
	print_error = (GDExtensionInterfacePrintErrorWithMessage)get("print_error_with_message");
	print_warning = (GDExtensionInterfacePrintWarningWithMessage)get("print_warning_with_message");
	initialization->minimum_initialization_level = GDEXTENSION_INITIALIZATION_SCENE;
	initialization->userdata = NULL;
	initialization->initialize = no_level;
	initialization->deinitialize = no_level;
	if (!print_error || !print_warning) {
		fprintf(stderr, "pynav bridge: this engine is too old, Godot %d.%d is needed\n", PYNAV_API_MAJOR, PYNAV_API_MINOR);
		return 1;
	}
	/* Even a refusal returns 1: with 0 the engine adds errors of its own that hide ours. */
	if (check_engine(get)) {
		start_python(get, library, initialization);
	}
	return 1;
}
