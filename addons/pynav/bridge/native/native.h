/* Second stage of the bridge, the part in C: starting Python, and the few paths that are too hot for cffi.
 *
 * This text is compiled into the cffi module `_pynav_bridge`, after Python.h, cffi's own prelude and the generated
 * `interface_calls.h` (one `gde_NAME` function for each function of Godot's interface).
 *
 * Threading: the GIL is released before the entry function returns and whenever Python calls the engine (cffi does that for
 * every `gde_` call). Every callback takes it by itself, from whatever thread it comes.
 */

/* ---------------------------------------------------------------------------------------------------------------------
 * What the engine holds for us: instances, virtual methods, classes
 */

/* The engine's pointer to an instance. `object` is borrowed: instances.py keeps the Python object alive. */
typedef struct {
	PyObject *object;
	void *handle; /* cffi handle of the same object, for the paths through Python */
} PynavInstance;

typedef enum {
	PYNAV_VIRTUAL_GENERIC, /* through virtual_methods.py */
	PYNAV_VIRTUAL_PLAIN, /* no argument, no result */
	PYNAV_VIRTUAL_FLOAT, /* one float, no result: _process, _physics_process */
} PynavVirtualKind;

typedef struct {
	uint64_t name; /* the engine's StringName, compared as the pointer it is */
	PynavVirtualKind kind;
	PyObject *function;
	void *handle;
} PynavVirtual;

/* Read only once made: the engine may ask for virtuals from any thread, and gets its answer without the GIL. */
typedef struct {
	void *handle;
	int virtual_count;
	PynavVirtual *virtuals;
} PynavClass;

static PyObject *pynav_report_function;

static void pynav_report_exception(PyObject *function) {
	PyObject *type, *value, *traceback;
	PyErr_Fetch(&type, &value, &traceback);
	PyErr_NormalizeException(&type, &value, &traceback);
	if (traceback && value) {
		PyException_SetTraceback(value, traceback);
	}
	PyObject *result = pynav_report_function
			? PyObject_CallFunctionObjArgs(pynav_report_function, value ? value : Py_None, function, NULL)
			: NULL;
	if (!result) {
		PyErr_Clear();
	}
	Py_XDECREF(result);
	Py_XDECREF(type);
	Py_XDECREF(value);
	Py_XDECREF(traceback);
}

static void python_call_virtual(void *instance, void *method, const GDExtensionConstTypePtr *arguments,
		GDExtensionTypePtr result);
static void python_method_call(void *method, void *instance, const GDExtensionConstVariantPtr *arguments,
		GDExtensionInt count, GDExtensionVariantPtr result, GDExtensionCallError *error);
static void python_method_ptrcall(void *method, void *instance, const GDExtensionConstTypePtr *arguments,
		GDExtensionTypePtr result);
static GDExtensionObjectPtr python_create_instance(void *class_handle, GDExtensionBool notify);
static void *python_recreate_instance(void *class_handle, GDExtensionObjectPtr object);
static void python_free_instance(void *class_handle, void *instance);
static GDExtensionBool python_set(void *instance, GDExtensionConstStringNamePtr name, GDExtensionConstVariantPtr value);
static GDExtensionBool python_get(void *instance, GDExtensionConstStringNamePtr name, GDExtensionVariantPtr result);
static const GDExtensionPropertyInfo *python_get_property_list(void *instance, uint32_t *count);
static void python_free_property_list(void *instance, const GDExtensionPropertyInfo *list, uint32_t count);
static GDExtensionBool python_can_revert(void *instance, GDExtensionConstStringNamePtr name);
static GDExtensionBool python_get_revert(void *instance, GDExtensionConstStringNamePtr name, GDExtensionVariantPtr result);
static GDExtensionBool python_validate_property(void *instance, GDExtensionPropertyInfo *property);
static void python_notification(void *instance, int32_t what, GDExtensionBool reversed);
static void python_to_string(void *instance, GDExtensionBool *valid, GDExtensionStringPtr result);
static void python_reference(void *instance);
static void python_unreference(void *instance);

static void pynav_call_virtual(GDExtensionClassInstancePtr instance_pointer, GDExtensionConstStringNamePtr name, void *data,
		const GDExtensionConstTypePtr *arguments, GDExtensionTypePtr result) {
	(void)name;
	PynavInstance *instance = (PynavInstance *)instance_pointer;
	PynavVirtual *method = (PynavVirtual *)data;
	if (method->kind == PYNAV_VIRTUAL_GENERIC) {
		python_call_virtual(instance->handle, method->handle, arguments, result);
		return;
	}
	PyGILState_STATE state = PyGILState_Ensure();
	PyObject *stack[2] = { instance->object, NULL };
	Py_INCREF(stack[0]);
	size_t count = 1;
	if (method->kind == PYNAV_VIRTUAL_FLOAT) {
		stack[count++] = PyFloat_FromDouble(*(const double *)arguments[0]);
	}
	PyObject *answer = PyObject_Vectorcall(method->function, stack, count, NULL);
	if (!answer) {
		pynav_report_exception(method->function);
	}
	Py_XDECREF(answer);
	Py_XDECREF(stack[1]);
	Py_DECREF(stack[0]);
	PyGILState_Release(state);
}

static void *pynav_get_virtual(void *userdata, GDExtensionConstStringNamePtr name, uint32_t hash) {
	(void)hash;
	PynavClass *own = (PynavClass *)userdata;
	uint64_t key = *(const uint64_t *)name;
	for (int i = 0; i < own->virtual_count; i++) {
		if (own->virtuals[i].name == key) {
			return &own->virtuals[i];
		}
	}
	return NULL;
}

#define PYNAV_HANDLE(pointer) (((PynavInstance *)(pointer))->handle)

static GDExtensionObjectPtr pynav_create(void *userdata, GDExtensionBool notify) {
	return python_create_instance(((PynavClass *)userdata)->handle, notify);
}
static GDExtensionClassInstancePtr pynav_recreate(void *userdata, GDExtensionObjectPtr object) {
	return python_recreate_instance(((PynavClass *)userdata)->handle, object);
}
static void pynav_free(void *userdata, GDExtensionClassInstancePtr instance) {
	if (instance) {
		python_free_instance(((PynavClass *)userdata)->handle, PYNAV_HANDLE(instance));
		free(instance);
	}
}
static GDExtensionBool pynav_set(GDExtensionClassInstancePtr i, GDExtensionConstStringNamePtr n, GDExtensionConstVariantPtr v) {
	return python_set(PYNAV_HANDLE(i), n, v);
}
static GDExtensionBool pynav_get(GDExtensionClassInstancePtr i, GDExtensionConstStringNamePtr n, GDExtensionVariantPtr r) {
	return python_get(PYNAV_HANDLE(i), n, r);
}
static const GDExtensionPropertyInfo *pynav_get_list(GDExtensionClassInstancePtr i, uint32_t *count) {
	return python_get_property_list(PYNAV_HANDLE(i), count);
}
static void pynav_free_list(GDExtensionClassInstancePtr i, const GDExtensionPropertyInfo *list, uint32_t count) {
	python_free_property_list(PYNAV_HANDLE(i), list, count);
}
static GDExtensionBool pynav_can_revert(GDExtensionClassInstancePtr i, GDExtensionConstStringNamePtr n) {
	return python_can_revert(PYNAV_HANDLE(i), n);
}
static GDExtensionBool pynav_get_revert(GDExtensionClassInstancePtr i, GDExtensionConstStringNamePtr n, GDExtensionVariantPtr r) {
	return python_get_revert(PYNAV_HANDLE(i), n, r);
}
static GDExtensionBool pynav_validate(GDExtensionClassInstancePtr i, GDExtensionPropertyInfo *property) {
	return python_validate_property(PYNAV_HANDLE(i), property);
}
static void pynav_notification(GDExtensionClassInstancePtr i, int32_t what, GDExtensionBool reversed) {
	python_notification(PYNAV_HANDLE(i), what, reversed);
}
static void pynav_to_string(GDExtensionClassInstancePtr i, GDExtensionBool *valid, GDExtensionStringPtr result) {
	python_to_string(PYNAV_HANDLE(i), valid, result);
}
static void pynav_reference(GDExtensionClassInstancePtr i) {
	python_reference(PYNAV_HANDLE(i));
}
static void pynav_unreference(GDExtensionClassInstancePtr i) {
	python_unreference(PYNAV_HANDLE(i));
}
/* Static methods come with a null instance. */
static void pynav_method_call(void *method, GDExtensionClassInstancePtr instance, const GDExtensionConstVariantPtr *arguments,
		GDExtensionInt count, GDExtensionVariantPtr result, GDExtensionCallError *error) {
	python_method_call(method, instance ? PYNAV_HANDLE(instance) : NULL, arguments, count, result, error);
}
static void pynav_method_ptrcall(void *method, GDExtensionClassInstancePtr instance, const GDExtensionConstTypePtr *arguments,
		GDExtensionTypePtr result) {
	python_method_ptrcall(method, instance ? PYNAV_HANDLE(instance) : NULL, arguments, result);
}

/* Which of the optional callbacks a class wants: an unwanted one must be null, or the engine pays for it at each turn. */
enum {
	PYNAV_WANTS_SET = 1,
	PYNAV_WANTS_GET = 2,
	PYNAV_WANTS_LIST = 4,
	PYNAV_WANTS_REVERT = 8,
	PYNAV_WANTS_VALIDATE = 16,
	PYNAV_WANTS_NOTIFICATION = 32,
	PYNAV_WANTS_TO_STRING = 64,
	PYNAV_WANTS_REFERENCE = 128,
};

static void pynav_register_class(GDExtensionClassLibraryPtr library, GDExtensionConstStringNamePtr name,
		GDExtensionConstStringNamePtr parent, GDExtensionConstStringPtr icon, PynavClass *own, int wants,
		int is_abstract, int is_exposed, int is_runtime) {
	GDExtensionClassCreationInfo5 info = { 0 };
	info.is_abstract = is_abstract;
	info.is_exposed = is_exposed;
	info.is_runtime = is_runtime;
	info.icon_path = icon;
	info.class_userdata = own;
	info.create_instance_func = pynav_create;
	info.recreate_instance_func = pynav_recreate;
	info.free_instance_func = pynav_free;
	info.get_virtual_call_data_func = pynav_get_virtual;
	info.call_virtual_with_data_func = pynav_call_virtual;
	info.set_func = wants & PYNAV_WANTS_SET ? pynav_set : NULL;
	info.get_func = wants & PYNAV_WANTS_GET ? pynav_get : NULL;
	info.get_property_list_func = wants & PYNAV_WANTS_LIST ? pynav_get_list : NULL;
	info.free_property_list_func = wants & PYNAV_WANTS_LIST ? pynav_free_list : NULL;
	info.property_can_revert_func = wants & PYNAV_WANTS_REVERT ? pynav_can_revert : NULL;
	info.property_get_revert_func = wants & PYNAV_WANTS_REVERT ? pynav_get_revert : NULL;
	info.validate_property_func = wants & PYNAV_WANTS_VALIDATE ? pynav_validate : NULL;
	info.notification_func = wants & PYNAV_WANTS_NOTIFICATION ? pynav_notification : NULL;
	info.to_string_func = wants & PYNAV_WANTS_TO_STRING ? pynav_to_string : NULL;
	info.reference_func = wants & PYNAV_WANTS_REFERENCE ? pynav_reference : NULL;
	info.unreference_func = wants & PYNAV_WANTS_REFERENCE ? pynav_unreference : NULL;
	gde_classdb_register_extension_class5(library, name, parent, &info);
}

static PynavClass *pynav_new_class(void *handle, int virtual_count) {
	PynavClass *own = calloc(1, sizeof *own);
	own->handle = handle;
	own->virtual_count = virtual_count;
	own->virtuals = calloc(virtual_count ? virtual_count : 1, sizeof *own->virtuals);
	return own;
}

static void pynav_fill_method_info(GDExtensionClassMethodInfo *info, void *method_handle) {
	info->method_userdata = method_handle;
	info->call_func = pynav_method_call;
	info->ptrcall_func = pynav_method_ptrcall;
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Calls into the engine: look the object up by its id, then call. 0 when it was freed.
 */

static int pynav_ptrcall(GDExtensionMethodBindPtr method, uint64_t id, const GDExtensionConstTypePtr *arguments,
		GDExtensionTypePtr result) {
	GDExtensionObjectPtr object = gde_object_get_instance_from_id(id);
	if (!object) {
		return 0;
	}
	gde_object_method_bind_ptrcall(method, object, arguments, result);
	return 1;
}

/* A method of many objects, with at most one plain argument and a plain result or none (NULL), each of so many bytes. Returns how
 * many objects there were; the results of those that were freed stay as they are. */
static int64_t pynav_ptrcall_each(GDExtensionMethodBindPtr method, const uint64_t *ids, int64_t count, const char *arguments,
		int64_t argument_size, char *results, int64_t result_size) {
	int64_t there = 0;
	for (int64_t index = 0; index < count; index++) {
		GDExtensionConstTypePtr argument = arguments ? arguments + index * argument_size : NULL;
		there += pynav_ptrcall(method, ids[index], arguments ? &argument : NULL, results ? results + index * result_size : NULL);
	}
	return there;
}

/* Several methods without arguments, each of an object of its own. The plain results, each in 64 bytes, take the place of those that
 * were there; how many differ from them. -1 when an object was freed. */
static int64_t pynav_ptrcall_watch(const GDExtensionMethodBindPtr *methods, const uint64_t *ids, int64_t count, char *results) {
	int64_t changed = 0;
	for (int64_t index = 0; index < count; index++) {
		uint64_t now[8] = { 0 };
		if (!pynav_ptrcall(methods[index], ids[index], NULL, now)) {
			return -1;
		}
		if (memcmp(now, results + index * sizeof(now), sizeof(now)) != 0) {
			memcpy(results + index * sizeof(now), now, sizeof(now));
			changed++;
		}
	}
	return changed;
}

static int pynav_varcall(GDExtensionMethodBindPtr method, uint64_t id, const GDExtensionConstVariantPtr *arguments,
		GDExtensionInt count, GDExtensionVariantPtr result, GDExtensionCallError *error) {
	GDExtensionObjectPtr object = gde_object_get_instance_from_id(id);
	if (!object) {
		return 0;
	}
	gde_object_method_bind_call(method, object, arguments, count, result, error);
	return 1;
}

/* Function pointers that the interface hands out; calling them here is cheaper than through cffi's function objects. */
static void pynav_call_constructor(GDExtensionPtrConstructor function, void *base, const GDExtensionConstTypePtr *arguments) {
	function(base, arguments);
}
static void pynav_call_destructor(GDExtensionPtrDestructor function, void *base) {
	function(base);
}
static void pynav_call_builtin(GDExtensionPtrBuiltInMethod function, void *base, const GDExtensionConstTypePtr *arguments,
		void *result, int count) {
	function(base, arguments, result, count);
}
/* size() of a container: the method that everything asks for. */
static int64_t pynav_builtin_size(GDExtensionPtrBuiltInMethod function, void *base) {
	int64_t size = 0;
	function(base, NULL, &size, 0);
	return size;
}
static void pynav_call_utility(GDExtensionPtrUtilityFunction function, void *result, const GDExtensionConstTypePtr *arguments,
		int count) {
	function(result, arguments, count);
}
static void pynav_to_variant(GDExtensionVariantFromTypeConstructorFunc function, void *variant, void *value) {
	function(variant, value);
}
static void pynav_from_variant(GDExtensionTypeFromVariantConstructorFunc function, void *value, void *variant) {
	function(value, variant);
}
static void *pynav_variant_inside(GDExtensionVariantGetInternalPtrFunc function, void *variant) {
	return function(variant);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Main loop: a frame calls Python only when Python asked for it
 */

static int pynav_frame_wanted;
static void python_frame(void);
static void python_main_loop_end(void);

static void pynav_frame(void) {
	if (pynav_frame_wanted) {
		python_frame();
	}
}
static void pynav_want_frame(int wanted) {
	pynav_frame_wanted = wanted;
}
static void pynav_register_main_loop(GDExtensionClassLibraryPtr library) {
	GDExtensionMainLoopCallbacks callbacks = { 0 };
	callbacks.frame_func = pynav_frame;
	callbacks.shutdown_func = python_main_loop_end;
	gde_register_main_loop_callbacks(library, &callbacks);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * `_pynav_calls`: what cffi cannot express, since it deals in Python objects
 */

static PyObject *calls_new_instance(PyObject *module, PyObject *const *arguments, Py_ssize_t count) {
	(void)module;
	if (count != 2) {
		PyErr_SetString(PyExc_TypeError, "new_instance(object, handle_address)");
		return NULL;
	}
	PynavInstance *instance = malloc(sizeof *instance);
	instance->object = arguments[0];
	instance->handle = PyLong_AsVoidPtr(arguments[1]);
	return PyLong_FromVoidPtr(instance);
}

static PyObject *calls_set_virtual(PyObject *module, PyObject *arguments) {
	(void)module;
	unsigned long long own, name, handle;
	int index, kind;
	PyObject *function;
	if (!PyArg_ParseTuple(arguments, "KiKiOK", &own, &index, &name, &kind, &function, &handle)) {
		return NULL;
	}
	PynavVirtual *method = &((PynavClass *)(uintptr_t)own)->virtuals[index];
	method->name = name;
	method->kind = (PynavVirtualKind)kind;
	method->function = Py_NewRef(function); /* kept for the life of the process, like the class */
	method->handle = (void *)(uintptr_t)handle;
	Py_RETURN_NONE;
}

static PyObject *calls_set_report(PyObject *module, PyObject *function) {
	(void)module;
	Py_XDECREF(pynav_report_function);
	pynav_report_function = Py_NewRef(function);
	Py_RETURN_NONE;
}

static PyMethodDef calls_methods[] = {
	{ "new_instance", (PyCFunction)(void (*)(void))calls_new_instance, METH_FASTCALL,
			"new_instance(object, handle_address) -> address of what the engine keeps" },
	{ "set_virtual", calls_set_virtual, METH_VARARGS, "set_virtual(class, index, name, kind, function, handle_address)" },
	{ "set_report", calls_set_report, METH_O, "set_report(function): called with (exception, function) for hot callbacks" },
	{ NULL, NULL, 0, NULL },
};

static struct PyModuleDef calls_module = { PyModuleDef_HEAD_INIT, "_pynav_calls", "Hot paths of the bridge.", -1,
	calls_methods, NULL, NULL, NULL, NULL };

static PyObject *pynav_init_calls(void) {
	return PyModule_Create(&calls_module);
}

/* ---------------------------------------------------------------------------------------------------------------------
 * Starting the interpreter
 */

static const char *pynav_setting(const PynavStart *start, const char *key) {
	for (int i = 0; i < start->setting_count; i++) {
		if (strcmp(start->settings[i].key, key) == 0) {
			return start->settings[i].value;
		}
	}
	return NULL;
}

static int pynav_failed(PynavStart *start, PyStatus status) {
	snprintf(start->message, sizeof start->message, "%s%s%s", status.func ? status.func : "", status.func ? ": " : "",
			status.err_msg ? status.err_msg : "unknown reason");
	return 0;
}

/* An isolated interpreter: PYTHONHOME, PYTHONPATH, user site, pyvenv.cfg and the working directory have no say. */
static int pynav_initialize_python(PynavStart *start) {
	PyPreConfig before;
	PyPreConfig_InitIsolatedConfig(&before);
	before.utf8_mode = 1;
	PyStatus status = Py_PreInitialize(&before);
	if (PyStatus_Exception(status)) {
		return pynav_failed(start, status);
	}
	PyConfig configuration;
	PyConfig_InitIsolatedConfig(&configuration);
	configuration.site_import = 0; /* a failing `site` would exit the game, and .pth files are not ours */
	configuration.write_bytecode = 0;
	configuration.install_signal_handlers = 0;
	configuration.pathconfig_warnings = 0;
	configuration.parse_argv = 0;
	configuration.module_search_paths_set = 1;
	const char *home = pynav_setting(start, "home");
	if (home) {
		char program[4300];
		snprintf(program, sizeof program, "%s/bin/python3", home);
		PyConfig_SetBytesString(&configuration, &configuration.home, home);
		PyConfig_SetBytesString(&configuration, &configuration.executable, program);
		PyConfig_SetBytesString(&configuration, &configuration.program_name, program);
	}
	for (int i = 0; i < start->setting_count; i++) {
		if (strcmp(start->settings[i].key, "path") == 0) {
			wchar_t *path = Py_DecodeLocale(start->settings[i].value, NULL);
			if (path) {
				PyWideStringList_Append(&configuration.module_search_paths, path);
				PyMem_RawFree(path);
			}
		}
	}
	status = Py_InitializeFromConfig(&configuration);
	PyConfig_Clear(&configuration);
	if (PyStatus_Exception(status)) {
		return pynav_failed(start, status);
	}
	return 1;
}

static void pynav_describe_exception(PynavStart *start) {
	PyObject *type, *value, *traceback;
	PyErr_Fetch(&type, &value, &traceback);
	PyErr_NormalizeException(&type, &value, &traceback);
	PyObject *text = value ? PyObject_Repr(value) : NULL;
	const char *characters = text ? PyUnicode_AsUTF8(text) : NULL;
	snprintf(start->message, sizeof start->message, "%s", characters ? characters : "unknown exception");
	PyErr_Clear();
	Py_XDECREF(text);
	Py_XDECREF(type);
	Py_XDECREF(value);
	Py_XDECREF(traceback);
}

PyMODINIT_FUNC PyInit__pynav_bridge(void);

__attribute__((visibility("default"))) int pynav_native_start(PynavStart *start) {
	if (Py_IsInitialized()) {
		snprintf(start->message, sizeof start->message, "another extension already runs a Python interpreter in this process");
		return 0;
	}
	pynav_load_interface(start->get_proc_address);
	PyImport_AppendInittab("_pynav_bridge", PyInit__pynav_bridge);
	PyImport_AppendInittab("_pynav_calls", pynav_init_calls);
	if (!pynav_initialize_python(start)) {
		return 0;
	}
	int started = 0;
	const char *name = pynav_setting(start, "boot");
	PyObject *settings = PyList_New(0);
	for (int i = 0; i < start->setting_count; i++) {
		PyObject *pair = Py_BuildValue("(ss)", start->settings[i].key, start->settings[i].value);
		PyList_Append(settings, pair);
		Py_XDECREF(pair);
	}
	PyObject *boot = PyImport_ImportModule(name ? name : "addons.pynav.bridge.boot");
	PyObject *answer = boot ? PyObject_CallMethod(boot, "start", "KKO", (unsigned long long)(uintptr_t)start->library,
									  (unsigned long long)(uintptr_t)start->initialization, settings)
							: NULL;
	if (answer) {
		started = 1;
	} else {
		pynav_describe_exception(start);
	}
	Py_XDECREF(answer);
	Py_XDECREF(boot);
	Py_XDECREF(settings);
	PyEval_SaveThread(); /* the GIL is free while the engine runs; never finalised: numpy and threads would not survive it */
	return started;
}
