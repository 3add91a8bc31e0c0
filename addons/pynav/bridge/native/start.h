/* What the first stage (loader.c, no Python) hands to the second (native.c, built against Python's headers). */
#ifndef PYNAV_START_H
#define PYNAV_START_H

#include "gdextension_interface.h"

#define PYNAV_MAX_SETTINGS 64

/* One `key = value` line of pynav_python.cfg; paths in it are absolute by now. */
typedef struct {
	const char *key;
	const char *value;
} PynavSetting;

typedef struct {
	GDExtensionInterfaceGetProcAddress get_proc_address;
	GDExtensionClassLibraryPtr library;
	GDExtensionInitialization *initialization;
	const PynavSetting *settings;
	int setting_count;
	/* Filled by the second stage when it returns 0. */
	char message[2048];
} PynavStart;

/* 1 when Python runs and the bridge's Python part took over, 0 with a message otherwise. */
typedef int (*PynavStartFunction)(PynavStart *start);

#endif
