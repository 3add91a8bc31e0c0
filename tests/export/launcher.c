/* Runs a line of Python in a runtime folder, the way the bridge starts it: isolated, every path given, no site module.
 * Usage: launcher RUNTIME_FOLDER CODE. Exits with 0 where the code ran, 1 where it raised, 2 where Python did not start. */
#include <Python.h>
#include <stdio.h>

static void add(PyConfig *config, const char *runtime, const char *relative) {
    char path[4096];
    snprintf(path, sizeof path, "%s%s", runtime, relative);
    wchar_t *wide = Py_DecodeLocale(path, NULL);
    PyWideStringList_Append(&config->module_search_paths, wide);
    PyMem_RawFree(wide);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    char library[64], extensions[96];
    snprintf(library, sizeof library, "/lib/python%d.%d", PY_MAJOR_VERSION, PY_MINOR_VERSION);
    snprintf(extensions, sizeof extensions, "%s/lib-dynload", library);

    PyPreConfig before;
    PyPreConfig_InitIsolatedConfig(&before);
    before.utf8_mode = 1;
    if (PyStatus_Exception(Py_PreInitialize(&before))) return 2;
    PyConfig config;
    PyConfig_InitIsolatedConfig(&config);
    config.site_import = 0;
    config.write_bytecode = 0;
    config.install_signal_handlers = 0;
    config.pathconfig_warnings = 0;
    PyConfig_SetBytesString(&config, &config.home, argv[1]);
    PyConfig_SetBytesString(&config, &config.executable, argv[0]);
    config.module_search_paths_set = 1;
    add(&config, argv[1], library);
    add(&config, argv[1], extensions);
    add(&config, argv[1], "/site");
    PyStatus status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status)) {
        fprintf(stderr, "%s\n", status.err_msg ? status.err_msg : "Python did not start");
        return 2;
    }
    int failed = PyRun_SimpleString(argv[2]) != 0;
    if (Py_FinalizeEx() < 0) failed = 1;
    return failed;
}
